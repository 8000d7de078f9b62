//! Reads from a PostgreSQL store.

use std::collections::HashMap;

use futures_util::{TryStreamExt, pin_mut};
use tokio_postgres::{
    Client, GenericClient, IsolationLevel, Row, RowStream, Transaction, types::ToSql,
};

use super::{
    columns::Columns,
    journal_head::journal_head,
    read_sources::{source_states, stored_sources},
};
use crate::{
    Contents, Document, Edition, FetchedFrom, Revision, RevisionCounts, ServedBy, StoreError,
    StoreSummary, StoredRecord,
};

const REVISION_COLUMNS: &str = "number, token, changed_at, content_hash, total_apps, label_tool, cask_catalog, recipe_index, mdm_installer";

/// A transaction that sees one state of the store.
pub(super) async fn transaction(client: &mut Client) -> Result<Transaction<'_>, StoreError> {
    let transaction = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    Ok(transaction.read_only(true).start().await?)
}

/// Sends a query without waiting for all its rows.
pub(super) async fn rows(
    client: &impl GenericClient,
    query: &str,
) -> Result<RowStream, StoreError> {
    let none: [&(dyn ToSql + Sync); 0] = [];
    Ok(client.query_raw(query, none).await?)
}

/// Reads each row as it arrives.
pub(super) async fn each<T: Extend<V> + Default, V>(
    client: &impl GenericClient,
    query: &str,
    read: impl Fn(&Row) -> Result<V, StoreError>,
) -> Result<T, StoreError> {
    let rows = rows(client, query).await?;
    pin_mut!(rows);
    let mut all = T::default();
    while let Some(row) = rows.try_next().await? {
        all.extend([read(&row)?]);
        // Rows that have arrived already must not keep other tasks from this thread.
        tokio::task::coop::consume_budget().await;
    }
    Ok(all)
}

/// Reads everything in one transaction, so that the contents are consistent.
pub(super) async fn contents(client: &mut Client) -> Result<Contents, StoreError> {
    let transaction = transaction(client).await?;
    let contents = Contents {
        edition: edition(&transaction).await?,
        documents: documents(&transaction).await?,
        records: records(&transaction).await?,
        fetched: fetched(&transaction).await?,
        source_states: source_states(&transaction).await?,
        insertions: insertions(&transaction).await?,
        revision: newest_revision(&transaction).await?,
        served_by: served_by(&transaction).await?,
        journal: journal_head(&transaction).await?,
    };
    transaction.commit().await?;
    Ok(contents)
}

/// Reads everything small, also in one transaction.
pub(super) async fn summary(
    client: &mut Client,
    uncounted: &str,
) -> Result<StoreSummary, StoreError> {
    let transaction = transaction(client).await?;
    let summary = StoreSummary {
        edition: edition(&transaction).await?,
        revision: newest_revision(&transaction).await?,
        served_by: served_by(&transaction).await?,
        journal: journal_head(&transaction).await?,
        sources: stored_sources(&transaction, uncounted).await?,
    };
    transaction.commit().await?;
    Ok(summary)
}

pub(super) async fn served_by(client: &impl GenericClient) -> Result<Option<ServedBy>, StoreError> {
    let row = client.query_opt("SELECT rules, content_hash FROM served_by", &[]).await?;
    row.map(|row| Ok(ServedBy { rules: row.text(0)?, content_hash: row.text(1)? })).transpose()
}

pub(super) async fn edition(client: &impl GenericClient) -> Result<Edition, StoreError> {
    let query = "SELECT number, coalesce(mark, '') FROM edition
        LEFT JOIN written ON written.edition = number";
    let row = client.query_one(query, &[]).await?;
    Ok(Edition { number: row.count("edition", 0)?, mark: row.text(1)? })
}

pub(super) async fn revisions(client: &impl GenericClient) -> Result<Vec<Revision>, StoreError> {
    let query = format!("SELECT {REVISION_COLUMNS} FROM revision ORDER BY number");
    each(client, &query, revision).await
}

pub(super) async fn newest_revision(
    client: &impl GenericClient,
) -> Result<Option<Revision>, StoreError> {
    let newest = format!("SELECT {REVISION_COLUMNS} FROM revision ORDER BY number DESC LIMIT 1");
    client.query_opt(&newest, &[]).await?.map(|row| revision(&row)).transpose()
}

fn revision(row: &Row) -> Result<Revision, StoreError> {
    Ok(Revision {
        number: row.count("revision number", 0)?,
        token: row.text(1)?,
        changed_at: row.time(2)?,
        content_hash: row.text(3)?,
        counts: RevisionCounts {
            total_apps: row.count("count", 4)?,
            label_tool: row.count("count", 5)?,
            cask_catalog: row.count("count", 6)?,
            recipe_index: row.count("count", 7)?,
            mdm_installer: row.count("count", 8)?,
        },
    })
}

pub(super) async fn fetched(client: &impl GenericClient) -> Result<Vec<FetchedFrom>, StoreError> {
    let query =
        "SELECT source, address, etag, last_modified, reader FROM fetched ORDER BY source, address";
    each(client, query, |row| {
        Ok(FetchedFrom {
            source: row.text(0)?,
            address: row.text(1)?,
            etag: row.optional_text(2)?,
            last_modified: row.optional_text(3)?,
            reader: row.text(4)?,
        })
    })
    .await
}

async fn documents(client: &impl GenericClient) -> Result<Vec<Document>, StoreError> {
    let query = "SELECT source, origin, key, body FROM document ORDER BY source, key, origin";
    each(client, query, |row| {
        Ok(Document {
            source: row.text(0)?,
            origin: row.text(1)?,
            key: row.text(2)?,
            body: row.bytes(3)?,
        })
    })
    .await
}

async fn records(client: &impl GenericClient) -> Result<Vec<StoredRecord>, StoreError> {
    each(client, "SELECT slug, body, is_sample FROM record ORDER BY slug", |row| {
        Ok(StoredRecord { slug: row.text(0)?, body: row.text(1)?, is_sample: row.try_get(2)? })
    })
    .await
}

pub(super) async fn insertions(
    client: &impl GenericClient,
) -> Result<HashMap<String, u64>, StoreError> {
    each(client, "SELECT slug, number FROM app", |row| {
        Ok((row.text(0)?, row.count("insertion number", 1)?))
    })
    .await
}
