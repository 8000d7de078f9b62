//! Reads and writes the journal of changes.

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

use super::{
    columns::{each, has_column},
    read,
};
use crate::{
    columns::signed,
    error::StoreError,
    journal::{JournalChange, JournalHead, StoredChange, StoredJournal},
    rows,
};

pub(super) fn read(connection: &mut Connection) -> Result<StoredJournal, StoreError> {
    let transaction = connection.transaction()?;
    let head = read::journal_head(&transaction)?;
    let edition = read::edition(&transaction)?;
    if head.epoch.is_empty() {
        return Ok(StoredJournal { edition, head, ..StoredJournal::default() });
    }
    // A store that is only read may have an older schema.
    let patch_titles = if has_column(&transaction, "patch_title", "body")? {
        each(&transaction, rows::PATCH_TITLES, [], |row| rows::patch_title(row))?
    } else {
        Vec::new()
    };
    let revisions = "SELECT token, changed_at, newest_change FROM revision
         WHERE newest_change >= ?1 ORDER BY number";
    Ok(StoredJournal {
        edition,
        revisions: each(&transaction, revisions, [signed(head.floor)], |row| {
            rows::journal_revision(row)
        })?,
        changes: each(&transaction, rows::CHANGES, [], |row| rows::change(row))?,
        drift: each(&transaction, rows::DRIFT_EVENTS, [], |row| rows::drift_event(row))?,
        patch_titles,
        head,
    })
}

/// Writes what a revision adds. The row of the revision is the newest one.
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
    let mut put =
        transaction.prepare("INSERT OR REPLACE INTO patch_title (slug, body) VALUES (?1, ?2)")?;
    for title in &change.patch_titles {
        put.execute(params![title.slug, title.body])?;
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
