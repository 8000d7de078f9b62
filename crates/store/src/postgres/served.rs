//! Reads the stored copy of the served catalog.

use futures_util::{TryStreamExt, pin_mut};
use tokio_postgres::{Client, GenericClient, Row};

use super::{
    columns::Columns,
    read::{each, edition, insertions, newest_revision, rows, served_by, transaction},
    read_sources::stored_sources,
};
use crate::{ServedApp, ServedBy, ServedSizes, ServedState, StoreError};

/// Reads the served apps in one transaction. Each is taken as it arrives: the server sends no faster
/// than they are taken, so the whole catalog is never in memory twice.
pub(super) async fn served<A>(
    client: &mut Client,
    rules: &str,
    uncounted: &str,
    prepare: fn(ServedSizes) -> A,
    take: fn(&mut A, ServedApp),
) -> Result<Option<(A, ServedState)>, StoreError> {
    let transaction = transaction(client).await?;
    let made_by = served_by(&transaction).await?.filter(|made_by| made_by.rules == rules);
    let hash = made_by.map(|made_by| made_by.content_hash);
    let revision = newest_revision(&transaction).await?;
    let Some(revision) = revision.filter(|revision| hash.as_ref() == Some(&revision.content_hash))
    else {
        transaction.commit().await?;
        return Ok(None);
    };
    let mut apps = prepare(sizes(&transaction).await?);
    let query = "SELECT slug, app, sources, provenance, drift, notes FROM served ORDER BY slug";
    {
        let rows = rows(&transaction, query).await?;
        pin_mut!(rows);
        while let Some(row) = rows.try_next().await? {
            take(&mut apps, app(&row)?);
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
    Ok(Some((apps, state)))
}

fn app(row: &Row) -> Result<ServedApp, StoreError> {
    Ok(ServedApp {
        slug: row.text(0)?,
        app: row.bytes(1)?,
        sources: row.bytes(2)?,
        provenance: row.bytes(3)?,
        drift: row.optional_bytes(4)?,
        notes: row.bytes(5)?,
    })
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
            let query = "SELECT slug, app, drift FROM served ORDER BY slug";
            let read = |row: &Row| {
                Ok(ServedApp {
                    slug: row.text(0)?,
                    app: row.bytes(1)?,
                    drift: row.optional_bytes(2)?,
                    ..ServedApp::default()
                })
            };
            Some((made_by, each(&transaction, query, read).await?))
        }
    };
    transaction.commit().await?;
    Ok(before)
}
