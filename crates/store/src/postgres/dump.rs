//! Reads every table for a backup.

use futures_util::{TryStreamExt, pin_mut};
use tokio_postgres::{Client, Row as PostgresRow};

use super::{
    open,
    read::{stream, transaction},
};
use crate::{
    backup::{Batch, Cell, Form, Kind, NEWEST_APP, Piece, PieceSender, Row, Table},
    columns::{Columns, signed},
    error::StoreError,
};

/// Sends every row as it is at one moment. Other processes can write meanwhile.
pub(super) async fn dump(
    client: &mut Client,
    send: &PieceSender,
    form: Form,
) -> Result<(), StoreError> {
    let transaction = transaction(client).await?;
    // A statement lasts as long as its rows are read, at the speed at which they are packed. Whoever
    // takes the backup may also be slow between two tables.
    let timeouts = "SET LOCAL statement_timeout = '1h';
        SET LOCAL idle_in_transaction_session_timeout = '10min'";
    transaction.batch_execute(timeouts).await?;
    open::reject_older(transaction.client()).await?;
    for table in form.tables() {
        let rows = stream(&transaction, &query(table)).await?;
        pin_mut!(rows);
        let mut batch = Batch::new(table);
        while let Some(row) = rows.try_next().await? {
            send.send(batch.push(read(table, &row)?)).await?;
            tokio::task::coop::consume_budget().await;
        }
        send.send(batch.rest()).await?;
    }
    transaction.commit().await?;
    send.send(Piece::End).await
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
    let cells = table.columns.iter().enumerate().map(|(position, column)| {
        let cell = match column.kind {
            Kind::Text | Kind::Time => row.optional_text(position)?.map(Cell::Text),
            Kind::Bytes => row.optional_bytes(position)?.map(Cell::Bytes),
            Kind::Count | Kind::Small => {
                row.optional_count("number", position)?.map(|number| Cell::Number(signed(number)))
            }
            Kind::Moment => row.try_get::<_, Option<i64>>(position)?.map(Cell::Number),
            Kind::Flag => row.try_get::<_, Option<bool>>(position)?.map(Cell::Flag),
        };
        table.checked(column, cell.unwrap_or(Cell::Null))
    });
    cells.collect()
}
