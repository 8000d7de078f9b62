//! An immutable, ready-to-send image of a published catalog.
//!
//! Everything that a public read can return is serialized here once, when a revision is published.
//! A request uses one snapshot from start to end, so a response never mixes two revisions and
//! never waits for the store. This crate is independent of HTTP: it finds resources and returns
//! their bytes, plain or compressed.

mod aliases;
mod app_rows;
mod bits;
mod build;
mod categories;
mod contents;
mod deprecated_ranks;
mod details;
mod difference;
mod drift_rows;
mod drift_table;
mod encoding;
mod entry;
mod feeds;
mod installed;
mod journal;
mod kept;
mod kept_documents;
mod kept_labels;
mod kept_texts;
mod label;
mod listing;
mod prepare;
mod ranked;
mod read_error;
mod recent;
mod resource;
mod rows;
mod search;
mod served;
mod slugs;
mod token;
mod value_index;
mod variants;
mod vendors;

pub use build::{Draft, SnapshotBuilder};
pub use categories::{CatalogSummary, Categories};
pub use contents::Retired;
pub use difference::Difference;
pub use drift_table::{DriftLine, DriftOrder, DriftSelection, DriftTable, Lagging, VersionGap};
pub use encoding::{Encoding, WORTHWHILE};
pub use entry::{Entry, FreshEntry, Notes, ServedEntry};
pub use feeds::{ArchivePart, FeedKey, FeedRequest, FeedScope, FoundFeed};
pub use journal::{
    ChangeFilter, ChangePage, ChangeRow, ChangesAnswer, ChangesRequest, Comparison, Journal,
    NewestFirst, Previous, SinceError, SquashedPage,
};
pub use kept::{KeptBodies, KeptBody};
pub use kept_documents::DocumentKey;
pub use kept_labels::LabelForm;
pub use listing::{ExactFilter, ExactSelection, Filter, Listing, Selection};
pub use ranked::SearchPage;
pub use read_error::ReadError;
pub use recent::MOST_RECENT;
pub use resource::{BodyKey, Page, Resource};
pub use rows::Rows;
pub use token::PublishedRevision;
pub use vendors::{VendorEntry, VendorLetter, VendorOrder, Vendors};

use std::sync::Arc;

use appstitch_catalog::{App, AppSources, CatalogStats, Provenance};
use bytes::Bytes;

use contents::{Disposal, SnapshotContents};

/// A revision in the form in which it is served.
pub struct Snapshot {
    revision: Option<PublishedRevision>,
    content_hash: String,
    etag: String,
    stats: CatalogStats,
    listed_apps: u64,
    tracked_apps: u64,
    contents: SnapshotContents,
    disposal: Option<Disposal>,
}

/// The memory of a snapshot, in bytes.
pub struct Sizes {
    /// The bytes of response bodies.
    pub served: usize,
    /// The indexes used to find them.
    pub indexes: usize,
}

impl Snapshot {
    /// The token inside the `ETag`.
    #[must_use]
    #[inline]
    pub fn token(&self) -> &str {
        token::token_of(self.revision.as_ref())
    }

    /// The published revision; `None` until the first one.
    #[must_use]
    pub fn revision(&self) -> Option<&PublishedRevision> {
        self.revision.as_ref()
    }

    /// A hash over every served byte.
    #[must_use]
    pub fn content_hash(&self) -> &str {
        &self.content_hash
    }

    /// The entity tag of everything below `/apps`.
    #[must_use]
    #[inline]
    pub fn etag(&self) -> &str {
        &self.etag
    }

    /// The statistics of the catalog.
    #[must_use]
    pub fn stats(&self) -> &CatalogStats {
        &self.stats
    }

    /// The statistics as JSON.
    #[must_use]
    pub fn stats_body(&self) -> &Bytes {
        &self.contents.stats_body
    }

    /// The number of apps with a store listing, which the statistics do not count.
    #[must_use]
    pub fn listed_apps(&self) -> u64 {
        self.listed_apps
    }

    /// The number of apps whose label's version was found by the public tracker.
    #[must_use]
    pub fn tracked_apps(&self) -> u64 {
        self.tracked_apps
    }

    /// Every app.
    #[must_use]
    pub fn apps(&self) -> &Listing {
        &self.contents.rows.apps
    }

    /// The position of an app.
    #[inline]
    pub fn find(&self, slug: &str) -> Result<u32, ReadError> {
        let position = self.contents.rows.slugs.find(slug);
        position.ok_or_else(|| ReadError::UnknownSlug(slug.to_owned()))
    }

    /// The slug of the app at a position.
    #[must_use]
    pub fn slug(&self, position: u32) -> &str {
        self.contents.rows.slug(position)
    }

    /// The positions of the first apps, in slug order, whose slug, name, vendor, bundle identifier
    /// or another name contains the query, ignoring case.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize) -> Vec<u32> {
        self.contents.search.find(query, limit)
    }

    /// The positions of the newest apps, newest first.
    #[must_use]
    pub fn recent(&self) -> &[u32] {
        &self.contents.recent
    }

    /// The size of the catalog, as JSON.
    #[must_use]
    pub fn summary(&self) -> &Bytes {
        &self.contents.summary
    }

    /// The values that apps can be grouped by, as JSON.
    #[must_use]
    pub fn categories(&self) -> &Bytes {
        &self.contents.categories
    }

    /// The first slugs with a prefix, in order, and the number of all slugs with it.
    #[must_use]
    pub fn slugs_starting_with(&self, prefix: &str, limit: usize) -> (Vec<String>, usize) {
        self.contents.rows.slugs.starting_with(prefix, limit)
    }

    /// What changed, up to this revision.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.contents.journal
    }

    /// The same snapshot with a journal.
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.contents.journal = journal;
        self
    }

    /// The app at a position.
    pub fn read_app(&self, position: u32) -> Result<App, serde_json::Error> {
        serde_json::from_slice(self.contents.rows.apps.rows().row(position))
    }

    /// The name of the app at a position. It is cheaper than the whole app.
    pub fn app_name(&self, position: u32) -> Result<String, serde_json::Error> {
        #[derive(serde::Deserialize)]
        struct Named {
            name: String,
        }
        let row = self.contents.rows.apps.rows().row(position);
        serde_json::from_slice(row).map(|Named { name }| name)
    }

    /// The source payloads of the app at a position; empty if there are none.
    pub fn source_detail(&self, position: u32) -> Result<AppSources, serde_json::Error> {
        serde_json::from_slice(self.contents.rows.sources.row(position))
    }

    /// The provenance of the app at a position.
    pub fn read_provenance(&self, position: u32) -> Result<Provenance, serde_json::Error> {
        serde_json::from_slice(self.contents.rows.provenance.row(position))
    }

    /// The memory used by this snapshot.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        self.contents.sizes()
    }

    /// The cache of bodies made on demand.
    #[must_use]
    #[inline]
    pub fn kept(&self) -> &Arc<KeptBodies> {
        &self.contents.kept
    }

    /// Passes the snapshot's memory to `disposal` when the last reference is dropped. Freeing a
    /// large catalog takes a while and must not delay the last request that uses it.
    #[must_use]
    pub fn with_disposal(mut self, disposal: impl Fn(Retired) + Send + Sync + 'static) -> Self {
        self.disposal = Some(Box::new(disposal));
        self
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        if let Some(dispose) = self.disposal.take() {
            dispose(Retired::new(std::mem::take(&mut self.contents)));
        }
    }
}
