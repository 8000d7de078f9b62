//! Reads and writes the journal of changes.

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

use super::{
    columns::{signed, time, unsigned},
    journal_head::journal_head,
    read,
};
use crate::{
    JournalChange, JournalHead, JournalRevision, ServedApp, ServedBy, StoreError, StoredChange,
    StoredDriftEvent, StoredJournal,
};

/// Reads the whole journal in one transaction.
pub(super) fn read(connection: &mut Connection) -> Result<StoredJournal, StoreError> {
    let transaction = connection.transaction()?;
    let head = journal_head(&transaction)?;
    let edition = read::edition(&transaction)?;
    if head.epoch.is_empty() {
        return Ok(StoredJournal { edition, head, ..StoredJournal::default() });
    }
    Ok(StoredJournal {
        edition,
        revisions: revisions(&transaction, head.floor)?,
        changes: changes(&transaction)?,
        drift: drift(&transaction)?,
        head,
    })
}

fn revisions(connection: &Connection, floor: u64) -> Result<Vec<JournalRevision>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT token, changed_at, newest_change FROM revision
         WHERE newest_change >= ?1 ORDER BY number",
    )?;
    let rows = statement.query_map([signed(floor)], |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
    })?;
    rows.map(|row| {
        let (token, changed_at, newest) = row?;
        let newest = unsigned("number of a change", newest)?;
        Ok(JournalRevision { token, changed_at: time(&changed_at)?, newest })
    })
    .collect()
}

fn changes(connection: &Connection) -> Result<Vec<StoredChange>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT seq, token, changed_at, slug, kind, vendor, fields
         FROM change JOIN revision ON number = revision ORDER BY seq",
    )?;
    let mut rows = statement.query([])?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let at: String = row.get(2)?;
        changes.push(StoredChange {
            seq: unsigned("number of a change", row.get(0)?)?,
            revision: row.get(1)?,
            at: time(&at)?,
            slug: row.get(3)?,
            kind: row.get(4)?,
            vendor: row.get(5)?,
            fields: row.get(6)?,
        });
    }
    Ok(changes)
}

fn drift(connection: &Connection) -> Result<Vec<StoredDriftEvent>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT seq, token, changed_at, body
         FROM drift_event JOIN revision ON number = revision ORDER BY seq",
    )?;
    let mut rows = statement.query([])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let at: String = row.get(2)?;
        events.push(StoredDriftEvent {
            seq: unsigned("number of a change", row.get(0)?)?,
            revision: row.get(1)?,
            at: time(&at)?,
            body: row.get(3)?,
        });
    }
    Ok(events)
}

/// Writes what a revision adds. The revision's own row is the newest one.
pub(super) fn write(
    transaction: &Transaction<'_>,
    change: &JournalChange,
    revision: i64,
) -> Result<(), StoreError> {
    let JournalHead { epoch, newest, floor, floor_at } = &change.head;
    if change.forgets_all {
        transaction.execute("DELETE FROM change", [])?;
        transaction.execute("DELETE FROM drift_event", [])?;
        transaction.execute("UPDATE revision SET newest_change = NULL", [])?;
    }
    if change.folds {
        fold(transaction, *floor)?;
    }
    let mut add = transaction.prepare(
        "INSERT INTO change (seq, revision, slug, kind, vendor, fields)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for row in &change.changes {
        let StoredChange { seq, slug, kind, vendor, fields, .. } = row;
        add.execute(params![signed(*seq), revision, slug, kind, vendor, fields])?;
    }
    let mut add =
        transaction.prepare("INSERT INTO drift_event (seq, revision, body) VALUES (?1, ?2, ?3)")?;
    for event in &change.drift {
        add.execute(params![signed(event.seq), revision, event.body])?;
    }
    transaction.execute(
        "UPDATE journal SET epoch = ?1, newest = ?2, floor = ?3, floor_at = ?4",
        params![
            epoch,
            signed(*newest),
            signed(*floor),
            floor_at.as_ref().map(Timestamp::to_string)
        ],
    )?;
    transaction.execute(
        "UPDATE revision SET newest_change = ?1 WHERE number = ?2",
        params![signed(*newest), revision],
    )?;
    Ok(())
}

/// Keeps only the last change of each app up to a number, and no drift event.
fn fold(transaction: &Transaction<'_>, floor: u64) -> Result<(), StoreError> {
    transaction.execute(
        "DELETE FROM change WHERE seq <= ?1 AND seq NOT IN
         (SELECT max(seq) FROM change WHERE seq <= ?1 GROUP BY slug)",
        [signed(floor)],
    )?;
    transaction.execute("DELETE FROM drift_event WHERE seq <= ?1", [signed(floor)])?;
    Ok(())
}

/// The records and the drift of the served apps, by slug, whatever rules made them. `None` if the
/// store has none.
pub(super) fn served_before(
    connection: &mut Connection,
) -> Result<Option<(ServedBy, Vec<ServedApp>)>, StoreError> {
    let transaction = connection.transaction()?;
    let Some(made_by) = read::served_by(&transaction)? else { return Ok(None) };
    let mut statement = transaction.prepare("SELECT slug, app, drift FROM served ORDER BY slug")?;
    let rows = statement.query_map([], |row| {
        let app: Vec<u8> = row.get(1)?;
        let drift: Option<Vec<u8>> = row.get(2)?;
        Ok(ServedApp {
            slug: row.get(0)?,
            app: app.into(),
            drift: drift.map(Into::into),
            ..ServedApp::default()
        })
    })?;
    let apps = rows.collect::<Result<_, _>>()?;
    Ok(Some((made_by, apps)))
}
