//! A store that loses its last writes, as a database does that fails over to a standby behind it.

use std::path::Path;

use appstitch_snapshot::{ChangeRow, SinceError};
use jiff::Timestamp;
use rusqlite::Connection;

use crate::{
    catalog::Catalog,
    receiver::{Received, Receiver},
};

/// Copies a store.
fn copy(folder: &Path) {
    let connection = Connection::open(folder.join("catalog.db")).unwrap();
    let copy = folder.join("copy.db").display().to_string();
    connection.execute("VACUUM INTO ?1", [copy]).unwrap();
}

/// Makes a store what its copy is, while others have it open.
fn go_back(folder: &Path) {
    let mut connection = Connection::open(folder.join("catalog.db")).unwrap();
    let copy = folder.join("copy.db").display().to_string();
    connection.execute("ATTACH ?1 AS copy", [copy]).unwrap();
    let transaction = connection.transaction().unwrap();
    let tables: Vec<String> = transaction
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for table in tables {
        let replace =
            format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM copy.{table}");
        transaction.execute_batch(&replace).unwrap();
    }
    transaction.commit().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_agree_again_and_every_receiver_is_notified() {
    let folder = tempfile::tempdir().unwrap();
    let first = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    first.add("ops", &receiver).await;
    first.publish(&[("a", "1")]).await;
    first.settled("ops").await;
    let second = Catalog::open(&folder).await;
    copy(folder.path());
    first.publish(&[("a", "lost")]).await;
    first.settled("ops").await;
    let lost = first.publisher.current().journal().token(2);
    receiver.rest();

    go_back(folder.path());
    second.publish(&[("a", "2")]).await;
    first.publisher.follow_store().await.unwrap();
    second.publisher.follow_store().await.unwrap();
    let agree = |why: &str| {
        let (one, other) = (first.publisher.current(), second.publisher.current());
        assert_eq!(one.token(), other.token(), "{why}");
        let changes = |catalog: &Catalog| {
            let current = catalog.publisher.current();
            current.journal().after(0).map(ChangeRow::change).collect::<Vec<_>>()
        };
        assert_eq!(changes(&first), changes(&second), "{why}");
        for current in [one, other] {
            let found = current.journal().position(&lost, Timestamp::now());
            assert!(matches!(found, Err(SinceError::Gone(_))), "{why}: {found:?}");
        }
    };
    agree("after the loss");
    let reset = receiver.next().await;
    assert_eq!(reset.kind(), "catalog.reset");
    first.settled("ops").await;
    for catalog in [&first, &second] {
        let losses = catalog.publisher.store_losses();
        assert_eq!(losses.count, 1);
        assert!(losses.last_at.is_some());
    }

    second.publish(&[("a", "3")]).await;
    first.publisher.follow_store().await.unwrap();
    agree("after the next revision");
    first.publish(&[("a", "4")]).await;
    second.publisher.follow_store().await.unwrap();
    agree("after one of the other server");
    first.settled("ops").await;
    let kinds: Vec<String> = receiver.rest().iter().map(Received::kind).collect();
    assert!(kinds.iter().all(|kind| kind == "catalog.changed"), "{kinds:?}");
}

/// The numbers of lost changes are not used again, because feeds and receivers know changes by them.
#[tokio::test(flavor = "multi_thread")]
async fn an_upload_notices_the_loss_and_uses_no_number_again() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    catalog.publish(&[("a", "1")]).await;
    copy(folder.path());
    catalog.publish(&[("a", "lost")]).await;
    assert_eq!(catalog.numbers(0), [1, 2]);
    go_back(folder.path());
    catalog.publish(&[("a", "2")]).await;
    assert_eq!(catalog.numbers(0), [1, 3]);
    assert_eq!(catalog.publisher.store_losses().count, 1);
    drop(catalog);
    let again = Catalog::open(&folder).await;
    assert_eq!((again.numbers(0), again.publisher.store_losses().count), (vec![1, 3], 1));
}
