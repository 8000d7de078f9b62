//! Opening a SQLite store and bringing its schema up to date.

use std::{path::Path, time::Duration};

use refinery::embed_migrations;
use rusqlite::{Connection, OptionalExtension};

use crate::StoreError;

embed_migrations!("migrations");

pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    refuse_newer(&connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A published revision survives a power cut, not only a crash of the process.
    connection.pragma_update(None, "synchronous", "FULL")?;
    migrations::runner().run(&mut connection)?;
    Ok(connection)
}

/// Looks before anything is written, so that a newer store stays as it is.
fn refuse_newer(connection: &Connection) -> Result<(), StoreError> {
    let managed = connection
        .query_row(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'refinery_schema_history'",
            [],
            |_| Ok(()),
        )
        .optional()?;
    if managed.is_none() {
        return Ok(());
    }
    let found: Option<i32> =
        connection
            .query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0))?;
    let known = migrations::runner()
        .get_migrations()
        .iter()
        .map(refinery::Migration::version)
        .max()
        .unwrap_or_default();
    match found {
        Some(found) if found > known => Err(StoreError::TooNew { found, known }),
        _ => Ok(()),
    }
}
