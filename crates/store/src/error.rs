//! The errors of a store.

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why a store could not be opened, read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The address is not that of a supported engine.
    #[error("'{0}' is not a store address; use sqlite:PATH or postgres://…")]
    Address(String),
    /// The URL of a PostgreSQL database is invalid. The reason never contains a password.
    #[error("invalid PostgreSQL URL: {0}")]
    PostgresAddress(String),
    /// The files or settings for encrypted connections are unusable.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    /// The database contains no store.
    #[error("the database contains no store")]
    NoStore,
    /// The schema has tables of another program.
    #[error(
        "the schema '{0}' has tables of another program; use a separate database or schema for the store"
    )]
    ForeignSchema(String),
    /// The schema that the URL names does not exist, or the user may not use it.
    #[error(
        "there is no schema for the store; create the one in the search path, or grant the user its use"
    )]
    NoSchema,
    /// The database cannot hold every text.
    #[error("the database has the encoding {0}; create one with ENCODING 'UTF8'")]
    Encoding(String),
    /// The database cannot be reached or does not answer now. Nothing was written. The same may
    /// succeed later.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The connection broke during a commit, and the database could not be asked whether it was made.
    #[error("the connection broke during the commit; it is unknown whether the change was written")]
    Uncertain,
    /// PostgreSQL returned an error.
    #[error("{0}")]
    Postgres(String),
    /// The store was written by a newer version of the program.
    #[error(
        "the store has schema {found}, but this version supports schemas up to {known}; use the version that wrote the store, or a newer one"
    )]
    TooNew {
        /// The schema of the store.
        found: i32,
        /// The newest schema that this program supports.
        known: i32,
    },
    /// The store was written by an older version, and this operation does not migrate it.
    #[error(
        "the store has schema {found}, but this version uses schema {known}; start `appstitch serve` once to migrate it, or use the version that wrote it"
    )]
    TooOld {
        /// The schema of the store.
        found: i32,
        /// The schema of this program.
        known: i32,
    },
    /// The store has contents that would be lost.
    #[error("the store is not empty")]
    NotEmpty,
    /// What was to be written ended too early. Nothing was written.
    #[error("the data ended too early")]
    Interrupted,
    /// The file is a database of another program.
    #[error("{0} is a database of another program; use a separate file for the store")]
    Foreign(String),
    /// The file exists but has no tables.
    #[error(
        "the store's file is empty; restore it from a copy, or delete it to start with a new store"
    )]
    Empty,
    /// The file is missing, but its write-ahead log is there.
    #[error(
        "the store's file is missing, but its write-ahead log {0} exists; restore the file, or delete the log to start with a new store"
    )]
    LogOnly(String),
    /// The file is damaged, truncated or not a database.
    #[error(
        "the store's file is damaged: {0}; restore it from a copy, or delete it with its -wal and -shm files to start with a new store"
    )]
    Damaged(rusqlite::Error),
    /// The end of the file is missing.
    #[error(
        "the store's file is damaged: it has {found} of {expected} bytes; restore it from a copy, or delete it to start with a new store"
    )]
    Truncated {
        /// The size of the file.
        found: u64,
        /// The size of the whole file.
        expected: u64,
    },
    /// The file cannot be created.
    #[error("cannot create {path}: {error}")]
    Create {
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The file was deleted or replaced while it was open.
    #[error("the store's file was deleted or replaced: {0}; restart with an existing file")]
    Gone(String),
    /// Another writer changed the store since it was read.
    #[error("another writer changed the store")]
    Moved,
    /// The operating system has no random numbers.
    #[error("cannot get random numbers: {0}")]
    Random(String),
    /// SQLite returned an error.
    #[error("{0}")]
    Sqlite(rusqlite::Error),
    /// A value in the store is invalid.
    #[error("the store contains an invalid {what}: {value}")]
    Unreadable {
        /// The kind of value.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// The thread that worked on the store panicked or was canceled.
    #[error("the store's worker thread stopped unexpectedly")]
    WorkerGone,
}

impl StoreError {
    /// Whether the same may succeed later without anybody's help, because the store is busy or cannot
    /// be reached now.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::Uncertain | Self::Moved => true,
            Self::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
            ),
            _ => false,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error),
            _ => Self::Sqlite(error),
        }
    }
}
