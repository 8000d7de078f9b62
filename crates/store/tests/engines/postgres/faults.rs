//! A server that is stopped or does not answer: every operation fails in time, with an error that says
//! that it may succeed later, and succeeds later.

use appstitch_store::{Change, Store, StoreError};

use super::{open, own_server};
use crate::catalog::{first_change, record};

#[tokio::test]
async fn everything_works_again_after_a_restart() {
    let (server, address) = own_server();
    let store = open(&address).await;
    let base_edition = store.commit(first_change()).await.unwrap();
    let change = || Change {
        base_edition: base_edition.clone(),
        put_records: vec![record("b")],
        ..Change::default()
    };
    server.stop();
    for error in [
        store.edition().await.unwrap_err(),
        store.load().await.unwrap_err(),
        store.commit(change()).await.unwrap_err(),
        Store::open(&address).await.unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::Unavailable(_)) && error.is_temporary(), "{error}");
    }
    server.start_again();
    assert_eq!(store.edition().await.unwrap().number, 1, "nothing was written");
    assert_eq!(store.commit(change()).await.unwrap().number, 2);
    // The connections that are kept are those of the server before.
    server.stop();
    server.start_again();
    assert_eq!(store.load().await.unwrap().records.len(), 3);
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_not_waited_for_without_end() {
    let (server, address) = own_server();
    let store = open(&address).await;
    server.freeze();
    let error = store.edition().await.unwrap_err();
    server.thaw();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    assert_eq!(store.edition().await.unwrap().number, 0);
}

#[tokio::test]
async fn a_lock_that_is_held_too_long_is_not_waited_for_without_end() {
    let (server, address) = own_server();
    let store = open(&address).await;
    let url = server.url("catalog");
    let holder = std::thread::spawn(move || {
        appstitch_cluster::execute(
            &url,
            "BEGIN; SELECT * FROM edition FOR UPDATE; SELECT pg_sleep(20)",
        );
    });
    let lock = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()";
    while appstitch_cluster::query(&server.url("catalog"), lock) != "1" {}
    let error = store.commit(first_change()).await.unwrap_err();
    assert!(matches!(&error, StoreError::Unavailable(why) if why.contains("55P03")), "{error}");
    holder.join().unwrap();
    assert_eq!(store.commit(first_change()).await.unwrap().number, 1);
}
