//! The metrics of scheduled refreshes.

use appstitch_refresh::{RefreshPhase, RefreshResult, ScheduleState};
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
}
