//! The state of the sources as it is served.
//!
//! It is not part of the snapshot: a file that is received again without any change must not move
//! the token of the catalog.

use std::collections::BTreeMap;

use appstitch_snapshot::Snapshot;
use appstitch_sources::Upstream;
use appstitch_store::{Contents, StoredSources};
use appstitch_types::{Source, SourceStatus, SourceStatusResponse};
use bytes::Bytes;

use crate::{assemble::stitched_documents, origin::StitchedDocument};

/// The JSON of the sources, with the apps of a snapshot.
pub(crate) fn source_status(
    sources: &StoredSources,
    snapshot: &Snapshot,
) -> Result<Bytes, serde_json::Error> {
    let status = |upstream: Upstream| {
        let source = upstream.token();
        let state = sources.states.iter().find(|state| state.source == source);
        SourceStatus {
            source: source.to_owned(),
            documents: sources.documents.get(source).copied().unwrap_or_default(),
            apps: apps(snapshot, upstream),
            received_at: state.map(|state| state.received_at),
            changed_at: state.and_then(|state| state.changed_at),
            rejected: state.and_then(|state| state.rejected),
        }
    };
    let is_listed = |status: &SourceStatus| {
        let is_optional = status.source == Upstream::LabelVersions.token();
        !is_optional || status.received_at.is_some() || status.documents > 0
    };
    // The order of an app's payloads. The tracked versions only complete the labels.
    let upstreams = Source::ALL.map(Upstream::from).into_iter().chain([Upstream::LabelVersions]);
    let listed = upstreams.map(status).filter(is_listed);
    let response = SourceStatusResponse { sources: listed.collect() };
    Ok(serde_json::to_vec(&response)?.into())
}

fn apps(snapshot: &Snapshot, upstream: Upstream) -> u64 {
    match upstream.source() {
        Some(source) => {
            snapshot.stats().sources.get(source).unwrap_or_else(|| snapshot.listed_apps())
        }
        None => snapshot.tracked_apps(),
    }
}

/// The number of entries by source, as the store counts them.
pub(crate) fn count_entries<'a>(
    documents: impl Iterator<Item = StitchedDocument<'a>>,
) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for document in documents.filter(StitchedDocument::is_entry) {
        *counts.entry(document.source).or_default() += 1;
    }
    counts.into_iter().map(|(source, count)| (source.to_owned(), count)).collect()
}

/// The sources of a store whose documents are in memory.
pub(crate) fn sources_of(contents: &Contents) -> StoredSources {
    StoredSources {
        states: contents.source_states.clone(),
        documents: count_entries(stitched_documents(&contents.documents)),
    }
}
