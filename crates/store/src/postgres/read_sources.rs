//! Reads the states of the sources and counts their documents.

use std::collections::BTreeMap;

use tokio_postgres::GenericClient;

use super::{columns::Columns, read::each, text::written};
use crate::{SourceState, StoreError, StoredSources};

pub(super) async fn stored_sources(
    client: &impl GenericClient,
    uncounted: &str,
) -> Result<StoredSources, StoreError> {
    Ok(StoredSources {
        states: source_states(client).await?,
        documents: document_counts(client, uncounted).await?,
    })
}

pub(super) async fn source_states(
    client: &impl GenericClient,
) -> Result<Vec<SourceState>, StoreError> {
    let query =
        "SELECT source, received_at, changed_at, rejected FROM source_state ORDER BY source";
    each(client, query, |row| {
        Ok(SourceState {
            source: row.text(0)?,
            received_at: row.time(1)?,
            changed_at: row.optional_time(2)?,
            rejected: row.optional_count("count", 3)?,
        })
    })
    .await
}

/// Counts without reading the bodies, in the order of the primary key.
async fn document_counts(
    client: &impl GenericClient,
    uncounted: &str,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let query = "SELECT source, count(*) FROM (
            SELECT DISTINCT source, key FROM document WHERE NOT starts_with(key, $1)) AS keys
        GROUP BY source";
    let rows = client.query(query, &[&written(uncounted)]).await?;
    rows.iter().map(|row| Ok((row.text(0)?, row.count("count", 1)?))).collect()
}
