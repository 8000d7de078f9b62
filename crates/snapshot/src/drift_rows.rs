//! The drift of every app, for each choice of compared sources.

use appstitch_stitching::find_drift;
use appstitch_text::fold_case;
use appstitch_types::{DriftEntry, DriftScope, Source, SourceVersion};
use bytes::Bytes;
use hashbrown::HashMap;

use crate::{
    entry::Entry,
    listing::{Listing, ListingBuilder, RowValues},
};

#[derive(Default)]
pub(crate) struct DriftRows {
    pub(crate) entries: Listing,
    /// Maps an app's position to the position of its entry.
    of_app: HashMap<u32, u32>,
    pub(crate) scanned: ScannedCounts,
}

impl DriftRows {
    pub(crate) fn of(&self, position: u32) -> Option<Bytes> {
        self.of_app.get(&position).map(|entry| self.entries.rows().one(*entry))
    }

    /// The app of each entry, in the order of the entries.
    pub(crate) fn apps(&self) -> Vec<u32> {
        let mut apps = vec![0; self.entries.rows().len()];
        for (app, entry) in &self.of_app {
            if let Some(place) = apps.get_mut(*entry as usize) {
                *place = *app;
            }
        }
        apps
    }

    pub(crate) fn entry_of(&self, app: u32) -> Option<u32> {
        self.of_app.get(&app).copied()
    }

    /// The sizes of the rows and of the indexes, in bytes.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        let (rows, indexes) = self.entries.sizes();
        let tables = self.of_app.allocation_size() + self.scanned.by_vendor.allocation_size();
        (rows, indexes + tables)
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

    fn add(&mut self, vendor: Option<&str>) {
        self.total += 1;
        if let Some(vendor) = vendor {
            *self.by_vendor.entry_ref(vendor).or_insert(0) += 1;
        }
    }
}

pub(crate) struct DriftRowsBuilder {
    scope: DriftScope,
    entries: ListingBuilder,
    of_app: HashMap<u32, u32>,
    pub(crate) scanned: ScannedCounts,
}

impl DriftRowsBuilder {
    pub(crate) fn with_capacity(scope: DriftScope, rows: usize, bytes: usize) -> Self {
        Self {
            scope,
            entries: ListingBuilder::with_capacity(rows, bytes),
            of_app: HashMap::new(),
            scanned: ScannedCounts::default(),
        }
    }

    /// Adds an app; returns the bytes of its entry, if its sources disagree.
    pub(crate) fn push(
        &mut self,
        position: u32,
        entry: &impl Entry,
        folded_vendor: Option<&str>,
    ) -> Result<Option<&[u8]>, serde_json::Error> {
        let notes = entry.notes();
        // Without versions of further sources every scope compares the same ones.
        let versions = (self.scope != DriftScope::default() && !notes.versions.is_empty())
            .then(|| self.scope.of(&notes.versions).collect::<Vec<&SourceVersion>>());
        let is_scanned = versions.as_ref().map_or(notes.scanned, |versions| versions.len() >= 2);
        if is_scanned {
            self.scanned.add(folded_vendor);
        }
        let found: Option<DriftEntry>;
        let drift = match versions {
            None => entry.drift(),
            Some(versions) => {
                found = find_drift(entry.app(), versions);
                found.as_ref()
            }
        };
        let Some(drift) = drift else { return Ok(None) };
        let sources = drift.versions.iter();
        let sources = sources.filter_map(|stated| Source::from_token(&stated.source)).collect();
        let write = |buffer: &mut Vec<u8>| match entry.drift() {
            Some(default) if std::ptr::eq(default, drift) => entry.write_drift(buffer),
            _ => serde_json::to_writer(buffer, drift),
        };
        let (row, written) =
            self.entries.push(write, folded_vendor, sources, false, RowValues::default())?;
        self.of_app.insert(position, row);
        Ok(Some(written))
    }

    pub(crate) fn finish(self) -> DriftRows {
        let Self { entries, of_app, scanned, .. } = self;
        DriftRows { entries: entries.finish(), of_app, scanned }
    }
}
