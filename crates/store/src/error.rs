//! The errors of a store.

use rusqlite::ErrorCode;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum StoreError {
    #[error("'{0}' is not a store address; use sqlite:PATH or postgres://…")]
    Address(String),
    /// The URL of a PostgreSQL database is invalid. The reason never contains a password.
    #[error("invalid PostgreSQL URL: {0}")]
    PostgresAddress(String),
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    #[error("the database contains no store")]
    NoStore,
    #[error(
        "the schema '{0}' has tables of another program; use a separate database or schema for the store"
    )]
    ForeignSchema(String),
    #[error(
        "there is no schema for the store; create the one in the search path, or grant the user its use"
    )]
    NoSchema,
    #[error("the database has the encoding {0}; create one with ENCODING 'UTF8'")]
    Encoding(String),
    /// The database cannot be reached or does not answer now. Nothing was written. The same may
    /// succeed later.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The connection broke during a commit, and the database could not be asked whether it was made.
    #[error("the connection broke during the commit; it is unknown whether the change was written")]
    Uncertain,
    #[error("{0}")]
    Postgres(String),
    #[error(
        "the store has schema {found}, but this version supports schemas up to {known}; use the version that wrote the store, or a newer one"
    )]
    TooNew { found: i32, known: i32 },
    /// The store was written by an older version, and this operation does not migrate it.
    #[error(
        "the store has schema {found}, but this version uses schema {known}; start `appstitch serve` once to migrate it, or use the version that wrote it"
    )]
    TooOld { found: i32, known: i32 },
    #[error("the store is not empty")]
    NotEmpty,
    #[error("the store has a catalog of its own; a copy of another one needs a store of its own")]
    OwnCatalog,
    /// What was to be written ended too early. Nothing was written.
    #[error("the data ended too early")]
    Interrupted,
    #[error("{0} is a database of another program; use a separate file for the store")]
    Foreign(String),
    #[error(
        "the store's file is empty; restore it from a copy, or delete it to start with a new store"
    )]
    Empty,
    #[error(
        "the store's file is missing, but its write-ahead log {0} exists; restore the file, or delete the log to start with a new store"
    )]
    LogOnly(String),
    #[error(
        "the store's file is damaged: {0}; restore it from a copy, or delete it with its -wal and -shm files to start with a new store"
    )]
    Damaged(rusqlite::Error),
    #[error(
        "the store's file is damaged: it has {found} of {expected} bytes; restore it from a copy, or delete it to start with a new store"
    )]
    Truncated { found: u64, expected: u64 },
    #[error("cannot create {path}: {error}")]
    Create { path: String, error: std::io::Error },
    #[error("the store's file was deleted or replaced: {0}; restart with an existing file")]
    Gone(String),
    #[error("another writer changed the store")]
    Moved,
    #[error("cannot get random numbers: {0}")]
    Random(String),
    #[error("{0}")]
    Sqlite(rusqlite::Error),
    #[error("the store contains an invalid {what}: {value}")]
    Unreadable { what: &'static str, value: String },
    /// The thread that worked on the store panicked or was canceled.
    #[error("the store's worker thread stopped unexpectedly")]
    WorkerGone,
}

impl StoreError {
    /// Whether a retry may succeed, because the store is busy or cannot be reached now.
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
