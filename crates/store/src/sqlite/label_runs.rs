//! The last run of each label.

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior, params};

use super::columns::{has_column, moment};
use crate::{StoreError, StoredLabelRun};

pub(super) fn all(connection: &Connection) -> Result<Vec<StoredLabelRun>, StoreError> {
    if !has_column(connection, "label_run", "run_at")? {
        return Ok(Vec::new());
    }
    let mut statement = connection
        .prepare("SELECT file, fragment, run_at, outcome, why FROM label_run ORDER BY file")?;
    let rows = statement.query_map([], |row| {
        let texts: (String, String) = (row.get(0)?, row.get(1)?);
        Ok((texts, row.get::<_, i64>(2)?, row.get(3)?, row.get(4)?))
    })?;
    rows.map(|row| {
        let ((file, fragment), run_at, outcome, why) = row?;
        Ok(StoredLabelRun { file, fragment, run_at: moment(run_at)?, outcome, why })
    })
    .collect()
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

/// Forgets runs before this time.
pub(super) fn forget_before(connection: &Connection, time: Timestamp) -> Result<(), StoreError> {
    connection.execute("DELETE FROM label_run WHERE run_at < ?1", [time.as_millisecond()])?;
    Ok(())
}
