//! Reads from a SQLite store.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, Row};

use super::columns::{each, has_column, optional};
use crate::{
    columns::Columns,
    contents::{
        Contents, Document, FetchedFrom, Revision, ServedApp, ServedBy, ServedSizes, ServedState,
        StoreSummary, StoredRecord,
    },
    edition::Edition,
    engine::ServedPart,
    error::StoreError,
    journal::JournalHead,
    rows,
    source_state::{SourceState, StoredSources},
};

/// Reads everything in one transaction, so that the contents are consistent.
pub(super) fn contents(connection: &mut Connection) -> Result<Contents, StoreError> {
    let transaction = connection.transaction()?;
    Ok(Contents {
        edition: edition(&transaction)?,
        documents: documents(&transaction)?,
        records: records(&transaction)?,
        fetched: fetched(&transaction)?,
        source_states: source_states(&transaction)?,
        insertions: insertions(&transaction)?,
        revision: newest_revision(&transaction)?,
        served_by: served_by(&transaction)?,
        journal: journal_head(&transaction)?,
    })
}

/// Reads the served apps, also in one transaction.
pub(super) fn served(
    connection: &mut Connection,
    rules: &str,
    uncounted: &str,
    mut take: impl FnMut(ServedPart),
) -> Result<Option<ServedState>, StoreError> {
    let transaction = connection.transaction()?;
    let made_by = served_by(&transaction)?.filter(|made_by| made_by.rules == rules);
    let hash = made_by.map(|made_by| made_by.content_hash);
    let revision = newest_revision(&transaction)?;
    let Some(revision) = revision.filter(|revision| hash.as_ref() == Some(&revision.content_hash))
    else {
        return Ok(None);
    };
    take(ServedPart::Sizes(served_sizes(&transaction)?));
    let mut statement = transaction.prepare(rows::SERVED)?;
    let mut apps = statement.query([])?;
    while let Some(row) = apps.next()? {
        take(ServedPart::App(rows::served(row)?));
    }
    Ok(Some(ServedState {
        edition: edition(&transaction)?,
        revision,
        insertions: insertions(&transaction)?,
        sources: stored_sources(&transaction, uncounted)?,
    }))
}

/// Reads everything small, also in one transaction.
pub(super) fn summary(
    connection: &mut Connection,
    uncounted: &str,
) -> Result<StoreSummary, StoreError> {
    let transaction = connection.transaction()?;
    Ok(StoreSummary {
        edition: edition(&transaction)?,
        revision: newest_revision(&transaction)?,
        served_by: served_by(&transaction)?,
        journal: journal_head(&transaction)?,
        sources: stored_sources(&transaction, uncounted)?,
    })
}

fn served_sizes(connection: &Connection) -> Result<ServedSizes, StoreError> {
    let sizes = "SELECT count(*), total(length(app)), total(length(sources)),
        total(length(provenance)), count(drift), total(length(drift)) FROM served";
    // `total` returns floats, which are exact up to 2^53 bytes.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "never negative")]
    let number = |row: &Row<'_>, column| row.get::<_, f64>(column).map(|sum| sum as usize);
    Ok(connection.query_row(sizes, [], |row| {
        Ok(ServedSizes {
            apps: row.get::<_, u32>(0)? as usize,
            app_bytes: number(row, 1)?,
            sources_bytes: number(row, 2)?,
            provenance_bytes: number(row, 3)?,
            drifts: row.get::<_, u32>(4)? as usize,
            drift_bytes: number(row, 5)?,
        })
    })?)
}

/// The records and the drift of the served apps, by slug, whatever rules made them. `None` if the
/// store has none.
pub(super) fn served_before(
    connection: &mut Connection,
) -> Result<Option<(ServedBy, Vec<ServedApp>)>, StoreError> {
    let transaction = connection.transaction()?;
    let Some(made_by) = served_by(&transaction)? else { return Ok(None) };
    let apps = each(&transaction, rows::SERVED_BEFORE, [], |row| rows::served_before(row))?;
    Ok(Some((made_by, apps)))
}

fn served_by(connection: &Connection) -> Result<Option<ServedBy>, StoreError> {
    if !has_column(connection, "served_by", "rules")? {
        return Ok(None);
    }
    optional(connection, rows::SERVED_BY, [], |row| rows::served_by(row))
}

pub(super) fn edition(connection: &Connection) -> Result<Edition, StoreError> {
    let query = if has_column(connection, "written", "mark")? {
        "SELECT number, coalesce((SELECT mark FROM written WHERE edition = number), '') FROM edition"
    } else {
        "SELECT number, '' FROM edition"
    };
    connection.query_row_and_then(query, [], |row| {
        Ok(Edition { number: row.count("edition", 0)?, mark: row.text(1)? })
    })
}

pub(super) fn revisions(connection: &Connection) -> Result<Vec<Revision>, StoreError> {
    each(connection, rows::REVISIONS, [], |row| rows::revision(row))
}

fn newest_revision(connection: &Connection) -> Result<Option<Revision>, StoreError> {
    optional(connection, rows::NEWEST_REVISION, [], |row| rows::revision(row))
}

pub(super) fn fetched(connection: &Connection) -> Result<Vec<FetchedFrom>, StoreError> {
    // Older validators are unusable: it is unknown which documents they belong to.
    if !has_column(connection, "fetched", "reader")? {
        return Ok(Vec::new());
    }
    each(connection, rows::FETCHED, [], |row| rows::fetched(row))
}

fn documents(connection: &Connection) -> Result<Vec<Document>, StoreError> {
    let query = if has_column(connection, "document", "origin")? {
        rows::DOCUMENTS
    } else {
        "SELECT source, '', key, body FROM document ORDER BY source, key"
    };
    each(connection, query, [], |row| rows::document(row))
}

fn records(connection: &Connection) -> Result<Vec<StoredRecord>, StoreError> {
    let query = if has_column(connection, "record", "is_sample")? {
        rows::RECORDS
    } else {
        "SELECT slug, body, 0 FROM record ORDER BY slug"
    };
    each(connection, query, [], |row| rows::record(row))
}

fn insertions(connection: &Connection) -> Result<HashMap<String, u64>, StoreError> {
    each(connection, rows::INSERTIONS, [], |row| rows::insertion(row))
}

fn stored_sources(connection: &Connection, uncounted: &str) -> Result<StoredSources, StoreError> {
    Ok(StoredSources {
        states: source_states(connection)?,
        documents: document_counts(connection, uncounted)?,
    })
}

fn source_states(connection: &Connection) -> Result<Vec<SourceState>, StoreError> {
    if !has_column(connection, "source_state", "received_at")? {
        return Ok(Vec::new());
    }
    each(connection, rows::SOURCE_STATES, [], |row| rows::source_state(row))
}

/// Counts without reading the bodies. The primary key begins with source and key, so nothing has to
/// be sorted.
fn document_counts(
    connection: &Connection,
    uncounted: &str,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let query = "SELECT source, count(DISTINCT key) FROM document
         WHERE substr(key, 1, length(?1)) <> ?1 GROUP BY source";
    each(connection, query, [uncounted], |row| rows::document_count(row))
}

/// Where the journal begins and ends. A store that is not migrated has none: it begins now.
pub(super) fn journal_head(connection: &Connection) -> Result<JournalHead, StoreError> {
    if has_column(connection, "journal", "epoch")? {
        return connection
            .query_row_and_then(rows::JOURNAL_HEAD, [], |row| rows::journal_head(row));
    }
    let floor_at = newest_revision(connection)?.map(|revision| revision.changed_at);
    Ok(JournalHead { floor_at, ..JournalHead::default() })
}
