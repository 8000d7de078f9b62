//! Writes to a SQLite store, in one transaction.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::{journal, open, read, shared_state::put_edition};
use crate::{
    change::{Change, NewRevision, ServedChange},
    columns::signed,
    contents::{Document, FetchedFrom},
    edition::Edition,
    error::StoreError,
    fail_point::FailPoint,
    source_state::SourceState,
};

/// Writes the change. An early return rolls back the transaction.
pub(super) fn commit(connection: &mut Connection, change: &Change) -> Result<Edition, StoreError> {
    FailPoint::Begin.reach()?;
    // Immediate takes the write lock before the edition is read, so no other writer can change
    // the edition in between.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    open::reject_newer(&transaction)?;
    let found = read::edition(&transaction)?;
    if found != change.base_edition {
        return Err(StoreError::Moved);
    }
    if change.is_empty() {
        return Ok(found);
    }
    write_documents(&transaction, change)?;
    write_records(&transaction, change)?;
    write_apps(&transaction, change)?;
    FailPoint::Write.reach()?;
    write_fetched(&transaction, change)?;
    write_source_states(&transaction, change)?;
    if let Some(revision) = &change.revision {
        write_revision(&transaction, revision)?;
        if let Some(journal) = &change.journal {
            journal::write(&transaction, journal, transaction.last_insert_rowid())?;
        }
    }
    if let Some(served) = &change.served {
        write_served(&transaction, served)?;
    }
    let edition = found.next()?;
    put_edition(&transaction, &edition)?;
    FailPoint::Commit.reach()?;
    transaction.commit()?;
    FailPoint::Committed.reach()?;
    Ok(edition)
}

fn write_documents(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let mut remove = transaction
        .prepare("DELETE FROM document WHERE source = ?1 AND key = ?2 AND origin = ?3")?;
    for name in &change.removed_documents {
        remove.execute([&name.source, &name.key, &name.origin])?;
    }
    let mut put = transaction.prepare(
        "INSERT OR REPLACE INTO document (source, key, origin, body) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for document in &change.put_documents {
        let Document { source, origin, key, body } = document;
        put.execute(params![source, key, origin, &body[..]])?;
    }
    Ok(())
}

fn write_records(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let mut remove = transaction.prepare("DELETE FROM record WHERE slug = ?1")?;
    for slug in &change.removed_records {
        remove.execute([slug])?;
    }
    let mut put = transaction
        .prepare("INSERT OR REPLACE INTO record (slug, body, is_sample) VALUES (?1, ?2, ?3)")?;
    for record in &change.put_records {
        put.execute(params![record.slug, record.body, record.is_sample])?;
    }
    Ok(())
}

fn write_fetched(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let mut remove =
        transaction.prepare("DELETE FROM fetched WHERE source = ?1 AND address = ?2")?;
    for (source, address) in &change.removed_fetched {
        remove.execute([source, address])?;
    }
    let mut put = transaction.prepare(
        "INSERT OR REPLACE INTO fetched (source, address, etag, last_modified, reader)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for fetched in &change.put_fetched {
        let FetchedFrom { source, address, etag, last_modified, reader } = fetched;
        put.execute(params![source, address, etag, last_modified, reader])?;
    }
    Ok(())
}

fn write_source_states(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let mut put = transaction.prepare(
        "INSERT OR REPLACE INTO source_state (source, received_at, changed_at, rejected)
         VALUES (?1, ?2, ?3, ?4)",
    )?;
    for state in &change.put_source_states {
        let SourceState { source, received_at, changed_at, rejected } = state;
        put.execute(params![
            source,
            received_at.to_string(),
            changed_at.map(|time| time.to_string()),
            rejected.map(signed),
        ])?;
    }
    Ok(())
}

fn write_apps(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let mut remove = transaction.prepare("DELETE FROM app WHERE slug = ?1")?;
    for slug in &change.removed_apps {
        remove.execute([slug])?;
    }
    let mut add = transaction.prepare("INSERT OR IGNORE INTO app (slug) VALUES (?1)")?;
    for slug in &change.added_apps {
        add.execute([slug])?;
    }
    Ok(())
}

fn write_revision(transaction: &Transaction<'_>, revision: &NewRevision) -> Result<(), StoreError> {
    let counts = &revision.counts;
    transaction.execute(
        "INSERT INTO revision (token, changed_at, content_hash, total_apps, label_tool, cask_catalog, recipe_index, mdm_installer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            revision.token,
            revision.changed_at.to_string(),
            revision.content_hash,
            signed(counts.total_apps),
            signed(counts.label_tool),
            signed(counts.cask_catalog),
            signed(counts.recipe_index),
            signed(counts.mdm_installer),
        ],
    )?;
    Ok(())
}

fn write_served(transaction: &Transaction<'_>, change: &ServedChange) -> Result<(), StoreError> {
    if change.replaces_all {
        transaction.execute("DELETE FROM served", [])?;
    }
    let mut remove = transaction.prepare("DELETE FROM served WHERE slug = ?1")?;
    for slug in &change.removed {
        remove.execute([slug])?;
    }
    let mut put = transaction.prepare(
        "INSERT OR REPLACE INTO served (slug, app, sources, provenance, drift, notes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for app in &change.put {
        put.execute(params![
            app.slug,
            &app.app[..],
            &app.sources[..],
            &app.provenance[..],
            app.drift.as_deref(),
            &app.notes[..],
        ])?;
    }
    transaction.execute(
        "INSERT OR REPLACE INTO served_by (only_row, rules, content_hash) VALUES (1, ?1, ?2)",
        [&change.made_by.rules, &change.made_by.content_hash],
    )?;
    Ok(())
}
