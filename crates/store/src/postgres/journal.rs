//! Reads and writes the journal of changes.

use jiff::Timestamp;
use tokio_postgres::{Client, Transaction, types::ToSql};

use super::{
    batch::{batches, optional_texts, texts, values},
    read::{each, edition, has_table, journal_head, transaction},
    text::written,
};
use crate::{
    columns::signed,
    error::StoreError,
    journal::{
        JournalChange, JournalHead, StoredChange, StoredDriftEvent, StoredJournal, StoredPatchTitle,
    },
    rows,
};

pub(super) async fn read(client: &mut Client) -> Result<StoredJournal, StoreError> {
    let transaction = transaction(client).await?;
    let head = journal_head(&transaction).await?;
    let query = "SELECT token, changed_at, newest_change FROM revision
        WHERE newest_change >= $1 ORDER BY number";
    let revisions = transaction.query(query, &[&signed(head.floor)]).await?;
    // A store that is only read may have an older schema.
    let patch_titles = if has_table(&transaction, "patch_title").await? {
        each(&transaction, rows::PATCH_TITLES, rows::patch_title).await?
    } else {
        Vec::new()
    };
    let journal = StoredJournal {
        edition: edition(&transaction).await?,
        revisions: revisions.iter().map(rows::journal_revision).collect::<Result<_, _>>()?,
        changes: each(&transaction, rows::CHANGES, rows::change).await?,
        drift: each(&transaction, rows::DRIFT_EVENTS, rows::drift_event).await?,
        patch_titles,
        head,
    };
    transaction.commit().await?;
    Ok(journal)
}

/// Writes what a revision adds. The row of the revision is the newest one.
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
    let changes: Vec<&StoredChange> = change.changes.iter().collect();
    for batch in batches(&changes, |row| row.fields.len() + row.slug.len()) {
        let seq = values(batch, |row| signed(row.seq));
        let slug = texts(batch, |row| &row.slug);
        let kind = texts(batch, |row| &row.kind);
        let vendor = optional_texts(batch, |row| row.vendor.as_deref());
        let fields = texts(batch, |row| &row.fields);
        let columns: [&(dyn ToSql + Sync); 6] = [&revision, &seq, &slug, &kind, &vendor, &fields];
        transaction.execute(&statement, &columns).await?;
    }
    let statement = transaction
        .prepare(
            "INSERT INTO drift_event (revision, seq, body)
             SELECT $1, * FROM unnest($2::int8[], $3::text[])",
        )
        .await?;
    let events: Vec<&StoredDriftEvent> = change.drift.iter().collect();
    for batch in batches(&events, |row| row.body.len()) {
        let seq = values(batch, |row| signed(row.seq));
        let body = texts(batch, |row| &row.body);
        transaction.execute(&statement, &[&revision, &seq, &body]).await?;
    }
    put_patch_titles(transaction, &change.patch_titles).await
}

async fn put_patch_titles(
    transaction: &Transaction<'_>,
    titles: &[StoredPatchTitle],
) -> Result<(), StoreError> {
    let statement = transaction
        .prepare(
            "INSERT INTO patch_title (slug, body) SELECT * FROM unnest($1::text[], $2::text[])
             ON CONFLICT (slug) DO UPDATE SET body = excluded.body",
        )
        .await?;
    let titles: Vec<&StoredPatchTitle> = titles.iter().collect();
    for batch in batches(&titles, |title| title.slug.len() + title.body.len()) {
        let slug = texts(batch, |title| &title.slug);
        let body = texts(batch, |title| &title.body);
        transaction.execute(&statement, &[&slug, &body]).await?;
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
