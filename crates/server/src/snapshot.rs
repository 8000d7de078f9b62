//! One immutable, ready-to-send image of a revision.
//!
//! Everything a public read can answer is serialised here once, when the revision is
//! published. A request takes the current snapshot and uses it from start to end, so an
//! answer is always wholly of one revision and never waits for the store.

mod app_rows;
mod body_file;
mod build;
mod categories;
mod difference;
mod encoding;
mod entry;
mod kept;
mod listing;
mod recent;
mod resource;
mod rows;
mod search;
mod served;
mod slugs;
mod token;

pub use token::PublishedRevision;

#[cfg(all(test, target_os = "linux"))]
pub(crate) use body_file::BodyFile;
pub(crate) use body_file::FileRange;
pub(crate) use build::{Draft, SnapshotBuilder};
pub(crate) use categories::{CatalogSummary, Categories};
pub(crate) use difference::Difference;
pub(crate) use encoding::{Encoding, WORTHWHILE};
pub(crate) use entry::{FreshEntry, ServedEntry};
pub(crate) use kept::{KeptBodies, KeptBody};
pub(crate) use listing::{Filter, Selection};
pub(crate) use resource::{Page, Resource};
pub(crate) use served::RULES;

use std::sync::Arc;

use appstitch_catalog::{AppSources, CatalogStats};
use bytes::Bytes;
use hashbrown::HashMap;

use app_rows::AppRows;
use listing::Listing;
use search::SearchIndex;
use slugs::SlugIndex;

/// A revision as it is served.
pub struct Snapshot {
    revision: Option<PublishedRevision>,
    content_hash: String,
    etag: String,
    common_lines: Vec<u8>,
    rows: AppRows,
    scanned: ScannedCounts,
    slugs: SlugIndex,
    search: SearchIndex,
    /// The positions of the newest apps, the last one first.
    recent: Box<[u32]>,
    summary: Bytes,
    categories: Bytes,
    title_codes: Bytes,
    stats: CatalogStats,
    stats_body: Bytes,
    kept: Arc<KeptBodies>,
}

/// The memory of a snapshot, in bytes.
pub(crate) struct Sizes {
    /// What is sent as it stands.
    pub(crate) served: usize,
    /// What it is found by.
    pub(crate) indexes: usize,
}

/// How many apps have at least two versioned sources, in all and by vendor.
#[derive(Default)]
struct ScannedCounts {
    total: u64,
    by_vendor: HashMap<String, u64>,
}

impl Snapshot {
    /// The token inside the `ETag`.
    #[must_use]
    pub fn token(&self) -> &str {
        token::token_of(self.revision.as_ref())
    }

    /// The revision shown; `None` until something is published.
    #[must_use]
    pub fn revision(&self) -> Option<&PublishedRevision> {
        self.revision.as_ref()
    }

    /// A hash over every served byte.
    pub(crate) fn content_hash(&self) -> &str {
        &self.content_hash
    }

    /// The `ETag` of everything below `/apps`.
    pub(crate) fn etag(&self) -> &str {
        &self.etag
    }

    /// The lines that the heads of all its answers have in common.
    pub(crate) fn common_lines(&self) -> &[u8] {
        &self.common_lines
    }

    /// The catalog in numbers.
    #[must_use]
    pub fn stats(&self) -> &CatalogStats {
        &self.stats
    }

    pub(crate) fn stats_body(&self) -> Bytes {
        self.stats_body.clone()
    }

    pub(crate) fn apps(&self) -> &Listing {
        &self.rows.apps
    }

    pub(crate) fn drift(&self) -> &Listing {
        &self.rows.drift
    }

    /// The position of an app, if the slug is known.
    pub(crate) fn find(&self, slug: &str) -> Option<u32> {
        self.slugs.find(self.rows.apps.rows(), slug)
    }

    /// The positions of the first apps that have a text in what they go by.
    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<u32> {
        self.search.find(query, limit)
    }

    /// The positions of the newest apps, the last one first.
    pub(crate) fn recent(&self) -> &[u32] {
        &self.recent
    }

    /// How large the catalog is, as JSON.
    pub(crate) fn summary(&self) -> &Bytes {
        &self.summary
    }

    /// What the catalog can be filtered by, as JSON.
    pub(crate) fn categories(&self) -> &Bytes {
        &self.categories
    }

    /// The first slugs that start like this, in order, and how many there are.
    pub(crate) fn slugs_like(&self, start: &str, limit: usize) -> (Vec<String>, usize) {
        slugs::slugs_starting(self.rows.apps.rows(), start, limit)
    }

    /// What the sources said about the app at a position; empty where there is no detail.
    pub(crate) fn source_detail(&self, position: u32) -> Result<AppSources, serde_json::Error> {
        serde_json::from_slice(self.rows.sources.row(position))
    }

    /// How much memory this takes.
    pub(crate) fn sizes(&self) -> Sizes {
        let rows = [
            self.rows.apps.sizes(),
            self.rows.sources.sizes(),
            self.rows.provenance.sizes(),
            self.rows.drift.sizes(),
        ];
        let lone = [&self.summary, &self.categories, &self.title_codes, &self.stats_body];
        Sizes {
            served: rows.iter().map(|(served, _)| served).sum::<usize>()
                + lone.iter().map(|body| body.len()).sum::<usize>(),
            indexes: rows.iter().map(|(_, indexes)| indexes).sum::<usize>()
                + self.slugs.size()
                + self.search.size()
                + self.rows.drift_of_app.allocation_size()
                + self.scanned.by_vendor.allocation_size(),
        }
    }

    /// The bodies that were made on demand.
    pub(crate) fn kept(&self) -> &Arc<KeptBodies> {
        &self.kept
    }
}
