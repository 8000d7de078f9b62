//! Opens a SQLite store and migrates its schema.

use std::{path::Path, time::Duration};

use refinery::embed_migrations;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::StoreError;

embed_migrations!("migrations");

/// How long to wait for another process to finish writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens the file for reading and writing, creates it if it does not exist, and migrates it.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    // Checks come before the first write, so that a rejected file is not changed.
    let schema = Schema::of(&connection)?;
    schema.refuse_foreign(path)?;
    schema.refuse_newer()?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // FULL, so that a published revision survives a power failure, not only a crash.
    connection.pragma_update(None, "synchronous", "FULL")?;
    migrations::runner().run(&mut connection)?;
    Ok(connection)
}

/// Opens an existing file read-only. Nothing is created or migrated.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let mut schema = Schema::of(&connection);
    // Sharing the file with a writer requires write access to its folder. Without a writer, the
    // file does not change and can be opened as immutable.
    if schema.is_err() && !has_write_log(path) {
        let flags = flags | OpenFlags::SQLITE_OPEN_URI;
        let still = format!("file:{}?immutable=1", as_uri_path(path));
        connection = Connection::open_with_flags(still, flags)?;
        schema = Schema::of(&connection);
    }
    let schema = schema?;
    schema.refuse_foreign(path)?;
    schema.refuse_newer()?;
    Ok(connection)
}

/// Whether the write-ahead log contains data that may not be in the file yet.
fn has_write_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// A path, escaped for a SQLite URI.
fn as_uri_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// The kind of tables in a file.
enum Schema {
    /// No tables.
    Empty,
    /// Tables of another program.
    Foreign,
    /// Our tables, with the version of the last migration.
    Ours(i32),
}

impl Schema {
    fn of(connection: &Connection) -> Result<Self, StoreError> {
        let tables: i64 = connection.query_row(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table'",
            [],
            |row| row.get(0),
        )?;
        if tables == 0 {
            return Ok(Self::Empty);
        }
        let history = connection
            .query_row(
                "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'refinery_schema_history'",
                [],
                |_| Ok(()),
            )
            .optional()?;
        if history.is_none() {
            return Ok(Self::Foreign);
        }
        let newest: Option<i32> = connection.query_row(
            "SELECT max(version) FROM refinery_schema_history",
            [],
            |row| row.get(0),
        )?;
        Ok(Self::Ours(newest.unwrap_or_default()))
    }

    fn refuse_foreign(&self, path: &Path) -> Result<(), StoreError> {
        match self {
            Self::Foreign => Err(StoreError::Foreign(path.display().to_string())),
            _ => Ok(()),
        }
    }

    fn refuse_newer(&self) -> Result<(), StoreError> {
        let newest =
            migrations::runner().get_migrations().iter().map(refinery::Migration::version).max();
        let known = newest.unwrap_or_default();
        match *self {
            Self::Ours(found) if found > known => Err(StoreError::TooNew { found, known }),
            _ => Ok(()),
        }
    }
}
