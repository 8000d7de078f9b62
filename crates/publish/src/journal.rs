//! The journal of changes: reading it with the catalog, and what a change adds to it.

use appstitch_snapshot::{Comparison, Draft, Journal, Previous, Snapshot};
use appstitch_store::{
    Contents, Edition, JournalChange, JournalHead, NewRevision, ServedApp, ServedBy, Store,
};

use crate::{background::blocking, publish_error::PublishError, rules::is_kept};

/// Reads the journal that belongs to an edition of a store; `None` if the store moved on.
pub(crate) async fn read_journal(
    store: &Store,
    edition: &Edition,
) -> Result<Option<Journal>, PublishError> {
    let mut stored = store.journal().await?;
    if stored.edition != *edition {
        return Ok(None);
    }
    blocking(move || {
        let head = stored.head.clone();
        let newest = stored.revisions.last().map(|revision| revision.changed_at);
        let patch_titles = std::mem::take(&mut stored.patch_titles);
        let journal = Journal::read(stored).unwrap_or_else(|error| {
            // Whoever follows the changes has to start again, but everything else works.
            tracing::error!(%error, "the journal of changes in the store is damaged; leaving it out");
            Journal::without_changes(&head, newest)
        });
        Ok(Some(journal.with_patch_titles(&patch_titles)))
    })
    .await
}

/// The catalog of a store's newest revision, to compare the next one with.
pub(crate) enum LastServed {
    /// The current snapshot, or none if nothing was published.
    Current,
    /// What the store kept. Other rules made it.
    Stored(Vec<ServedApp>),
    /// The store does not have it.
    Unknown,
}

impl LastServed {
    /// Reads it if the current snapshot is not what the store keeps.
    pub(crate) async fn of(
        store: &Store,
        contents: &Contents,
        current: Option<&Snapshot>,
    ) -> Result<Self, PublishError> {
        let Some(revision) = &contents.revision else { return Ok(Self::Current) };
        if current.is_some_and(|current| is_kept(current, contents.served_by.as_ref())) {
            return Ok(Self::Current);
        }
        let is_of_revision = |made_by: &ServedBy| made_by.content_hash == revision.content_hash;
        Ok(match store.served_before().await? {
            Some((made_by, apps)) if is_of_revision(&made_by) => Self::Stored(apps),
            _ => Self::Unknown,
        })
    }

    fn previous<'a>(&'a self, current: Option<&'a Snapshot>) -> Previous<'a> {
        match (self, current) {
            (Self::Current, Some(current)) => Previous::Served(current),
            (Self::Current, None) => Previous::Nothing,
            (Self::Stored(apps), _) => Previous::Stored(apps),
            (Self::Unknown, _) => Previous::Unknown,
        }
    }

    /// What a new revision writes to the journal, and the journal afterwards.
    pub(crate) fn next_journal(
        &self,
        journal: &Journal,
        current: Option<&Snapshot>,
        draft: &Draft,
        revision: &NewRevision,
    ) -> Result<(JournalChange, Journal), PublishError> {
        let previous = self.previous(current);
        let comparison = match (draft.compared_with(&previous), &previous) {
            // A damaged copy must not keep the server from starting.
            (Err(error), Previous::Stored(_)) => {
                tracing::warn!(%error, "cannot compare with the served catalog in the store");
                Comparison::NewEpoch
            }
            (comparison, _) => comparison?,
        };
        let mut change = journal.next(comparison, revision)?;
        if change.forgets_all {
            let JournalHead { epoch, .. } = &change.head;
            tracing::warn!(epoch, "the journal of changes starts again");
        }
        let next = journal.with(&change, revision)?;
        change.patch_titles = draft.patch_titles(&next, revision.changed_at)?;
        let next = next.with_patch_titles(&change.patch_titles);
        Ok((change, next))
    }
}
