//! The last run of each label.

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior, params};

use super::columns::{each, has_column};
use crate::{error::StoreError, label_run::StoredLabelRun, rows};

pub(super) fn all(connection: &Connection) -> Result<Vec<StoredLabelRun>, StoreError> {
    if !has_column(connection, "label_run", "run_at")? {
        return Ok(Vec::new());
    }
    each(connection, rows::LABEL_RUNS, [], |row| rows::label_run(row))
}

pub(super) fn put(connection: &mut Connection, runs: &[StoredLabelRun]) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut put = transaction.prepare(
        "INSERT OR REPLACE INTO label_run (file, fragment, run_at, outcome, why)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for run in runs {
        let StoredLabelRun { file, fragment, run_at, outcome, why } = run;
        put.execute(params![file, fragment, run_at.as_millisecond(), outcome, why])?;
    }
    drop(put);
    Ok(transaction.commit()?)
}

pub(super) fn forget_before(connection: &Connection, time: Timestamp) -> Result<(), StoreError> {
    connection.execute("DELETE FROM label_run WHERE run_at < ?1", [time.as_millisecond()])?;
    Ok(())
}
