//! The large part of a snapshot, kept together so that another thread can free it.

use std::sync::Arc;

use appstitch_catalog::fold_case;
use bytes::Bytes;
use hashbrown::HashMap;

use crate::{KeptBodies, Sizes, app_rows::AppRows, search::SearchIndex};

/// Everything in a snapshot except its revision and statistics.
#[derive(Default)]
pub(crate) struct SnapshotContents {
    pub(crate) rows: AppRows,
    pub(crate) scanned: ScannedCounts,
    pub(crate) search: SearchIndex,
    /// The positions of the newest apps, newest first.
    pub(crate) recent: Box<[u32]>,
    pub(crate) summary: Bytes,
    pub(crate) categories: Bytes,
    pub(crate) title_codes: Bytes,
    pub(crate) stats_body: Bytes,
    pub(crate) kept: Arc<KeptBodies>,
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
        let rows = [
            self.rows.apps.sizes(),
            self.rows.sources.sizes(),
            self.rows.provenance.sizes(),
            self.rows.drift.sizes(),
        ];
        let single = [&self.summary, &self.categories, &self.title_codes, &self.stats_body];
        Sizes {
            served: rows.iter().map(|(served, _)| served).sum::<usize>()
                + single.iter().map(|body| body.len()).sum::<usize>(),
            indexes: rows.iter().map(|(_, indexes)| indexes).sum::<usize>()
                + self.rows.slugs.size()
                + self.search.size()
                + self.rows.drift_of_app.allocation_size()
                + self.scanned.by_vendor.allocation_size(),
        }
    }
}

/// The number of apps with at least two versioned sources, in total and by folded vendor name.
#[derive(Default)]
pub(crate) struct ScannedCounts {
    pub(crate) total: u64,
    pub(crate) by_vendor: HashMap<String, u64>,
}

impl ScannedCounts {
    pub(crate) fn count(&self, vendor: Option<&str>) -> u64 {
        match vendor {
            None => self.total,
            Some(vendor) => {
                self.by_vendor.get(fold_case(vendor).as_str()).copied().unwrap_or_default()
            }
        }
    }
}
