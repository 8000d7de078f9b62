//! How refreshing each source went, and what fetching them remembers.

use jiff::Timestamp;
use tokio_postgres::{Client, GenericClient};

use super::{
    read::{each, has_table},
    text::{read, written},
};
use crate::{columns::signed, error::StoreError, rows, source_state::SourceRefresh};

pub(super) async fn all(client: &impl GenericClient) -> Result<Vec<SourceRefresh>, StoreError> {
    if !has_table(client, "source_refresh").await? {
        return Ok(Vec::new());
    }
    each(client, rows::SOURCE_REFRESHES, rows::source_refresh).await
}

pub(super) async fn put(
    client: &mut Client,
    refreshes: &[SourceRefresh],
) -> Result<(), StoreError> {
    let transaction = client.transaction().await?;
    // Writers take turns, so that they cannot wait for each other's rows.
    transaction.batch_execute("LOCK TABLE source_refresh IN EXCLUSIVE MODE").await?;
    let put = transaction
        .prepare(
            "INSERT INTO source_refresh
                 (source, tried_at, succeeded_at, next_at, failures, why, entries, rejected, rejects)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (source) DO UPDATE SET tried_at = excluded.tried_at,
                 succeeded_at = excluded.succeeded_at, next_at = excluded.next_at,
                 failures = excluded.failures, why = excluded.why, entries = excluded.entries,
                 rejected = excluded.rejected, rejects = excluded.rejects",
        )
        .await?;
    for refresh in refreshes {
        transaction
            .execute(
                &put,
                &[
                    &written(&refresh.source),
                    &refresh.tried_at.as_millisecond(),
                    &refresh.succeeded_at.map(Timestamp::as_millisecond),
                    &refresh.next_at.as_millisecond(),
                    &signed(refresh.failures),
                    &refresh.why.as_deref().map(written),
                    &refresh.entries.map(signed),
                    &refresh.rejected.map(signed),
                    &written(&refresh.rejects),
                ],
            )
            .await?;
    }
    Ok(transaction.commit().await?)
}

pub(super) async fn memory(
    client: &impl GenericClient,
    source: &str,
) -> Result<Option<String>, StoreError> {
    if !has_table(client, "refresh_memory").await? {
        return Ok(None);
    }
    let find = "SELECT body FROM refresh_memory WHERE source = $1";
    let Some(row) = client.query_opt(find, &[&written(source)]).await? else { return Ok(None) };
    Ok(Some(read(row.try_get(0)?)))
}

pub(super) async fn put_memory(
    client: &impl GenericClient,
    source: &str,
    body: &str,
) -> Result<(), StoreError> {
    let put = "INSERT INTO refresh_memory (source, body) VALUES ($1, $2)
         ON CONFLICT (source) DO UPDATE SET body = excluded.body";
    client.execute(put, &[&written(source), &written(body)]).await?;
    Ok(())
}

/// They do not describe the contents of a backup.
pub(super) async fn forget(client: &impl GenericClient) -> Result<(), StoreError> {
    let forget = "DELETE FROM source_refresh; DELETE FROM refresh_memory";
    Ok(client.batch_execute(forget).await?)
}
