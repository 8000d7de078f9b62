//! The metrics of scheduled refreshes.

use appstitch_refresh::{RefreshPhase, RefreshResult, ScheduleState, SourceRefresh};
use jiff::Timestamp;

use super::text::MetricsText;

pub(super) fn render(text: &mut MetricsText, state: &ScheduleState) {
    let meaning = "Scheduled refreshes of this process, by result";
    text.start("appstitch_refreshes_total", "counter", meaning);
    for (result, count) in RefreshResult::ALL.iter().zip(state.counts) {
        text.value(&[("result", result.word())], count);
    }
    let meaning = "Whether this process is the one that refreshes";
    text.start("appstitch_refresh_active", "gauge", meaning);
    text.value(&[], u8::from(state.phase != RefreshPhase::Elsewhere));
    text.start("appstitch_refresh_running", "gauge", "Whether a refresh is in progress");
    text.value(&[], u8::from(state.phase == RefreshPhase::Running));
    text.start(
        "appstitch_refresh_completed_timestamp_seconds",
        "gauge",
        "Time of the last refresh of this process in which no source failed; 0 if there was none",
    );
    text.value(&[], state.completed_at.map_or(0, Timestamp::as_second));
    let meaning = "Time of the next refresh; 0 if another process refreshes";
    text.start("appstitch_refresh_next_timestamp_seconds", "gauge", meaning);
    text.value(&[], state.next_at.map_or(0, Timestamp::as_second));
    render_sources(text, &state.sources);
}

/// How refreshing each source went, by any process that uses the store.
fn render_sources(text: &mut MetricsText, sources: &[SourceRefresh]) {
    let meaning = "Time when refreshing a source last began";
    text.start("appstitch_source_tried_timestamp_seconds", "gauge", meaning);
    for refresh in sources {
        text.value(&[("source", &refresh.source)], refresh.tried_at.as_second());
    }
    let meaning = "Time when refreshing a source last succeeded; 0 if it never did";
    text.start("appstitch_source_succeeded_timestamp_seconds", "gauge", meaning);
    for refresh in sources {
        let time = refresh.succeeded_at.map_or(0, Timestamp::as_second);
        text.value(&[("source", &refresh.source)], time);
    }
    let meaning = "Attempts to refresh a source that failed since the last success";
    text.start("appstitch_source_failures", "gauge", meaning);
    for refresh in sources {
        text.value(&[("source", &refresh.source)], refresh.failures);
    }
    let meaning = "Rejected entries in the files of a source that were read last";
    text.start("appstitch_source_rejected", "gauge", meaning);
    for refresh in sources {
        if let Some(rejected) = refresh.rejected {
            text.value(&[("source", &refresh.source)], rejected);
        }
    }
}
