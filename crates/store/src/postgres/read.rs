//! Reads from a PostgreSQL store.

use std::collections::HashMap;

use futures_util::{TryStreamExt, pin_mut};
use tokio_postgres::{
    Client, GenericClient, IsolationLevel, Row, RowStream, Transaction, types::ToSql,
};

use super::text::written;
use crate::{
    columns::Columns,
    contents::{Contents, FetchedFrom, Revision, ServedBy, StoreSummary},
    edition::Edition,
    error::StoreError,
    journal::JournalHead,
    rows,
    source_state::StoredSources,
};

/// A transaction that sees one state of the store.
pub(super) async fn transaction(client: &mut Client) -> Result<Transaction<'_>, StoreError> {
    let transaction = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    Ok(transaction.read_only(true).start().await?)
}

/// Sends a query without waiting for all its rows.
pub(super) async fn stream(
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
    let rows = stream(client, query).await?;
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
        documents: each(&transaction, rows::DOCUMENTS, rows::document).await?,
        records: each(&transaction, rows::RECORDS, rows::record).await?,
        fetched: fetched(&transaction).await?,
        source_states: each(&transaction, rows::SOURCE_STATES, rows::source_state).await?,
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
    client.query_opt(rows::SERVED_BY, &[]).await?.as_ref().map(rows::served_by).transpose()
}

pub(super) async fn edition(client: &impl GenericClient) -> Result<Edition, StoreError> {
    let query = "SELECT number, coalesce(mark, '') FROM edition
        LEFT JOIN written ON written.edition = number";
    let row = client.query_one(query, &[]).await?;
    Ok(Edition { number: row.count("edition", 0)?, mark: row.text(1)? })
}

pub(super) async fn revisions(client: &impl GenericClient) -> Result<Vec<Revision>, StoreError> {
    each(client, rows::REVISIONS, rows::revision).await
}

pub(super) async fn newest_revision(
    client: &impl GenericClient,
) -> Result<Option<Revision>, StoreError> {
    client.query_opt(rows::NEWEST_REVISION, &[]).await?.as_ref().map(rows::revision).transpose()
}

pub(super) async fn fetched(client: &impl GenericClient) -> Result<Vec<FetchedFrom>, StoreError> {
    each(client, rows::FETCHED, rows::fetched).await
}

pub(super) async fn insertions(
    client: &impl GenericClient,
) -> Result<HashMap<String, u64>, StoreError> {
    each(client, rows::INSERTIONS, rows::insertion).await
}

pub(super) async fn journal_head(client: &impl GenericClient) -> Result<JournalHead, StoreError> {
    rows::journal_head(&client.query_one(rows::JOURNAL_HEAD, &[]).await?)
}

pub(super) async fn stored_sources(
    client: &impl GenericClient,
    uncounted: &str,
) -> Result<StoredSources, StoreError> {
    // Counts without reading the bodies, in the order of the primary key.
    let query = "SELECT source, count(*) FROM (
            SELECT DISTINCT source, key FROM document WHERE NOT starts_with(key, $1)) AS keys
        GROUP BY source";
    let counts = client.query(query, &[&written(uncounted)]).await?;
    Ok(StoredSources {
        states: each(client, rows::SOURCE_STATES, rows::source_state).await?,
        documents: counts.iter().map(rows::document_count).collect::<Result<_, _>>()?,
    })
}

/// A store that is only read may have an older schema.
pub(super) async fn has_table(
    client: &impl GenericClient,
    table: &str,
) -> Result<bool, StoreError> {
    Ok(client.query_one("SELECT to_regclass($1::text) IS NOT NULL", &[&table]).await?.try_get(0)?)
}
