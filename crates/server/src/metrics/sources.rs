//! How old the data of each source is.

use appstitch_types::SourceStatusResponse;

use super::text::MetricsText;

/// `status` is what `GET /sources` answers.
pub(super) fn render(text: &mut MetricsText, status: &[u8]) {
    // This process wrote the JSON.
    let Ok(status) = serde_json::from_slice::<SourceStatusResponse>(status) else { return };
    text.start(
        "appstitch_source_received_timestamp_seconds",
        "gauge",
        "Time when the files of a source last arrived or were unchanged; sources that never arrived are left out",
    );
    for source in &status.sources {
        if let Some(time) = source.received_at {
            text.value(&[("source", &source.source)], time.as_second());
        }
    }
    let meaning = "Entries of a source, as it last arrived";
    text.start("appstitch_source_documents", "gauge", meaning);
    for source in &status.sources {
        text.value(&[("source", &source.source)], source.documents);
    }
}
