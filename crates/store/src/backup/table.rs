//! The tables of a backup and their columns. They are those of both engines; only the few that differ
//! are translated by the engine.
//!
//! A later version of the program may add tables and columns. It has to read backups without them: a
//! column that is missing in a file is NULL, so it has to be optional here or get its value where rows
//! are read. A change that an older program must not overlook needs another format number.

use jiff::Timestamp;

use super::cell::Cell;
use crate::error::StoreError;

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [Column],
    /// What its rows are ordered by, so that the same store gives the same bytes.
    pub(crate) order: &'static str,
    pub(crate) key: Key,
}

/// What identifies a row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// The first columns, by which the rows are ordered.
    First(usize),
    /// There is one row at most.
    OnlyRow,
    /// Rows may be alike.
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_optional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A time as a text.
    Time,
    Bytes,
    /// A number that is not negative.
    Count,
    /// A number that is not negative and not large, such as a status.
    Small,
    /// A time in milliseconds since 1970.
    Moment,
    Flag,
}

/// The largest count. It leaves room for counting on, and every program can read it.
const MOST_COUNT: i64 = (1 << 53) - 1;

const MOST_SMALL: i64 = u16::MAX as i64;

const fn column(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, is_optional: false }
}

const fn optional(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, is_optional: true }
}

const fn text(name: &'static str) -> Column {
    column(name, Kind::Text)
}

const fn count(name: &'static str) -> Column {
    column(name, Kind::Count)
}

pub(crate) const REVISION: &str = "revision";
pub(crate) const REVISION_TOKEN: usize = 1;
pub(crate) const APP: &str = "app";
pub(crate) const RECORD: &str = "record";
/// The only row is the last insertion number of an app. Each engine keeps it elsewhere.
pub(crate) const NEWEST_APP: &str = "newest_app";
/// The table with the head of the journal, which every store has: one row.
pub(crate) const JOURNAL: &str = "journal";
pub(crate) const CHANGE: &str = "change";
pub(crate) const DRIFT_EVENT: &str = "drift_event";
pub(crate) const PATCH_TITLE: &str = "patch_title";
pub(crate) const HOOK: &str = "hook";

pub(crate) const SERVED: &str = "served";
pub(crate) const SERVED_BY: &str = "served_by";

/// Tables that backups of earlier versions do not have.
pub(crate) const LATER: &[&str] = &[PATCH_TITLE];

/// Every table, in the order of a backup. What refers to another table comes after it.
pub(crate) static TABLES: &[Table] = &[
    Table {
        name: "document",
        columns: &[text("source"), text("key"), text("origin"), column("body", Kind::Bytes)],
        order: "source, key, origin",
        key: Key::First(3),
    },
    Table {
        name: RECORD,
        columns: &[text("slug"), text("body"), column("is_sample", Kind::Flag)],
        order: "slug",
        key: Key::First(1),
    },
    Table {
        name: APP,
        columns: &[count("number"), text("slug")],
        order: "number",
        key: Key::First(1),
    },
    Table { name: NEWEST_APP, columns: &[count("number")], order: "number", key: Key::OnlyRow },
    Table {
        name: "fetched",
        columns: &[
            text("source"),
            text("address"),
            optional("etag", Kind::Text),
            optional("last_modified", Kind::Text),
            text("reader"),
        ],
        order: "source, address",
        key: Key::First(2),
    },
    Table {
        name: "source_state",
        columns: &[
            text("source"),
            column("received_at", Kind::Time),
            optional("changed_at", Kind::Time),
            optional("rejected", Kind::Count),
        ],
        order: "source",
        key: Key::First(1),
    },
    Table {
        name: REVISION,
        columns: &[
            count("number"),
            text("token"),
            column("changed_at", Kind::Time),
            text("content_hash"),
            count("total_apps"),
            count("label_tool"),
            count("cask_catalog"),
            count("recipe_index"),
            count("mdm_installer"),
            optional("newest_change", Kind::Count),
        ],
        order: "number",
        key: Key::First(1),
    },
    Table {
        name: SERVED,
        columns: &[
            text("slug"),
            column("app", Kind::Bytes),
            column("sources", Kind::Bytes),
            column("provenance", Kind::Bytes),
            optional("drift", Kind::Bytes),
            column("notes", Kind::Bytes),
        ],
        order: "slug",
        key: Key::First(1),
    },
    Table {
        name: SERVED_BY,
        columns: &[text("rules"), text("content_hash")],
        order: "rules",
        key: Key::OnlyRow,
    },
    Table {
        name: JOURNAL,
        columns: &[
            text("epoch"),
            count("newest"),
            count("floor"),
            optional("floor_at", Kind::Time),
        ],
        order: "epoch",
        key: Key::OnlyRow,
    },
    Table {
        name: CHANGE,
        columns: &[
            count("seq"),
            count("revision"),
            text("slug"),
            text("kind"),
            optional("vendor", Kind::Text),
            text("fields"),
        ],
        order: "seq",
        key: Key::First(1),
    },
    Table {
        name: DRIFT_EVENT,
        columns: &[count("seq"), count("revision"), text("body")],
        order: "seq",
        key: Key::First(1),
    },
    Table {
        name: PATCH_TITLE,
        columns: &[text("slug"), text("body")],
        order: "slug",
        key: Key::First(1),
    },
    Table {
        name: "label_run",
        columns: &[
            text("file"),
            text("fragment"),
            column("run_at", Kind::Moment),
            text("outcome"),
            optional("why", Kind::Text),
        ],
        order: "file",
        key: Key::First(1),
    },
    Table {
        name: "answer",
        columns: &[
            text("key"),
            text("address"),
            optional("etag", Kind::Text),
            optional("last_modified", Kind::Text),
            column("status", Kind::Small),
            column("fetched_at", Kind::Moment),
            column("used_at", Kind::Moment),
            count("size"),
            text("headers"),
            column("body", Kind::Bytes),
        ],
        order: "key",
        key: Key::First(1),
    },
    Table {
        name: HOOK,
        columns: &[
            text("id"),
            // In a backup, only the part that is not secret.
            text("url"),
            // In a backup, everything that is secret, sealed; NULL if it is left out.
            optional("secret", Kind::Text),
            // In a backup, always NULL.
            optional("previous_secret", Kind::Text),
            optional("previous_until", Kind::Moment),
            text("filter"),
            text("format"),
            optional("disabled", Kind::Text),
            text("cursor_epoch"),
            count("cursor_seq"),
            optional("pending_epoch", Kind::Text),
            optional("pending_seq", Kind::Count),
            optional("replay_at", Kind::Moment),
            column("attempts", Kind::Small),
            optional("failing_since", Kind::Moment),
            optional("next_attempt", Kind::Moment),
            count("generation"),
            column("created_at", Kind::Moment),
        ],
        order: "id",
        key: Key::First(1),
    },
    Table {
        name: "hook_delivery",
        columns: &[
            text("hook"),
            column("at", Kind::Moment),
            text("message"),
            text("kind"),
            count("changes"),
            optional("status", Kind::Small),
            count("elapsed_ms"),
            optional("error", Kind::Text),
        ],
        order: "hook, number",
        key: Key::Nothing,
    },
];

impl Table {
    /// The names of the columns, for a statement.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        names.join(", ")
    }

    /// Rejects a stored value that could not be restored: it must not be in a backup.
    pub(crate) fn checked(&self, column: &Column, cell: Cell) -> Result<Cell, StoreError> {
        let invalid = |why| StoreError::Unreadable {
            what: "value",
            value: format!("{}.{}: {why}", self.name, column.name),
        };
        column.check(&cell).map_err(invalid)?;
        Ok(cell)
    }
}

impl Column {
    /// Whether a value fits into the column. The reason says what is expected.
    pub(crate) fn check(&self, cell: &Cell) -> Result<(), &'static str> {
        let is_fit = match (self.kind, cell) {
            (_, Cell::Null) => self.is_optional,
            (Kind::Text, Cell::Text(_))
            | (Kind::Bytes, Cell::Bytes(_))
            | (Kind::Flag, Cell::Flag(_))
            | (Kind::Count, Cell::Number(0..=MOST_COUNT))
            | (Kind::Small, Cell::Number(0..=MOST_SMALL)) => true,
            (Kind::Time, Cell::Text(text)) => text.parse::<Timestamp>().is_ok(),
            (Kind::Moment, Cell::Number(moment)) => Timestamp::from_millisecond(*moment).is_ok(),
            _ => false,
        };
        if is_fit {
            return Ok(());
        }
        Err(match self.kind {
            Kind::Text => "expected a text",
            Kind::Time => "expected a time",
            Kind::Bytes => "expected bytes",
            Kind::Count | Kind::Small => {
                "expected a number that is not negative, and not too large"
            }
            Kind::Moment => "expected a time in milliseconds",
            Kind::Flag => "expected true or false",
        })
    }
}
