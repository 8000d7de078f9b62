//! Reads from a SQLite store.

use std::collections::HashMap;

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row};

use super::{
    columns::{has_column, time, unsigned},
    journal_head::journal_head,
    read_sources::{source_states, stored_sources},
};
use crate::{
    Contents, Document, Edition, FetchedFrom, Revision, RevisionCounts, ServedApp, ServedBy,
    ServedSizes, ServedState, StoreError, StoreSummary, StoredRecord,
};

const REVISION_COLUMNS: &str = "number, token, changed_at, content_hash, total_apps, label_tool, cask_catalog, recipe_index, mdm_installer";

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
pub(super) fn served<A>(
    connection: &mut Connection,
    rules: &str,
    uncounted: &str,
    prepare: impl FnOnce(ServedSizes) -> A,
    take: impl Fn(&mut A, ServedApp),
) -> Result<Option<(A, ServedState)>, StoreError> {
    let transaction = connection.transaction()?;
    let made_by = served_by(&transaction)?.filter(|made_by| made_by.rules == rules);
    let hash = made_by.map(|made_by| made_by.content_hash);
    let revision = newest_revision(&transaction)?;
    let Some(revision) = revision.filter(|revision| hash.as_ref() == Some(&revision.content_hash))
    else {
        return Ok(None);
    };
    let mut apps = prepare(served_sizes(&transaction)?);
    let mut statement = transaction
        .prepare("SELECT slug, app, sources, provenance, drift, notes FROM served ORDER BY slug")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let bytes = |column| row.get::<_, Vec<u8>>(column).map(Bytes::from);
        let app = ServedApp {
            slug: row.get(0)?,
            app: bytes(1)?,
            sources: bytes(2)?,
            provenance: bytes(3)?,
            drift: row.get::<_, Option<Vec<u8>>>(4)?.map(Bytes::from),
            notes: bytes(5)?,
        };
        take(&mut apps, app);
    }
    let state = ServedState {
        edition: edition(&transaction)?,
        revision,
        insertions: insertions(&transaction)?,
        sources: stored_sources(&transaction, uncounted)?,
    };
    Ok(Some((apps, state)))
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

pub(super) fn served_by(connection: &Connection) -> Result<Option<ServedBy>, StoreError> {
    if !has_column(connection, "served_by", "rules")? {
        return Ok(None);
    }
    let mut statement = connection.prepare("SELECT rules, content_hash FROM served_by")?;
    let row = statement
        .query_row([], |row| Ok(ServedBy { rules: row.get(0)?, content_hash: row.get(1)? }));
    Ok(row.optional()?)
}

pub(super) fn edition(connection: &Connection) -> Result<Edition, StoreError> {
    let query = if has_column(connection, "written", "mark")? {
        "SELECT number, coalesce((SELECT mark FROM written WHERE edition = number), '') FROM edition"
    } else {
        "SELECT number, '' FROM edition"
    };
    let (number, mark): (i64, String) =
        connection.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Edition { number: unsigned("edition", number)?, mark })
}

pub(super) fn revisions(connection: &Connection) -> Result<Vec<Revision>, StoreError> {
    let mut statement =
        connection.prepare(&format!("SELECT {REVISION_COLUMNS} FROM revision ORDER BY number"))?;
    let rows = statement.query_map([], raw_revision)?;
    rows.map(|row| row?.read()).collect()
}

fn newest_revision(connection: &Connection) -> Result<Option<Revision>, StoreError> {
    let newest = format!("SELECT {REVISION_COLUMNS} FROM revision ORDER BY number DESC LIMIT 1");
    let row = connection.query_row(&newest, [], raw_revision).optional()?;
    row.map(RawRevision::read).transpose()
}

pub(super) fn fetched(connection: &Connection) -> Result<Vec<FetchedFrom>, StoreError> {
    // Older validators are unusable: it is unknown which documents they belong to.
    if !has_column(connection, "fetched", "reader")? {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(
        "SELECT source, address, etag, last_modified, reader FROM fetched ORDER BY source, address",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(FetchedFrom {
            source: row.get(0)?,
            address: row.get(1)?,
            etag: row.get(2)?,
            last_modified: row.get(3)?,
            reader: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn documents(connection: &Connection) -> Result<Vec<Document>, StoreError> {
    let query = if has_column(connection, "document", "origin")? {
        "SELECT source, origin, key, body FROM document ORDER BY source, key, origin"
    } else {
        "SELECT source, '', key, body FROM document ORDER BY source, key"
    };
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| {
        let body: Vec<u8> = row.get(3)?;
        Ok(Document {
            source: row.get(0)?,
            origin: row.get(1)?,
            key: row.get(2)?,
            body: body.into(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn records(connection: &Connection) -> Result<Vec<StoredRecord>, StoreError> {
    let query = if has_column(connection, "record", "is_sample")? {
        "SELECT slug, body, is_sample FROM record ORDER BY slug"
    } else {
        "SELECT slug, body, 0 FROM record ORDER BY slug"
    };
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| {
        Ok(StoredRecord { slug: row.get(0)?, body: row.get(1)?, is_sample: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn insertions(connection: &Connection) -> Result<HashMap<String, u64>, StoreError> {
    let mut statement = connection.prepare("SELECT slug, number FROM app")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
    rows.map(|row| {
        let (slug, number) = row?;
        Ok((slug, unsigned("insertion number", number)?))
    })
    .collect()
}

/// The row of a revision before its values are validated.
struct RawRevision {
    number: i64,
    token: String,
    changed_at: String,
    content_hash: String,
    counts: [i64; 5],
}

fn raw_revision(row: &Row<'_>) -> rusqlite::Result<RawRevision> {
    Ok(RawRevision {
        number: row.get(0)?,
        token: row.get(1)?,
        changed_at: row.get(2)?,
        content_hash: row.get(3)?,
        counts: [row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?],
    })
}

impl RawRevision {
    fn read(self) -> Result<Revision, StoreError> {
        let changed_at = time(&self.changed_at)?;
        let [total_apps, label_tool, cask_catalog, recipe_index, mdm_installer] = self.counts;
        Ok(Revision {
            number: unsigned("revision number", self.number)?,
            token: self.token,
            changed_at,
            content_hash: self.content_hash,
            counts: RevisionCounts {
                total_apps: unsigned("count", total_apps)?,
                label_tool: unsigned("count", label_tool)?,
                cask_catalog: unsigned("count", cask_catalog)?,
                recipe_index: unsigned("count", recipe_index)?,
                mdm_installer: unsigned("count", mdm_installer)?,
            },
        })
    }
}
