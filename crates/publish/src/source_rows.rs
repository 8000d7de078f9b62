//! The effect of a change to the documents of the upstreams on the states of the sources.
//!
//! A source is received when one of its files arrives, whether or not anything in it is new, and
//! when the server of a file reports that nothing is. The sample and the results of running labels
//! are not files of an upstream.

use appstitch_sources::Upstream;
use appstitch_store::{Contents, SourceState};
use jiff::Timestamp;

use crate::{
    document_rows::DocumentRows,
    origin::{SAMPLE, StitchedDocument, stitched},
    source_upload::{SourceUpload, StayingOrigin},
};

/// The states that a change writes.
pub(crate) fn received_sources(
    contents: &Contents,
    uploads: &[SourceUpload],
    staying: &[StayingOrigin],
    documents: &DocumentRows<'_>,
    now: Timestamp,
) -> Vec<SourceState> {
    let received = |upstream: Upstream| {
        let source = upstream.token();
        let files: Vec<&SourceUpload> = uploads
            .iter()
            .filter(|upload| upload.source == source && upload.is_real_file())
            .collect();
        let arrives = !files.is_empty();
        if !arrives && !staying.iter().any(|origin| origin.source == source && origin.is_current) {
            return None;
        }
        let before = contents.source_states.iter().find(|state| state.source == source);
        let is_first = before.is_none() && !has_real_documents(contents, source);
        let changes = arrives && (is_first || changes_entries(contents, documents, source));
        let rejected = files.iter().map(|file| file.rejected as u64).sum();
        let after = SourceState {
            source: source.to_owned(),
            received_at: now,
            changed_at: changes.then_some(now).or_else(|| before?.changed_at),
            rejected: arrives.then_some(rejected).or_else(|| before?.rejected),
        };
        (before != Some(&after)).then_some(after)
    };
    Upstream::ALL.into_iter().filter_map(received).collect()
}

/// The states after a change that writes some of them, ordered by source.
pub(crate) fn states_after(contents: &Contents, put: &[SourceState]) -> Vec<SourceState> {
    let is_replaced = |before: &&SourceState| put.iter().any(|after| after.source == before.source);
    let staying = contents.source_states.iter().filter(|before| !is_replaced(before));
    let mut after: Vec<SourceState> = staying.chain(put).cloned().collect();
    after.sort_by(|left, right| left.source.cmp(&right.source));
    after
}

/// Whether the store has documents of a source that are not of the sample. An older version of the
/// program may have stored them without a state.
fn has_real_documents(contents: &Contents, source: &str) -> bool {
    contents.documents.iter().any(|document| document.source == source && document.origin != SAMPLE)
}

/// Whether a change adds, changes or removes entries of a source. The same entries from another
/// origin are no change.
fn changes_entries(contents: &Contents, documents: &DocumentRows<'_>, source: &str) -> bool {
    let is_written = documents.put.iter().any(|document| document.source == source)
        || documents.removed.iter().any(|name| name.source == source);
    let is_own = |document: &StitchedDocument<'_>| document.source == source && document.is_entry();
    let before = stitched(contents.documents.iter().map(StitchedDocument::from)).filter(is_own);
    is_written && !before.eq(documents.after.iter().copied().filter(is_own))
}
