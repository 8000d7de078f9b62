//! One immutable, ready-to-send image of a revision.
//!
//! Everything a public read can answer is serialised here once, when the revision is
//! published. A request takes the current snapshot and uses it from start to end, so an
//! answer is always wholly of one revision and never waits for the store.

mod build;
mod difference;
mod encoded;
mod listing;
mod resource;
mod rows;
mod slugs;
mod token;

pub use build::{Draft, SnapshotBuilder};
pub use difference::Difference;
pub use token::Edition;

pub(crate) use encoded::{Encoding, WORTHWHILE};
pub(crate) use listing::{Filter, Selection};
pub(crate) use resource::{Page, Resource};

use appstitch_catalog::{AppSources, CatalogStats};
use axum::http::HeaderValue;
use bytes::Bytes;
use hashbrown::HashMap;

use encoded::KeptEncodings;
use listing::Listing;
use rows::Rows;
use slugs::SlugIndex;

/// A revision as it is served.
pub struct Snapshot {
    edition: Edition,
    etag: HeaderValue,
    apps: Listing,
    /// The sources of each app, in the order of `apps`.
    sources: Rows,
    drift: Listing,
    /// Where in `drift` an app's entry is, by the app's position.
    drift_of_app: HashMap<u32, u32>,
    scanned: ScannedCounts,
    slugs: SlugIndex,
    title_codes: Bytes,
    stats: CatalogStats,
    stats_body: Bytes,
    encoded: KeptEncodings,
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
        self.edition.token()
    }

    /// Which state of the store this is, and since when.
    #[must_use]
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    /// The `ETag` of everything below `/apps`.
    pub(crate) fn etag(&self) -> &HeaderValue {
        &self.etag
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
        &self.apps
    }

    pub(crate) fn drift(&self) -> &Listing {
        &self.drift
    }

    /// The position of an app, if the slug is known.
    pub(crate) fn find(&self, slug: &str) -> Option<u32> {
        self.slugs.find(self.apps.rows(), slug)
    }

    /// What the sources said about the app at a position; `None` where there is no detail.
    pub(crate) fn source_detail(&self, position: u32) -> Option<AppSources> {
        let sources: AppSources = serde_json::from_slice(self.sources.row(position)).ok()?;
        (!sources.is_empty()).then_some(sources)
    }

    pub(crate) fn encoded(&self) -> &KeptEncodings {
        &self.encoded
    }
}
