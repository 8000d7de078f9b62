//! Other processes hear of a commit.

use std::time::Duration;

use appstitch_cluster::{database, execute};
use appstitch_store::{Duty, Store};

use super::{open, own_server};
use crate::catalog::first_change;

/// Waits until a store is at an edition, as often as the watch tells to look.
async fn followed(store: &Store, edition: u64) {
    let mut watch = store.watch();
    while store.edition().await.ok().map(|edition| edition.number) != Some(edition) {
        watch.changed().await;
    }
}

#[tokio::test]
async fn a_commit_is_heard_by_every_other_process() {
    let url = database();
    let address = url.parse().unwrap();
    let (writer, readers) = (open(&address).await, [open(&address).await, open(&address).await]);
    let watching = readers.map(|store| tokio::spawn(async move { followed(&store, 1).await }));
    writer.commit(first_change()).await.unwrap();
    for reader in watching {
        tokio::time::timeout(Duration::from_mins(1), reader).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_listener_comes_back_after_its_connection_broke() {
    let (server, address) = own_server();
    let (writer, reader) = (open(&address).await, open(&address).await);
    let mut watch = reader.watch();
    watch.changed().await;
    server.stop();
    assert!(reader.edition().await.unwrap_err().is_temporary());
    server.start_again();
    writer.commit(first_change()).await.unwrap();
    while reader.edition().await.ok().map(|edition| edition.number) != Some(1) {
        watch.changed().await;
    }
    execute(
        &server.url("catalog"),
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'",
    );
    followed(&reader, 1).await;
}

/// A process that hangs does not show the server that it works.
#[tokio::test]
async fn a_duty_moves_when_its_process_hangs() {
    let url = database();
    let (taken, is_taken) = tokio::sync::oneshot::channel();
    let (go_on, until) = std::sync::mpsc::channel();
    let address = url.parse().unwrap();
    let hanging = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = open(&address).await;
            let lock = store.lock(Duty::Refresh).await.unwrap().unwrap();
            taken.send(()).unwrap();
            // Nothing else runs on this thread.
            until.recv().unwrap();
            lock.is_held()
        })
    });
    is_taken.await.unwrap();
    let other = open(&url.parse().unwrap()).await;
    assert!(other.lock(Duty::Refresh).await.unwrap().is_none());
    let moved = async {
        while other.lock(Duty::Refresh).await.unwrap().is_none() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(3), moved).await.unwrap();
    go_on.send(()).unwrap();
    assert!(!hanging.join().unwrap(), "it does not count on its right any more");
}

#[tokio::test]
async fn a_duty_moves_when_its_process_is_cut_off() {
    let (server, address) = own_server();
    let (first, second) = (open(&address).await, open(&address).await);
    let lock = first.lock(Duty::Hooks).await.unwrap().unwrap();
    assert!(second.lock(Duty::Hooks).await.unwrap().is_none());
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'";
    execute(&server.url("catalog"), cut);
    tokio::time::timeout(Duration::from_mins(1), lock.lost()).await.unwrap();
    assert!(!lock.is_held());
    assert!(second.lock(Duty::Hooks).await.unwrap().is_some());
}
