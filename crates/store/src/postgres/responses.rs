//! Answers of web servers, kept for conditional requests.

use jiff::Timestamp;
use tokio_postgres::{Client, GenericClient, Transaction, types::ToSql};

use super::{
    batch::{batches, last_of_each, optional_texts, texts, values},
    text::written,
};
use crate::{columns::signed, error::StoreError, label_run::StoredResponse, rows};

pub(super) async fn find(
    client: &impl GenericClient,
    key: String,
) -> Result<Option<StoredResponse>, StoreError> {
    let query = "SELECT key, address, etag, last_modified, status::int8, fetched_at, headers, body
        FROM answer WHERE key = $1";
    let row = client.query_opt(query, &[&written(&key)]).await?;
    row.as_ref().map(rows::response).transpose()
}

/// Writes new answers, and marks those with the given keys as used.
pub(super) async fn keep(
    client: &mut Client,
    responses: &[StoredResponse],
    used: &[String],
    now: Timestamp,
) -> Result<(), StoreError> {
    let now = now.as_millisecond();
    let transaction = lock(client).await?;
    let put = transaction
        .prepare(
            "INSERT INTO answer (used_at, key, address, etag, last_modified, status, fetched_at,
                 size, headers, body)
             SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int4[],
                 $7::int8[], $8::int8[], $9::text[], $10::bytea[])
             ON CONFLICT (key) DO UPDATE SET used_at = excluded.used_at,
                 address = excluded.address, etag = excluded.etag,
                 last_modified = excluded.last_modified, status = excluded.status,
                 fetched_at = excluded.fetched_at, size = excluded.size,
                 headers = excluded.headers, body = excluded.body",
        )
        .await?;
    let size = |response: &StoredResponse| response.headers.len() + response.body.len();
    let responses = last_of_each(responses, |response| &response.key);
    for batch in batches(&responses, |response| size(response)) {
        let key = texts(batch, |response| &response.key);
        let address = texts(batch, |response| &response.address);
        let etag = optional_texts(batch, |response| response.etag.as_deref());
        let last_modified = optional_texts(batch, |response| response.last_modified.as_deref());
        let status = values(batch, |response| i32::from(response.status));
        let fetched_at = values(batch, |response| response.fetched_at.as_millisecond());
        let sizes = values(batch, |response| signed(size(response) as u64));
        let headers = texts(batch, |response| &response.headers);
        let body = values(batch, |response| &response.body[..]);
        let columns: [&(dyn ToSql + Sync); 10] = [
            &now, &key, &address, &etag, &last_modified, &status, &fetched_at, &sizes, &headers,
            &body,
        ];
        transaction.execute(&put, &columns).await?;
    }
    let used: Vec<&String> = used.iter().collect();
    let used = texts(&used, |key| key);
    let mark = "UPDATE answer SET used_at = $1 WHERE key = ANY ($2::text[])";
    transaction.execute(mark, &[&now, &used]).await?;
    Ok(transaction.commit().await?)
}

/// Removes answers that were not used since a time, and then the longest unused ones until the rest
/// has no more than `most_bytes`.
pub(super) async fn prune(
    client: &mut Client,
    unused_since: Timestamp,
    most_bytes: u64,
) -> Result<(), StoreError> {
    let transaction = lock(client).await?;
    let unused = "DELETE FROM answer WHERE used_at < $1";
    transaction.execute(unused, &[&unused_since.as_millisecond()]).await?;
    let too_many = "DELETE FROM answer WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(size) OVER (ORDER BY used_at DESC, key) AS total FROM answer) AS kept
        WHERE total > $1::int8)";
    transaction.execute(too_many, &[&signed(most_bytes)]).await?;
    Ok(transaction.commit().await?)
}

/// Writers take turns, so that they cannot wait for each other's rows.
async fn lock(client: &mut Client) -> Result<Transaction<'_>, StoreError> {
    let transaction = client.transaction().await?;
    transaction.batch_execute("LOCK TABLE answer IN EXCLUSIVE MODE").await?;
    Ok(transaction)
}
