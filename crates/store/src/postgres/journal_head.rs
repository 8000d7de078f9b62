//! Where the journal of changes begins and ends.

use tokio_postgres::GenericClient;

use super::columns::Columns;
use crate::{JournalHead, StoreError};

/// What the numbers are called in errors.
pub(super) const NUMBER: &str = "number of a change";

pub(super) async fn journal_head(client: &impl GenericClient) -> Result<JournalHead, StoreError> {
    let row = client.query_one("SELECT epoch, newest, floor, floor_at FROM journal", &[]).await?;
    Ok(JournalHead {
        epoch: row.text(0)?,
        newest: row.count(NUMBER, 1)?,
        floor: row.count(NUMBER, 2)?,
        floor_at: row.optional_time(3)?,
    })
}
