//! An immutable, ready-to-send image of a published catalog.
//!
//! Everything that a public read can return is serialized here once, when a revision is published.
//! A request uses one snapshot from start to end, so a response never mixes two revisions and
//! never waits for the store. This crate is independent of HTTP: it finds resources and returns
//! their bytes, plain or compressed.
//!
//! From the bottom up: rows and the indexes over them, the journal, the caches; the [`Snapshot`] that
//! holds them; what is read from it (`read`); how it is built and compared with another one.

mod aliases;
mod app_rows;
mod bits;
mod build;
mod cache;
mod categories;
mod compare;
mod deprecated_ranks;
mod draft_titles;
mod drift_rows;
mod drift_table;
mod encoding;
mod entry;
mod feeds;
mod journal;
mod listing;
mod patch_titles;
mod ranked;
mod read;
mod recent;
mod revision;
mod rows;
mod search;
mod served;
mod slugs;
mod snapshot;
mod value_index;
mod variants;
mod vendors;

pub use build::{Draft, SnapshotBuilder};
pub use cache::{
    BodyCache, BodyKey, CachedBody, DocumentCache, DocumentKey, ExportFile, LabelForm, TextCache,
};
pub use categories::{CatalogSummary, Categories};
pub use compare::{Difference, Previous};
pub use drift_table::{DriftLine, DriftOrder, DriftSelection, DriftTable, Lagging, VersionGap};
pub use encoding::{Encoding, WORTHWHILE};
pub use entry::{Entry, FreshEntry, Notes, ServedEntry};
pub use feeds::{ArchivePart, FeedKey, FeedRequest, FeedScope};
pub use journal::{
    ChangeFilter, ChangePage, ChangeRow, Comparison, Journal, NewestFirst, SinceError, SquashedPage,
};
pub use listing::{ExactFilter, ExactSelection, Filter, Listing, Selection};
pub use read::{
    Browsed, Browsing, ChangesRequest, Exported, Page, PatchSelection, RenderedChanges,
    ResolvedFeed, Resource, SearchPage,
};
pub use recent::MOST_RECENT;
pub use revision::{PublishedRevision, is_revision_token};
pub use rows::Rows;
pub use snapshot::{ReadError, Retired, Sizes, Snapshot};
pub use vendors::{VendorEntry, VendorLetter, VendorOrder, Vendors};
