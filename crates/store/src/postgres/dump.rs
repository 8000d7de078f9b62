//! Reads every table for a backup.

use futures_util::{TryStreamExt, pin_mut};
use tokio::sync::mpsc;
use tokio_postgres::{Client, Row as PostgresRow};

use super::{
    columns::{Columns, signed},
    open,
    read::{rows, transaction},
};
use crate::{
    StoreError,
    backup::{Batch, Cell, Kind, NEWEST_APP, Piece, Row, TABLES, Table},
};

/// Sends every row as it is at one moment. Other processes can write meanwhile.
pub(super) async fn dump(
    client: &mut Client,
    send: &mpsc::Sender<Piece>,
) -> Result<(), StoreError> {
    let transaction = transaction(client).await?;
    // A statement lasts as long as its rows are read, at the speed at which they are packed. Whoever
    // takes the backup may also be slow between two tables.
    let patience = "SET LOCAL statement_timeout = '1h';
        SET LOCAL idle_in_transaction_session_timeout = '10min'";
    transaction.batch_execute(patience).await?;
    open::refuse_older(transaction.client()).await?;
    for table in TABLES {
        let rows = rows(&transaction, &query(table)).await?;
        pin_mut!(rows);
        let mut batch = Batch::new(table);
        while let Some(row) = rows.try_next().await? {
            deliver(send, batch.push(read(table, &row)?)).await?;
            tokio::task::coop::consume_budget().await;
        }
        deliver(send, batch.rest()).await?;
    }
    transaction.commit().await?;
    deliver(send, Some(Piece::End)).await
}

async fn deliver(send: &mpsc::Sender<Piece>, piece: Option<Piece>) -> Result<(), StoreError> {
    match piece {
        Some(piece) => send.send(piece).await.map_err(|_| StoreError::Interrupted),
        None => Ok(()),
    }
}

fn query(table: &Table) -> String {
    if table.name == NEWEST_APP {
        return "SELECT newest_app FROM edition".to_owned();
    }
    let columns = table.columns.iter().map(|column| match column.kind {
        // Numbers have several sizes.
        Kind::Count | Kind::Small | Kind::Moment => format!("{}::int8", column.name),
        _ => column.name.to_owned(),
    });
    let columns: Vec<String> = columns.collect();
    format!("SELECT {} FROM {} ORDER BY {}", columns.join(", "), table.name, table.order)
}

fn read(table: &Table, row: &PostgresRow) -> Result<Row, StoreError> {
    let cells = table.columns.iter().enumerate().map(|(place, column)| {
        let cell = match column.kind {
            Kind::Text | Kind::Time => row.optional_text(place)?.map(Cell::Text),
            Kind::Bytes => row.optional_bytes(place)?.map(Cell::Bytes),
            Kind::Count | Kind::Small => {
                row.optional_count("number", place)?.map(|number| Cell::Number(signed(number)))
            }
            Kind::Moment => row.try_get::<_, Option<i64>>(place)?.map(Cell::Number),
            Kind::Flag => row.try_get::<_, Option<bool>>(place)?.map(Cell::Flag),
        };
        let cell = cell.unwrap_or(Cell::Null);
        // What cannot be restored must not be in a backup.
        let invalid = |why: &str| StoreError::Unreadable {
            what: "value",
            value: format!("{}.{}: {why}", table.name, column.name),
        };
        column.check(&cell).map_err(invalid)?;
        Ok(cell)
    });
    cells.collect()
}
