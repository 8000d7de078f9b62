//! How a row's version stands to those of its candidates.

use super::{
    index::InstalledIndex,
    installed_version::{InstalledVersion, Relation},
    row::Row,
};

/// The comparisons of one row, each made once: several steps ask for the same one, and comparing
/// versions is most of the work of a check.
pub(super) struct Relations<'i, 'r, 'a> {
    index: &'i InstalledIndex,
    version: &'r InstalledVersion<'a>,
    /// Usually there is only one.
    first: Option<Known<'i>>,
    others: Vec<Known<'i>>,
}

/// The relation to the app at a position, and the version that decided.
type Known<'i> = (u32, (Relation, &'i str));

impl<'i, 'r, 'a> Relations<'i, 'r, 'a> {
    pub(super) fn of(index: &'i InstalledIndex, row: &'r Row<'a>) -> Self {
        Self { index, version: &row.version, first: None, others: Vec::new() }
    }

    /// Also returns the version that decided.
    pub(super) fn with(&mut self, position: u32) -> (Relation, &'i str) {
        let mut all = self.first.iter().chain(&self.others);
        if let Some((_, relation)) = all.find(|(known, _)| *known == position) {
            return *relation;
        }
        let relation = self.version.against(&self.index.app(position).references);
        match self.first {
            None => self.first = Some((position, relation)),
            Some(_) => self.others.push((position, relation)),
        }
        relation
    }
}
