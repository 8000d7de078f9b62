//! The two forms of the text: a backup of everything, and a copy of what is served.

use super::table::{
    APP, CHANGE, DRIFT_EVENT, JOURNAL, NEWEST_APP, PATCH_TITLE, REVISION, SERVED, SERVED_BY,
    TABLES, Table,
};

/// The rules of a served catalog that another store made. They are those of no build, so that nobody
/// takes the catalog for one that could be stitched again from this store.
pub const COPY_RULES: &str = "copy";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Everything that a store holds.
    Backup,
    /// What is served, and what has changed in it: no documents, manual records or webhooks, and nothing
    /// that moves without the revision.
    Copy,
}

impl Form {
    pub(crate) const fn format(self) -> &'static str {
        match self {
            Self::Backup => "appstitch backup",
            Self::Copy => "appstitch copy",
        }
    }

    pub(crate) fn tables(self) -> impl Iterator<Item = &'static Table> {
        TABLES.iter().filter(move |table| self.has(table.name))
    }

    fn has(self, table: &str) -> bool {
        const COPIED: [&str; 9] = [
            APP, NEWEST_APP, REVISION, SERVED, SERVED_BY, JOURNAL, CHANGE, DRIFT_EVENT, PATCH_TITLE,
        ];
        self == Self::Backup || COPIED.contains(&table)
    }
}
