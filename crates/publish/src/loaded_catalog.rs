//! The catalog that can be served from what a store holds.

use std::sync::Arc;

use appstitch_snapshot::{Draft, PublishedRevision, ServedEntry, SnapshotBuilder};
use appstitch_store::{Contents, ServedApp, Store};

use crate::{PublishError, RULES, assemble::assemble_all, publisher::blocking};

/// What was read from a store at an edition.
pub(crate) struct LoadedCatalog {
    pub(crate) draft: Draft,
    /// The name under which it is served.
    pub(crate) revision: Option<PublishedRevision>,
    pub(crate) edition: u64,
}

impl LoadedCatalog {
    /// What a store holds: as it was kept if it was, else stitched.
    pub(crate) async fn of(store: &Store) -> Result<Self, PublishError> {
        match Self::kept(store).await? {
            Some(kept) => Ok(kept),
            None => Self::stitched(Arc::new(store.load().await?)).await,
        }
    }

    /// What a store has kept of the served catalog, if this program's rules made it and it is
    /// whole.
    pub(crate) async fn kept(store: &Store) -> Result<Option<Self>, PublishError> {
        let prepare = |sizes| Ok(SnapshotBuilder::with_capacity(sizes));
        let kept = store.served(RULES, prepare, take_kept).await?;
        let Some((Ok(builder), state)) = kept else { return Ok(None) };
        let insertions = state.insertions;
        let draft = blocking(move || Ok(builder.finish(&insertions)?)).await?;
        if draft.content_hash != state.revision.content_hash {
            tracing::warn!("what the store kept of the served catalog is damaged");
            return Ok(None);
        }
        let revision = Some(state.revision.into());
        Ok(Some(Self { draft, revision, edition: state.edition }))
    }

    /// What a store's contents make.
    pub(crate) async fn stitched(contents: Arc<Contents>) -> Result<Self, PublishError> {
        let (revision, edition) = (contents.revision.clone(), contents.edition);
        let draft = blocking(move || assemble_all(&contents)).await?;
        let revision = revision.map(|mut revision| {
            if revision.content_hash != draft.content_hash {
                // Written by another version of the program. Its bytes differ from ours, so
                // the token must too; recording ours would start a quarrel between the two.
                revision.token = draft.new_revision(revision.changed_at).token;
            }
            PublishedRevision::from(revision)
        });
        Ok(Self { draft, revision, edition })
    }
}

/// Adds a kept app; from the first one that cannot be read on, nothing more.
fn take_kept(builder: &mut Result<SnapshotBuilder, serde_json::Error>, app: ServedApp) {
    if let Ok(building) = builder
        && let Err(error) = ServedEntry::read(app).and_then(|entry| building.push(&entry))
    {
        *builder = Err(error);
    }
}
