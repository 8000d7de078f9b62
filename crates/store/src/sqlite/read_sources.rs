//! Reads the states of the sources and counts their documents.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::columns::{has_column, time, unsigned};
use crate::{SourceState, StoreError, StoredSources};

pub(super) fn stored_sources(
    connection: &Connection,
    uncounted: &str,
) -> Result<StoredSources, StoreError> {
    Ok(StoredSources {
        states: source_states(connection)?,
        documents: document_counts(connection, uncounted)?,
    })
}

pub(super) fn source_states(connection: &Connection) -> Result<Vec<SourceState>, StoreError> {
    if !has_column(connection, "source_state", "received_at")? {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(
        "SELECT source, received_at, changed_at, rejected FROM source_state ORDER BY source",
    )?;
    let rows = statement.query_map([], |row| {
        let times: (String, Option<String>) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, times, row.get::<_, Option<i64>>(3)?))
    })?;
    rows.map(|row| {
        let (source, (received_at, changed_at), rejected) = row?;
        Ok(SourceState {
            source,
            received_at: time(&received_at)?,
            changed_at: changed_at.as_deref().map(time).transpose()?,
            rejected: rejected.map(|count| unsigned("count", count)).transpose()?,
        })
    })
    .collect()
}

/// Counts without reading the bodies. The primary key begins with source and key, so nothing has to
/// be sorted.
fn document_counts(
    connection: &Connection,
    uncounted: &str,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT source, count(DISTINCT key) FROM document
         WHERE substr(key, 1, length(?1)) <> ?1 GROUP BY source",
    )?;
    let rows = statement.query_map([uncounted], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
    rows.map(|row| {
        let (source, count) = row?;
        Ok((source, unsigned("count", count)?))
    })
    .collect()
}
