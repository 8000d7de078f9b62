//! What the store keeps, for those who refresh the sources, run labels or mirror the catalog.

use appstitch_snapshot::Snapshot;
use appstitch_sources::RESOLUTION;
use appstitch_stitching::LabelDocument;
use appstitch_store::{COPY_RULES, Document, FetchedFrom, StoreError};

use super::Publisher;
use crate::{
    assemble::{decode, stitched_documents},
    background::blocking,
    origin::stitched,
    publish_error::PublishError,
    resolved_labels::{ResolvedLines, ResolvedReport, label_documents},
    rules::rules,
};

impl Publisher {
    /// A copy of the store, if it keeps what this snapshot serves; `None` if another version of the program
    /// publishes it.
    pub async fn copy_of(&self, snapshot: &Snapshot) -> Result<Option<Vec<u8>>, PublishError> {
        let copy = self.store.copy().await?;
        if copy.revision.as_deref() == Some(snapshot.token()) {
            return Ok(Some(copy.text));
        }
        let summary = self.store.summary(RESOLUTION).await?;
        let made_by = summary.served_by.map(|made_by| made_by.rules);
        let is_shown_soon =
            made_by.is_some_and(|made_by| [rules(), COPY_RULES].contains(&&*made_by));
        if is_shown_soon { Err(StoreError::Moved.into()) } else { Ok(None) }
    }

    /// The validators of the URLs whose files were read by this build. Another build may read
    /// different documents from the same file, so it has to fetch the file again.
    pub async fn fetched(&self) -> Result<Vec<FetchedFrom>, PublishError> {
        let mut fetched = self.store.fetched().await?;
        fetched.retain(|row| row.reader == rules());
        Ok(fetched)
    }

    /// The stitched documents of one source.
    pub async fn documents(&self, source: &'static str) -> Result<Vec<Document>, PublishError> {
        let contents = self.store.load().await?;
        let documents = contents.documents.iter().filter(|document| document.source == source);
        Ok(stitched(documents).cloned().collect())
    }

    /// The stored documents of the labels with everything that was found by running them.
    pub async fn label_documents(&self) -> Result<Vec<Document>, PublishError> {
        let contents = self.store.load().await?;
        Ok(label_documents(&contents.documents).cloned().collect())
    }

    /// What would become of resolved labels. Nothing is changed.
    pub async fn preview(&self, lines: ResolvedLines) -> Result<ResolvedReport, PublishError> {
        let contents = self.store.load().await?;
        blocking(move || Ok(lines.report(&contents.documents))).await
    }

    /// The decoded labels in the store.
    pub async fn labels(&self) -> Result<Vec<LabelDocument>, PublishError> {
        let contents = self.store.load().await?;
        blocking(move || Ok(decode(stitched_documents(&contents.documents)).labels)).await
    }
}
