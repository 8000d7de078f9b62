//! What can go wrong with a store.

use thiserror::Error;

/// Why a store could not be opened, read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The address names no engine we have.
    #[error("'{0}' is no store address: use sqlite:PATH")]
    Address(String),
    /// The store was written by a newer version of the program.
    #[error(
        "the store has schema {found} and this version knows schemas up to {known}: run the version that made it, or a newer one"
    )]
    TooNew {
        /// The schema of the store.
        found: i32,
        /// The newest schema this program knows.
        known: i32,
    },
    /// The file belongs to something else.
    #[error("{0} is a database of something else: give a file of its own")]
    Foreign(String),
    /// The file was deleted or replaced while it was open.
    #[error("the store's file is gone: {0}; restart on a file that is there")]
    Gone(String),
    /// Another writer changed the store since it was read.
    #[error("the store moved on from edition {expected} to {found}")]
    Moved {
        /// The edition the change was worked out from.
        expected: u64,
        /// The edition of the store.
        found: u64,
    },
    /// The schema could not be brought up to date.
    #[error("the store's schema could not be brought up to date: {0}")]
    Migration(#[from] refinery::Error),
    /// The engine failed.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A value in the store cannot be read back.
    #[error("the store holds an unreadable {what}: {value}")]
    Unreadable {
        /// The kind of value.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// The thread that worked on the store is gone.
    #[error("the store's worker stopped in the middle of its work")]
    WorkerGone,
}
