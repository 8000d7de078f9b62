//! The large part of a snapshot, kept together so that another thread can free it.

use std::sync::{Arc, OnceLock};

use appstitch_catalog::{DriftScope, inventory::InstalledIndex};
use bytes::Bytes;

use crate::{
    Journal, KeptBodies, Sizes,
    aliases::AliasIndex,
    app_rows::AppRows,
    drift_rows::DriftRows,
    drift_table::DriftTable,
    feeds::{Archives, KeptFeeds},
    kept_documents::KeptDocuments,
    kept_labels::KeptLabels,
    ranked::RankedIndex,
    search::SearchIndex,
    variants::VariantIndex,
    vendors::Vendors,
};

/// Everything in a snapshot except its revision and statistics.
#[derive(Default)]
pub(crate) struct SnapshotContents {
    pub(crate) rows: AppRows,
    pub(crate) search: SearchIndex,
    pub(crate) ranked: RankedIndex,
    pub(crate) aliases: AliasIndex,
    pub(crate) variants: VariantIndex,
    /// The positions of the newest apps, newest first.
    pub(crate) recent: Box<[u32]>,
    pub(crate) summary: Bytes,
    pub(crate) categories: Bytes,
    pub(crate) title_codes: Bytes,
    pub(crate) stats_body: Bytes,
    pub(crate) kept: Arc<KeptBodies>,
    pub(crate) labels: KeptLabels,
    /// Built when it is first needed.
    pub(crate) installed: OnceLock<InstalledIndex>,
    pub(crate) feeds: KeptFeeds,
    pub(crate) documents: KeptDocuments,
    /// Made when they are first needed, like the following.
    pub(crate) vendors: OnceLock<Vendors>,
    /// In the order of [`DriftScope::ALL`].
    pub(crate) drift_tables: [OnceLock<DriftTable>; DriftScope::ALL.len()],
    /// Of new versions, and of every change.
    pub(crate) archives: [OnceLock<Archives>; 2],
    pub(crate) journal: Journal,
}

/// A function that frees the memory of a snapshot.
pub(crate) type Disposal = Box<dyn Fn(Retired) + Send + Sync>;

/// The memory of a snapshot that is no longer in use; dropping it frees the memory.
pub struct Retired(#[expect(dead_code, reason = "held to be dropped")] SnapshotContents);

impl Retired {
    pub(crate) fn new(contents: SnapshotContents) -> Self {
        Self(contents)
    }
}

impl SnapshotContents {
    pub(crate) fn sizes(&self) -> Sizes {
        let mut rows =
            vec![self.rows.apps.sizes(), self.rows.sources.sizes(), self.rows.provenance.sizes()];
        rows.extend(self.rows.drift.iter().map(DriftRows::sizes));
        let single = [&self.summary, &self.categories, &self.title_codes, &self.stats_body];
        Sizes {
            served: rows.iter().map(|(served, _)| served).sum::<usize>()
                + single.iter().map(|body| body.len()).sum::<usize>()
                + self.journal.size(),
            indexes: rows.iter().map(|(_, indexes)| indexes).sum::<usize>()
                + self.rows.slugs.size()
                + self.search.size()
                + self.ranked.size()
                + self.aliases.size()
                + self.variants.size()
                + size_of_val(&*self.rows.note_hashes),
        }
    }
}
