//! How a row's version stands to those of its candidates.

use std::collections::HashMap;

use super::{
    index::InstalledIndex,
    installed_version::{InstalledVersion, Relation},
    row::Row,
};

/// The comparisons of one row, each made once: several steps ask for the same one, and comparing
/// versions is most of the work of a check.
pub(super) struct Relations<'a> {
    index: &'a InstalledIndex,
    version: InstalledVersion<'a>,
    known: HashMap<u32, (Relation, &'a str)>,
}

impl<'a> Relations<'a> {
    pub(super) fn of(index: &'a InstalledIndex, row: &Row<'a>) -> Self {
        Self { index, version: row.version, known: HashMap::new() }
    }

    /// Compares with the versions of an app. Also gives the version that decided.
    pub(super) fn with(&mut self, position: u32) -> (Relation, &'a str) {
        let (index, version) = (self.index, self.version);
        *self
            .known
            .entry(position)
            .or_insert_with(|| version.against(&index.app(position).references))
    }
}
