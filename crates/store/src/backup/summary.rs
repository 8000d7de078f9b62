//! What a backup contains, counted while it is written or read.

use std::collections::BTreeMap;

use super::{
    cell::{Cell, Row},
    hook_rows,
    table::{APP, HOOK, RECORD, REVISION, REVISION_TOKEN, Table},
};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BackupSummary {
    /// The version of the program that wrote it.
    pub program: String,
    /// The token of the newest revision; `None` if nothing was published.
    pub revision: Option<String>,
    pub rows: BTreeMap<&'static str, u64>,
    pub sealed_hooks: u64,
    /// The SHA-256 over everything in it, as hexadecimal digits. Stores with the same contents have
    /// the same one, unless secrets are sealed.
    pub sha256: String,
}

impl BackupSummary {
    #[must_use]
    pub fn apps(&self) -> u64 {
        self.rows.get(APP).copied().unwrap_or_default()
    }

    #[must_use]
    pub fn manual_records(&self) -> u64 {
        self.rows.get(RECORD).copied().unwrap_or_default()
    }

    #[must_use]
    pub fn hooks(&self) -> u64 {
        self.rows.get(HOOK).copied().unwrap_or_default()
    }

    /// Counts a row as it is in the file.
    pub(super) fn count(&mut self, table: &Table, row: &Row) {
        *self.rows.entry(table.name).or_default() += 1;
        match (table.name, row.get(REVISION_TOKEN)) {
            (REVISION, Some(Cell::Text(token))) => self.revision = Some(token.clone()),
            (HOOK, _) => self.sealed_hooks += u64::from(hook_rows::is_sealed(row)),
            _ => {}
        }
    }
}
