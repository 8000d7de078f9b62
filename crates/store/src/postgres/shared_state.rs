//! State that processes with one store share besides the catalog.

use tokio_postgres::{Client, GenericClient};

use super::{
    commit::{announce, lock},
    open::hold_schema,
    read::has_table,
    text::written,
};
use crate::{
    columns::signed,
    edition::{Edition, Losses, LostEdition},
    error::StoreError,
    fail_point::FailPoint,
    rows,
    source_state::StoredRefresh,
};

pub(super) async fn has_seen(
    client: &impl GenericClient,
    edition: &Edition,
) -> Result<bool, StoreError> {
    if edition.mark.is_empty() {
        return Ok(true);
    }
    let query = "SELECT coalesce(min(edition) > $1, FALSE)
            OR coalesce(bool_or(edition = $1 AND mark = $2), FALSE)
        FROM written";
    let row = client.query_one(query, &[&signed(edition.number), &edition.mark]).await?;
    Ok(row.try_get(0)?)
}

pub(super) async fn note_loss(client: &mut Client, lost: &LostEdition) -> Result<bool, StoreError> {
    let transaction = client.transaction().await?;
    hold_schema(&transaction).await?;
    let found = lock(&transaction).await?;
    let LostEdition { edition, epoch, newest, found_at } = lost;
    let noted = transaction
        .execute(
            "INSERT INTO lost_edition (mark, edition, found_at) VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING",
            &[&edition.mark, &signed(edition.number), &found_at.as_millisecond()],
        )
        .await?;
    if noted == 0 {
        transaction.rollback().await?;
        return Ok(false);
    }
    let skip = "UPDATE journal SET newest = greatest(newest, $1) WHERE epoch = $2";
    transaction.execute(skip, &[&signed(*newest), &written(epoch)]).await?;
    let reset = "UPDATE hook SET cursor_epoch = '', cursor_seq = 0, pending_epoch = NULL,
        pending_seq = NULL, generation = generation + 1";
    transaction.execute(reset, &[]).await?;
    announce(&transaction, &found.next()?).await?;
    FailPoint::Commit.reach()?;
    transaction.commit().await?;
    Ok(true)
}

pub(super) async fn losses(client: &impl GenericClient) -> Result<Losses, StoreError> {
    if !has_table(client, "lost_edition").await? {
        return Ok(Losses::default());
    }
    rows::losses(&client.query_one(rows::LOSSES, &[]).await?)
}

pub(super) async fn last_refresh(
    client: &impl GenericClient,
) -> Result<Option<StoredRefresh>, StoreError> {
    if !has_table(client, "refresh_state").await? {
        return Ok(None);
    }
    client.query_opt(rows::LAST_REFRESH, &[]).await?.as_ref().map(rows::refresh).transpose()
}

pub(super) async fn note_refresh(
    client: &impl GenericClient,
    refresh: &StoredRefresh,
) -> Result<(), StoreError> {
    let StoredRefresh { ended_at, result, why } = refresh;
    client
        .execute(
            "INSERT INTO refresh_state (ended_at, result, why) VALUES ($1, $2, $3)
             ON CONFLICT (only_row) DO UPDATE SET ended_at = excluded.ended_at,
                 result = excluded.result, why = excluded.why",
            &[&ended_at.as_millisecond(), &written(result), &why.as_deref().map(written)],
        )
        .await?;
    Ok(())
}
