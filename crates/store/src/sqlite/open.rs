//! Opens a SQLite store and migrates its schema.

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use super::{
    create,
    migrate::{MIGRATION_TIMEOUT, TIMEOUT, migrate, newest},
};
use crate::{
    error::StoreError,
    schema::{self, SQLITE},
};

/// Opens the file for reading and writing, creates it if it does not exist, and migrates it.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    create::clean_up(path);
    if is_missing(path) {
        reject_log_only(path)?;
        create::create(path, migrate)?;
    }
    // Checks come before the first write, so that a rejected file is not changed.
    reject_no_bytes(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(TIMEOUT)?;
    let schema = Schema::of(&connection)?;
    schema.check(path)?;
    reject_truncated(&connection, path)?;
    use_write_log(&connection)?;
    // FULL, so that a published revision survives a power failure, not only a crash.
    connection.pragma_update(None, "synchronous", "FULL")?;
    if !schema.is_newest() {
        migrate(&mut connection)?;
    }
    Ok(connection)
}

/// Switches to the write-ahead log. SQLite does not wait here if another process does the same or
/// migrates the file.
fn use_write_log(connection: &Connection) -> Result<(), StoreError> {
    let deadline = Instant::now() + MIGRATION_TIMEOUT;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                thread::sleep(Duration::from_millis(10));
            }
            switched => return Ok(switched?),
        }
    }
}

/// Creates a file with what `prepare` writes into a new store. If there is one, nothing is changed.
/// Returns whether it was created.
pub(super) fn create_with(
    path: &Path,
    prepare: impl FnOnce(&mut Connection) -> Result<(), StoreError>,
) -> Result<bool, StoreError> {
    create::clean_up(path);
    if !is_missing(path) {
        return Ok(false);
    }
    reject_log_only(path)?;
    create::create(path, |connection| {
        migrate(connection)?;
        prepare(connection)
    })
}

/// Opens an existing file read-only. Nothing is created or migrated.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    if is_missing(path) {
        reject_log_only(path)?;
    }
    reject_no_bytes(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(TIMEOUT)?;
    let mut schema = Schema::of(&connection);
    // Sharing the file with a writer requires write access to its folder. Without a writer, the
    // file does not change and can be opened as immutable.
    if schema.is_err() && !has_write_log(path) {
        let flags = flags | OpenFlags::SQLITE_OPEN_URI;
        let still = format!("file:{}?immutable=1", as_uri_path(path));
        connection = Connection::open_with_flags(still, flags)?;
        schema = Schema::of(&connection);
    }
    schema?.check(path)?;
    reject_truncated(&connection, path)?;
    Ok(connection)
}

/// Rejects a store that a newer version has migrated. Reading this in the transaction of a write is
/// final: a migration is a write, too.
pub(super) fn reject_newer(connection: &Connection) -> Result<(), StoreError> {
    let found = newest(connection)?.unwrap_or_default();
    schema::reject_newer(found, SQLITE)
}

pub(super) fn reject_older(connection: &Connection) -> Result<(), StoreError> {
    match Schema::of(connection)? {
        Schema::Ours(found) => schema::reject_older(found, SQLITE),
        Schema::Empty | Schema::Foreign => Ok(()),
    }
}

/// Whether nothing is at a path. A path that cannot be examined counts as present: opening it tells
/// why.
fn is_missing(path: &Path) -> bool {
    matches!(path.try_exists(), Ok(false))
}

/// Rejects a file without any bytes. SQLite would take it for a new database, and would delete a
/// write-ahead log beside it.
fn reject_no_bytes(path: &Path) -> Result<(), StoreError> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() == 0 => Err(StoreError::Empty),
        _ => Ok(()),
    }
}

/// Rejects a file whose last page is not whole. SQLite itself only notices missing pages. While there
/// is a write-ahead log, another process may be about to write the rest.
fn reject_truncated(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    if has_write_log(path) {
        return Ok(());
    }
    let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let expected: i64 = connection.query_row(size, [], |row| row.get(0))?;
    let expected = u64::try_from(expected).unwrap_or_default();
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() < expected && !has_write_log(path) => {
            Err(StoreError::Truncated { found: metadata.len(), expected })
        }
        _ => Ok(()),
    }
}

/// Rejects a write-ahead log without its file. A new file would make the log useless, or would be
/// damaged by it.
fn reject_log_only(path: &Path) -> Result<(), StoreError> {
    if has_write_log(path) {
        return Err(StoreError::LogOnly(write_log(path).display().to_string()));
    }
    Ok(())
}

/// Whether the write-ahead log contains data that may not be in the file yet.
fn has_write_log(path: &Path) -> bool {
    std::fs::metadata(write_log(path)).is_ok_and(|log| log.len() > 0)
}

fn write_log(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

fn as_uri_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// The kind of tables in a file.
enum Schema {
    /// No tables, or no migration was ever applied.
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
        Ok(newest(connection)?.map_or(Self::Empty, Self::Ours))
    }

    /// Rejects a file that is not a store of this version or an older one.
    fn check(&self, path: &Path) -> Result<(), StoreError> {
        match self {
            Self::Empty => Err(StoreError::Empty),
            Self::Foreign => Err(StoreError::Foreign(path.display().to_string())),
            Self::Ours(found) => schema::reject_newer(*found, SQLITE),
        }
    }

    /// Whether there is nothing to migrate.
    fn is_newest(&self) -> bool {
        matches!(self, Self::Ours(found) if *found == schema::known(SQLITE))
    }
}
