//! The last run of each label.

use jiff::Timestamp;
use tokio_postgres::{Client, GenericClient};

use super::{
    batch::{batches, last_of_each, optional_texts, texts, values},
    read::each,
};
use crate::{error::StoreError, label_run::StoredLabelRun, rows};

pub(super) async fn all(client: &impl GenericClient) -> Result<Vec<StoredLabelRun>, StoreError> {
    each(client, rows::LABEL_RUNS, rows::label_run).await
}

pub(super) async fn put(client: &mut Client, runs: &[StoredLabelRun]) -> Result<(), StoreError> {
    let transaction = client.transaction().await?;
    // Writers take turns, so that they cannot wait for each other's rows.
    transaction.batch_execute("LOCK TABLE label_run IN EXCLUSIVE MODE").await?;
    let put = transaction
        .prepare(
            "INSERT INTO label_run (file, fragment, run_at, outcome, why)
             SELECT * FROM unnest($1::text[], $2::text[], $3::int8[], $4::text[], $5::text[])
             ON CONFLICT (file) DO UPDATE SET fragment = excluded.fragment,
                 run_at = excluded.run_at, outcome = excluded.outcome, why = excluded.why",
        )
        .await?;
    let runs = last_of_each(runs, |run| &run.file);
    for batch in batches(&runs, |run| run.file.len() + run.why.as_ref().map_or(0, String::len)) {
        let file = texts(batch, |run| &run.file);
        let fragment = texts(batch, |run| &run.fragment);
        let run_at = values(batch, |run| run.run_at.as_millisecond());
        let outcome = texts(batch, |run| &run.outcome);
        let why = optional_texts(batch, |run| run.why.as_deref());
        transaction.execute(&put, &[&file, &fragment, &run_at, &outcome, &why]).await?;
    }
    Ok(transaction.commit().await?)
}

pub(super) async fn forget_before(client: &mut Client, time: Timestamp) -> Result<(), StoreError> {
    let transaction = client.transaction().await?;
    transaction.batch_execute("LOCK TABLE label_run IN EXCLUSIVE MODE").await?;
    let forget = "DELETE FROM label_run WHERE run_at < $1";
    transaction.execute(forget, &[&time.as_millisecond()]).await?;
    Ok(transaction.commit().await?)
}
