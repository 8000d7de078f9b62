//! A published catalog in memory, and its plain parts.

use std::sync::{Arc, OnceLock};

use appstitch_inventory::check::InstalledIndex;
use appstitch_types::{App, AppSources, CatalogStats, DriftScope, Provenance};
use bytes::Bytes;
use thiserror::Error;

use crate::{
    aliases::AliasIndex,
    app_rows::AppRows,
    cache::{BodyCache, DocumentCache, ExportCache, FeedCache, LabelCache},
    drift_rows::DriftRows,
    drift_table::DriftTable,
    feeds::Archives,
    journal::Journal,
    listing::Listing,
    patch_titles::PatchTitles,
    ranked::{Query, RankedIndex},
    revision::{PublishedRevision, token_of},
    search::SearchIndex,
    variants::VariantIndex,
    vendors::Vendors,
};

/// A revision in the form in which it is served.
pub struct Snapshot {
    pub(crate) revision: Option<PublishedRevision>,
    pub(crate) content_hash: String,
    pub(crate) etag: String,
    pub(crate) stats: CatalogStats,
    pub(crate) listed_apps: u64,
    pub(crate) tracked_apps: u64,
    pub(crate) coded_apps: u64,
    pub(crate) contents: SnapshotContents,
    pub(crate) disposal: Option<Disposal>,
}

/// Everything in a snapshot except its revision and statistics, kept together so that another thread
/// can free it.
#[derive(Default)]
pub(crate) struct SnapshotContents {
    pub(crate) rows: AppRows,
    pub(crate) search: SearchIndex,
    pub(crate) ranked: RankedIndex,
    pub(crate) aliases: AliasIndex,
    pub(crate) variants: VariantIndex,
    /// Newest first.
    pub(crate) recent: Box<[u32]>,
    pub(crate) summary: Bytes,
    pub(crate) categories: Bytes,
    pub(crate) title_codes: Bytes,
    pub(crate) stats_body: Bytes,
    pub(crate) patch: PatchTitles,
    pub(crate) journal: Journal,
    pub(crate) bodies: Arc<BodyCache>,
    pub(crate) labels: LabelCache,
    pub(crate) exports: ExportCache,
    pub(crate) feeds: FeedCache,
    pub(crate) documents: DocumentCache,
    /// Built when it is first needed, like the following.
    pub(crate) installed: OnceLock<InstalledIndex>,
    pub(crate) vendors: OnceLock<Vendors>,
    /// In the order of [`DriftScope::ALL`].
    pub(crate) drift_tables: [OnceLock<DriftTable>; DriftScope::ALL.len()],
    /// Of new versions, and of every change.
    pub(crate) archives: [OnceLock<Archives>; 2],
}

pub(crate) type Disposal = Box<dyn Fn(Retired) + Send + Sync>;

/// The memory of a snapshot that is no longer in use; dropping it frees the memory.
pub struct Retired(#[expect(dead_code, reason = "held to be dropped")] SnapshotContents);

pub struct Sizes {
    /// The bytes of response bodies.
    pub served: usize,
    pub indexes: usize,
}

/// An error of reading from a snapshot. The messages are part of the HTTP interface.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    #[error("App with slug '{0}' not found")]
    UnknownSlug(String),
    #[error("No app is known as '{0}'")]
    UnknownName(String),
    #[error("No app is by the vendor '{0}'")]
    UnknownVendor(String),
    #[error("There is no patch title '{0}'")]
    UnknownTitle(String),
    /// No change of this day is known, or the day has fewer parts.
    #[error("There is no archive '{0}'")]
    NoArchive(String),
    #[error("App '{0}' has no source detail, cannot generate a label")]
    NoSourceDetail(String),
    /// The snapshot's bytes cannot be parsed; the cause is logged.
    #[error("Internal Server Error")]
    Internal,
}

impl Snapshot {
    #[inline]
    pub fn token(&self) -> &str {
        token_of(self.revision.as_ref())
    }

    /// `None` until the first publication.
    pub fn revision(&self) -> Option<&PublishedRevision> {
        self.revision.as_ref()
    }

    pub fn content_hash(&self) -> &str {
        &self.content_hash
    }

    /// The entity tag of everything below `/apps`.
    #[inline]
    pub fn etag(&self) -> &str {
        &self.etag
    }

    pub fn stats(&self) -> &CatalogStats {
        &self.stats
    }

    pub fn stats_body(&self) -> &Bytes {
        &self.contents.stats_body
    }

    /// The number of apps with a store listing, which the statistics do not count.
    pub fn listed_apps(&self) -> u64 {
        self.listed_apps
    }

    /// The number of apps whose label's version was found by the public tracker.
    pub fn tracked_apps(&self) -> u64 {
        self.tracked_apps
    }

    /// The number of apps that titles of the patch catalog lead to.
    pub fn coded_apps(&self) -> u64 {
        self.coded_apps
    }

    pub fn apps(&self) -> &Listing {
        &self.contents.rows.apps
    }

    #[inline]
    pub fn find(&self, slug: &str) -> Result<u32, ReadError> {
        let position = self.contents.rows.slugs.find(slug);
        position.ok_or_else(|| ReadError::UnknownSlug(slug.to_owned()))
    }

    pub fn slug(&self, position: u32) -> &str {
        self.contents.rows.slug(position)
    }

    /// The positions of apps, in slug order, whose slug, name, vendor, bundle identifier
    /// or another name contains the query, ignoring case.
    ///
    /// If more apps contain it than the limit allows, those come that [`Self::find_apps`] ranks best.
    pub fn search(&self, query: &str, limit: usize) -> Vec<u32> {
        let mut found = self.contents.search.find(query, usize::MAX);
        if found.len() <= limit {
            return found;
        }
        let contains = |position: u32| found.binary_search(&position).is_ok();
        let (named, ranked) = (self.find_named(query), Query::read(query));
        let (mut best, _) = self.contents.ranked.search(&ranked, named, contains, limit, 0);
        best.sort_unstable();
        // The ranking compares words, so it may know fewer of them.
        let is_other = |position: &u32| best.binary_search(position).is_err();
        let missing = limit.saturating_sub(best.len());
        let others: Vec<u32> = found.iter().copied().filter(is_other).take(missing).collect();
        found.clear();
        found.extend(best.into_iter().chain(others));
        found.sort_unstable();
        found
    }

    pub fn recent(&self) -> &[u32] {
        &self.contents.recent
    }

    /// The size of the catalog, as JSON.
    pub fn summary(&self) -> &Bytes {
        &self.contents.summary
    }

    /// The values that apps can be grouped by, as JSON.
    pub fn categories(&self) -> &Bytes {
        &self.contents.categories
    }

    /// The first slugs with a prefix, in order, and the number of all slugs with it.
    pub fn slugs_starting_with(&self, prefix: &str, limit: usize) -> (Vec<String>, usize) {
        self.contents.rows.slugs.starting_with(prefix, limit)
    }

    pub fn journal(&self) -> &Journal {
        &self.contents.journal
    }

    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.contents.patch.list_with(&journal);
        self.contents.journal = journal;
        self
    }

    pub fn read_app(&self, position: u32) -> Result<App, serde_json::Error> {
        serde_json::from_slice(self.contents.rows.apps.rows().row(position))
    }

    /// Cheaper than reading the whole app.
    pub fn app_name(&self, position: u32) -> Result<String, serde_json::Error> {
        #[derive(serde::Deserialize)]
        struct Named {
            name: String,
        }
        let row = self.contents.rows.apps.rows().row(position);
        serde_json::from_slice(row).map(|Named { name }| name)
    }

    pub fn source_detail(&self, position: u32) -> Result<AppSources, serde_json::Error> {
        serde_json::from_slice(self.contents.rows.sources.row(position))
    }

    pub fn read_provenance(&self, position: u32) -> Result<Provenance, serde_json::Error> {
        serde_json::from_slice(self.contents.rows.provenance.row(position))
    }

    pub fn sizes(&self) -> Sizes {
        self.contents.sizes()
    }

    #[inline]
    pub fn bodies(&self) -> &Arc<BodyCache> {
        &self.contents.bodies
    }

    /// Documents for browsers, by a hash of everything that they depend on. Whoever makes a document
    /// knows what that is.
    pub fn documents(&self) -> &DocumentCache {
        &self.contents.documents
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
            dispose(Retired(std::mem::take(&mut self.contents)));
        }
    }
}

impl SnapshotContents {
    fn sizes(&self) -> Sizes {
        let mut rows =
            vec![self.rows.apps.sizes(), self.rows.sources.sizes(), self.rows.provenance.sizes()];
        rows.extend(self.rows.drift.iter().map(DriftRows::sizes));
        let single = [&self.summary, &self.categories, &self.title_codes, &self.stats_body];
        Sizes {
            served: rows.iter().map(|(served, _)| served).sum::<usize>()
                + single.iter().map(|body| body.len()).sum::<usize>()
                + self.patch.summaries.sizes().0
                + self.journal.size(),
            indexes: rows.iter().map(|(_, indexes)| indexes).sum::<usize>()
                + self.rows.slugs.size()
                + self.search.size()
                + self.ranked.size()
                + self.aliases.size()
                + self.variants.size()
                + self.patch.size()
                + self.patch.summaries.sizes().1
                + size_of_val(&*self.rows.note_hashes),
        }
    }
}
