//! Loads the catalog to serve from a store.

use std::sync::Arc;

use appstitch_catalog_files::Received;
use appstitch_snapshot::{
    Draft, Journal, PublishedRevision, ServedEntry, Snapshot, SnapshotBuilder,
};
use appstitch_sources::RESOLUTION;
use appstitch_store::{
    COPY_RULES, Contents, Edition, JournalHead, Revision, ServedApp, ServedBy, Store, StoreError,
    StoredSources,
};

use crate::{
    assemble::assemble_all,
    background::blocking,
    journal::read_journal,
    publish_error::PublishError,
    rules::{is_copy, is_kept, rules},
    source_status::sources_of,
};

/// The maximum number of attempts to use the store while other processes write to it.
pub(crate) const ATTEMPTS: u32 = 20;

/// What the store remembers of a copied catalog, under this name.
pub const RECEIVED: &str = "catalog";

/// The catalog read from a store at an edition.
pub(crate) struct LoadedCatalog {
    pub(crate) draft: Draft,
    /// The revision under which it is served.
    pub(crate) revision: Option<PublishedRevision>,
    pub(crate) edition: Edition,
    pub(crate) sources: StoredSources,
    pub(crate) journal: Journal,
    /// Where it comes from, if another store published it.
    pub(crate) copied: Option<Received>,
}

impl LoadedCatalog {
    /// The catalog of a store: the kept one if it is usable, else stitched again.
    pub(crate) async fn of(store: &Store) -> Result<Self, PublishError> {
        let mut attempt = 1;
        loop {
            if let Some(kept) = Self::kept(store).await? {
                return Ok(kept);
            }
            let contents = Arc::new(store.load().await?);
            if is_copy(contents.served_by.as_ref()) {
                // Another process wrote it meanwhile, or this version cannot read it.
                return Self::kept(store).await?.ok_or(PublishError::ForeignCopy);
            }
            if let Some(stitched) = Self::stitched(store, contents).await? {
                return Ok(stitched);
            }
            // Another process wrote between two reads.
            if attempt == ATTEMPTS {
                return Err(StoreError::Moved.into());
            }
            attempt += 1;
        }
    }

    /// The served catalog that a store keeps, if this build's rules or another store made it, and it can be
    /// used.
    pub(crate) async fn kept(store: &Store) -> Result<Option<Self>, PublishError> {
        for rules in [rules(), COPY_RULES] {
            if let Some(kept) = Self::made_by(store, rules).await? {
                return Ok(Some(kept));
            }
        }
        Ok(None)
    }

    async fn made_by(store: &Store, rules: &str) -> Result<Option<Self>, PublishError> {
        let prepare = |sizes| Ok(SnapshotBuilder::with_capacity(sizes));
        let kept = store.served(rules, RESOLUTION, prepare, take_kept).await?;
        let Some((Ok(builder), state)) = kept else { return Ok(None) };
        let copied = if rules == COPY_RULES { read_received(store).await? } else { None };
        let insertions = state.insertions;
        let mut draft = blocking(move || Ok(builder.finish(&insertions)?)).await?;
        if rules == COPY_RULES {
            // Another version may hash what it serves in another way. The copy was verified when it arrived.
            draft.content_hash.clone_from(&state.revision.content_hash);
        } else if draft.content_hash != state.revision.content_hash {
            tracing::warn!("the served catalog in the store is damaged; stitching it again");
            return Ok(None);
        }
        let (revision, edition) = (Some(state.revision.into()), state.edition);
        let Some(journal) = read_journal(store, &edition).await? else { return Ok(None) };
        Ok(Some(Self { draft, revision, edition, sources: state.sources, journal, copied }))
    }

    /// Stitches the contents of a store; `None` if the store moved on.
    pub(crate) async fn stitched(
        store: &Store,
        contents: Arc<Contents>,
    ) -> Result<Option<Self>, PublishError> {
        let (revision, edition) = (contents.revision.clone(), contents.edition.clone());
        let Some(journal) = read_journal(store, &edition).await? else { return Ok(None) };
        let (draft, sources) =
            blocking(move || Ok((assemble_all(&contents)?, sources_of(&contents)))).await?;
        let revision = revision.map(|mut revision| {
            if revision.content_hash != draft.content_hash {
                // Another version of the program published this revision with different bytes, so
                // the token must differ, too. The new token is not stored: two versions on one
                // store would overwrite each other's revisions forever.
                revision.token = draft.new_revision(revision.changed_at).token;
            }
            PublishedRevision::from(revision)
        });
        Ok(Some(Self { draft, revision, edition, sources, journal, copied: None }))
    }
}

pub(crate) async fn read_received(store: &Store) -> Result<Option<Received>, PublishError> {
    let body = store.refresh_memory(RECEIVED.to_owned()).await?;
    Ok(body.map(|body| serde_json::from_str(&body)).transpose()?)
}

/// Whether a snapshot is what loading a store would give, so that the store need not be loaded. A
/// catalog that an older version changed back within a second has the same revision again, but a longer
/// journal.
pub(crate) fn is_loaded(
    snapshot: &Snapshot,
    revision: Option<&Revision>,
    served_by: Option<&ServedBy>,
    journal: &JournalHead,
) -> bool {
    let newest = revision.cloned().map(PublishedRevision::from);
    let hash = revision.map(|revision| revision.content_hash.as_str());
    is_kept(snapshot, served_by)
        && hash == Some(snapshot.content_hash())
        && newest.as_ref() == snapshot.revision()
        && snapshot.journal().ends_like(journal)
}

/// Adds a kept app. After the first one that cannot be parsed, the others are skipped.
fn take_kept(builder: &mut Result<SnapshotBuilder, serde_json::Error>, app: ServedApp) {
    if let Ok(building) = builder
        && let Err(error) = ServedEntry::read(app).and_then(|entry| building.push(&entry))
    {
        *builder = Err(error);
    }
}
