//! The state of the sources as it is served.
//!
//! It is not part of the snapshot: a file that is received again without any change must not move
//! the token of the catalog.

use std::collections::BTreeMap;

use appstitch_catalog_files::Received;
use appstitch_snapshot::Snapshot;
use appstitch_sources::Upstream;
use appstitch_store::{Contents, SourceRefresh, StoredSources};
use appstitch_types::{
    MirrorStatus, Source, SourceRefreshStatus, SourceStatus, SourceStatusResponse,
};
use bytes::Bytes;

use crate::{
    assemble::stitched_documents, loaded_catalog::RECEIVED, origin::StitchedDocument,
    whole_second::whole_second,
};

/// The files that only complete the sources; they are listed once they were received.
const OPTIONAL: [Upstream; 2] = [Upstream::LabelVersions, Upstream::PatchTitles];

/// The JSON of the sources, with the apps of a snapshot and how refreshing them went.
pub(crate) fn source_status(
    sources: &StoredSources,
    snapshot: &Snapshot,
    refreshes: &[SourceRefresh],
    received: Option<&Received>,
) -> Bytes {
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
            refresh: refreshes.iter().find(|refresh| refresh.source == source).map(refresh_status),
        }
    };
    let is_listed = |status: &SourceStatus| {
        let is_optional = OPTIONAL.map(Upstream::token).contains(&status.source.as_str());
        !is_optional || status.received_at.is_some() || status.documents > 0
    };
    // The order of an app's payloads.
    let upstreams = Source::ALL.map(Upstream::from).into_iter().chain(OPTIONAL);
    let listed = upstreams.map(status).filter(is_listed);
    let mirror = received.and_then(|received| mirror_status(received, refreshes));
    let response = SourceStatusResponse { sources: listed.collect(), mirror };
    // Texts, numbers and times can always be written.
    serde_json::to_vec(&response).unwrap_or_default().into()
}

fn mirror_status(received: &Received, refreshes: &[SourceRefresh]) -> Option<MirrorStatus> {
    let index = received.index().ok()?;
    Some(MirrorStatus {
        origin: received.origin.clone(),
        catalog: index.catalog,
        serial: index.serial,
        published_at: index.at,
        refresh: refreshes.iter().find(|refresh| refresh.source == RECEIVED).map(refresh_status),
    })
}

fn refresh_status(refresh: &SourceRefresh) -> SourceRefreshStatus {
    SourceRefreshStatus {
        tried_at: whole_second(refresh.tried_at),
        succeeded_at: refresh.succeeded_at.map(whole_second),
        next_at: whole_second(refresh.next_at),
        problem: refresh.why.clone(),
        // Another version of the program may have written them in another way.
        rejects: serde_json::from_str(&refresh.rejects).unwrap_or_default(),
    }
}

fn apps(snapshot: &Snapshot, upstream: Upstream) -> u64 {
    match (upstream, upstream.source()) {
        (Upstream::PatchTitles, _) => snapshot.coded_apps(),
        (_, Some(source)) => {
            snapshot.stats().sources.get(source).unwrap_or_else(|| snapshot.listed_apps())
        }
        (_, None) => snapshot.tracked_apps(),
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
