//! Migrates the schema of a SQLite store.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior};

use crate::{
    error::StoreError,
    fail_point::FailPoint,
    schema::{self, SQLITE},
};

/// The table with the applied migrations. Its name and its last column are those of the library that
/// earlier versions used.
const HISTORY: &str =
    "CREATE TABLE IF NOT EXISTS refinery_schema_history (version INT4 PRIMARY KEY,
    name VARCHAR(255), applied_on VARCHAR(255), checksum VARCHAR(255))";

/// How long to wait for another process to finish writing.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait for another process that migrates the same file. Copying a large table takes time.
pub(super) const MIGRATION_TIMEOUT: Duration = Duration::from_mins(2);

/// Brings a file to the newest schema, in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    connection.busy_timeout(MIGRATION_TIMEOUT)?;
    // Immediate takes the write lock before the history is read, so that only one process migrates.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(HISTORY)?;
    let found = newest(&transaction)?.unwrap_or_default();
    schema::reject_newer(found, SQLITE)?;
    for migration in schema::after(found, SQLITE) {
        for statement in migration.statements() {
            FailPoint::Migrate.reach()?;
            transaction.execute_batch(statement)?;
        }
        transaction.execute(
            "INSERT INTO refinery_schema_history (version, name, applied_on) VALUES (?1, ?2, ?3)",
            (migration.version, migration.name, Timestamp::now().to_string()),
        )?;
    }
    FailPoint::Migrate.reach()?;
    transaction.commit()?;
    connection.busy_timeout(TIMEOUT)?;
    Ok(())
}

/// The version of the last migration.
pub(super) fn newest(connection: &Connection) -> Result<Option<i32>, StoreError> {
    let newest = "SELECT max(version) FROM refinery_schema_history";
    Ok(connection.query_row(newest, [], |row| row.get(0))?)
}
