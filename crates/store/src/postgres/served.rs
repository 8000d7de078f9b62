//! Reads the stored copy of the served catalog.

use futures_util::{TryStreamExt, pin_mut};
use tokio_postgres::{Client, GenericClient};

use super::read::{
    each, edition, insertions, newest_revision, served_by, stored_sources, stream, transaction,
};
use crate::{
    columns::Columns,
    contents::{ServedApp, ServedBy, ServedSizes, ServedState},
    engine::ServedPart,
    error::StoreError,
    rows,
};

/// Reads the served apps in one transaction. Each is taken as it arrives: the server sends no faster
/// than they are taken, so the whole catalog is never in memory twice.
pub(super) async fn served(
    client: &mut Client,
    rules: &str,
    uncounted: &str,
    mut take: impl FnMut(ServedPart),
) -> Result<Option<ServedState>, StoreError> {
    let transaction = transaction(client).await?;
    let made_by = served_by(&transaction).await?.filter(|made_by| made_by.rules == rules);
    let hash = made_by.map(|made_by| made_by.content_hash);
    let revision = newest_revision(&transaction).await?;
    let Some(revision) = revision.filter(|revision| hash.as_ref() == Some(&revision.content_hash))
    else {
        transaction.commit().await?;
        return Ok(None);
    };
    take(ServedPart::Sizes(sizes(&transaction).await?));
    {
        let apps = stream(&transaction, rows::SERVED).await?;
        pin_mut!(apps);
        while let Some(row) = apps.try_next().await? {
            take(ServedPart::App(rows::served(&row)?));
            tokio::task::coop::consume_budget().await;
        }
    }
    let state = ServedState {
        edition: edition(&transaction).await?,
        revision,
        insertions: insertions(&transaction).await?,
        sources: stored_sources(&transaction, uncounted).await?,
    };
    transaction.commit().await?;
    Ok(Some(state))
}

async fn sizes(client: &impl GenericClient) -> Result<ServedSizes, StoreError> {
    let sizes = "SELECT count(*), sum(octet_length(app))::int8, sum(octet_length(sources))::int8,
        sum(octet_length(provenance))::int8, count(drift), sum(octet_length(drift))::int8 FROM served";
    let row = client.query_one(sizes, &[]).await?;
    let number = |column| {
        let number = row.optional_count("size", column)?.unwrap_or_default();
        Ok::<_, StoreError>(usize::try_from(number).unwrap_or(usize::MAX))
    };
    Ok(ServedSizes {
        apps: number(0)?,
        app_bytes: number(1)?,
        sources_bytes: number(2)?,
        provenance_bytes: number(3)?,
        drifts: number(4)?,
        drift_bytes: number(5)?,
    })
}

/// The records and the drift of the served apps, by slug, whatever rules made them. `None` if the
/// store has none.
pub(super) async fn before(
    client: &mut Client,
) -> Result<Option<(ServedBy, Vec<ServedApp>)>, StoreError> {
    let transaction = transaction(client).await?;
    let made_by = served_by(&transaction).await?;
    let before = match made_by {
        None => None,
        Some(made_by) => {
            Some((made_by, each(&transaction, rows::SERVED_BEFORE, rows::served_before).await?))
        }
    };
    transaction.commit().await?;
    Ok(before)
}
