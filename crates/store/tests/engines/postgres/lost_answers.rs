//! A commit whose answer is lost: the writer finds out whether it was made.

use appstitch_store::{Change, Edition, Store, StoreError};

use super::{
    open, own_server,
    proxy::{Cut, Proxy},
};
use crate::catalog::{first_change, record};

fn second_change(base_edition: Edition) -> Change {
    Change { base_edition, put_records: vec![record("second")], ..Change::default() }
}

#[tokio::test]
async fn a_commit_that_was_made_counts() {
    let (server, address) = own_server();
    let proxy = Proxy::start(&server);
    let store = open(&proxy.address()).await;
    proxy.cut_next_commit(Cut::After);
    let edition = store.commit(first_change()).await.unwrap();
    assert_eq!(edition.number, 1);
    assert_eq!(open(&address).await.load().await.unwrap().records.len(), 2);
    assert_eq!(store.commit(second_change(edition)).await.unwrap().number, 2);
}

#[tokio::test]
async fn a_commit_that_was_not_made_is_an_error() {
    let (server, _) = own_server();
    let proxy = Proxy::start(&server);
    let store = open(&proxy.address()).await;
    for cut in [Cut::Before, Cut::Stuck] {
        proxy.cut_next_commit(cut);
        let error = store.commit(first_change()).await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{cut:?}: {error}");
        assert_eq!(store.edition().await.unwrap().number, 0, "{cut:?}");
    }
    assert_eq!(store.commit(first_change()).await.unwrap().number, 1);
}

/// The next writer does not hide who wrote before.
#[tokio::test]
async fn a_commit_that_was_made_counts_even_if_another_one_follows() {
    let (server, address) = own_server();
    let proxy = Proxy::start(&server);
    let (store, other) = (open(&proxy.address()).await, open(&address).await);
    proxy.cut_next_commit(Cut::After);
    let follow = async |store: &Store| {
        loop {
            let edition = store.edition().await.unwrap();
            if edition.number == 1 {
                return store.commit(second_change(edition)).await;
            }
            tokio::task::yield_now().await;
        }
    };
    let (first, second) = tokio::join!(store.commit(first_change()), follow(&other));
    assert_eq!((first.unwrap().number, second.unwrap().number), (1, 2));
}
