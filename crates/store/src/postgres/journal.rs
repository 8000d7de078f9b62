//! Reads and writes the journal of changes.

use jiff::Timestamp;
use tokio_postgres::{Client, GenericClient, Transaction};

use super::{
    batch::{batches, optional_texts, texts, values},
    columns::{Columns, signed},
    journal_head::{NUMBER, journal_head},
    read::{each, edition, transaction},
    text::written,
};
use crate::{
    JournalChange, JournalHead, JournalRevision, StoreError, StoredChange, StoredDriftEvent,
    StoredJournal,
};

/// Reads the whole journal in one transaction.
pub(super) async fn read(client: &mut Client) -> Result<StoredJournal, StoreError> {
    let transaction = transaction(client).await?;
    let head = journal_head(&transaction).await?;
    let journal = StoredJournal {
        edition: edition(&transaction).await?,
        revisions: revisions(&transaction, head.floor).await?,
        changes: changes(&transaction).await?,
        drift: drift(&transaction).await?,
        head,
    };
    transaction.commit().await?;
    Ok(journal)
}

async fn revisions(
    client: &impl GenericClient,
    floor: u64,
) -> Result<Vec<JournalRevision>, StoreError> {
    let query = "SELECT token, changed_at, newest_change FROM revision
        WHERE newest_change >= $1 ORDER BY number";
    let rows = client.query(query, &[&signed(floor)]).await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(JournalRevision {
            token: row.text(0)?,
            changed_at: row.time(1)?,
            newest: row.count(NUMBER, 2)?,
        })
    };
    rows.iter().map(read).collect()
}

async fn changes(client: &impl GenericClient) -> Result<Vec<StoredChange>, StoreError> {
    let query = "SELECT seq, token, changed_at, slug, kind, vendor, fields
        FROM change JOIN revision ON number = revision ORDER BY seq";
    each(client, query, |row| {
        Ok(StoredChange {
            seq: row.count(NUMBER, 0)?,
            revision: row.text(1)?,
            at: row.time(2)?,
            slug: row.text(3)?,
            kind: row.text(4)?,
            vendor: row.optional_text(5)?,
            fields: row.text(6)?,
        })
    })
    .await
}

async fn drift(client: &impl GenericClient) -> Result<Vec<StoredDriftEvent>, StoreError> {
    let query = "SELECT seq, token, changed_at, body
        FROM drift_event JOIN revision ON number = revision ORDER BY seq";
    each(client, query, |row| {
        Ok(StoredDriftEvent {
            seq: row.count(NUMBER, 0)?,
            revision: row.text(1)?,
            at: row.time(2)?,
            body: row.text(3)?,
        })
    })
    .await
}

/// Writes what a revision adds. The revision's own row is the newest one.
pub(super) async fn write(
    transaction: &Transaction<'_>,
    change: &JournalChange,
    revision: i64,
) -> Result<(), StoreError> {
    let JournalHead { epoch, newest, floor, floor_at } = &change.head;
    if change.forgets_all {
        let forget = "DELETE FROM change; DELETE FROM drift_event;
            UPDATE revision SET newest_change = NULL WHERE newest_change IS NOT NULL";
        transaction.batch_execute(forget).await?;
    }
    if change.folds {
        fold(transaction, *floor).await?;
    }
    add(transaction, change, revision).await?;
    let floor_at = floor_at.as_ref().map(Timestamp::to_string);
    transaction
        .execute(
            "UPDATE journal SET epoch = $1, newest = $2, floor = $3, floor_at = $4",
            &[&written(epoch), &signed(*newest), &signed(*floor), &floor_at],
        )
        .await?;
    transaction
        .execute(
            "UPDATE revision SET newest_change = $1 WHERE number = $2",
            &[&signed(*newest), &revision],
        )
        .await?;
    Ok(())
}

async fn add(
    transaction: &Transaction<'_>,
    change: &JournalChange,
    revision: i64,
) -> Result<(), StoreError> {
    let statement = transaction
        .prepare(
            "INSERT INTO change (revision, seq, slug, kind, vendor, fields)
             SELECT $1, * FROM unnest($2::int8[], $3::text[], $4::text[], $5::text[], $6::text[])",
        )
        .await?;
    let rows: Vec<&StoredChange> = change.changes.iter().collect();
    for batch in batches(&rows, |row| row.fields.len() + row.slug.len()) {
        let seq = values(batch, |row| signed(row.seq));
        let slug = texts(batch, |row| &row.slug);
        let kind = texts(batch, |row| &row.kind);
        let vendor = optional_texts(batch, |row| row.vendor.as_deref());
        let fields = texts(batch, |row| &row.fields);
        let columns: [&(dyn tokio_postgres::types::ToSql + Sync); 6] =
            [&revision, &seq, &slug, &kind, &vendor, &fields];
        transaction.execute(&statement, &columns).await?;
    }
    let statement = transaction
        .prepare(
            "INSERT INTO drift_event (revision, seq, body)
             SELECT $1, * FROM unnest($2::int8[], $3::text[])",
        )
        .await?;
    let rows: Vec<&StoredDriftEvent> = change.drift.iter().collect();
    for batch in batches(&rows, |row| row.body.len()) {
        let seq = values(batch, |row| signed(row.seq));
        let body = texts(batch, |row| &row.body);
        transaction.execute(&statement, &[&revision, &seq, &body]).await?;
    }
    Ok(())
}

/// Keeps only the last change of each app up to a number, and no drift event.
async fn fold(transaction: &Transaction<'_>, floor: u64) -> Result<(), StoreError> {
    let floor = signed(floor);
    transaction
        .execute(
            "DELETE FROM change WHERE seq <= $1 AND seq NOT IN
             (SELECT max(seq) FROM change WHERE seq <= $1 GROUP BY slug)",
            &[&floor],
        )
        .await?;
    transaction.execute("DELETE FROM drift_event WHERE seq <= $1", &[&floor]).await?;
    Ok(())
}
