//! Several servers on one store: each message is sent by one of them.

use appstitch_store::{Duty, HookProgress, JournalPosition, Store, StoreAddress};
use jiff::SignedDuration;
use tempfile::TempDir;

use crate::{
    catalog::Catalog,
    receiver::{Received, Receiver},
};

/// Two servers on one store. The first one has told the receiver about a change before the second one
/// started.
struct SharedStore {
    first: Catalog,
    second: Catalog,
    receiver: Receiver,
    _folder: TempDir,
}

impl SharedStore {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let first = Catalog::open(&folder).await;
        let receiver = Receiver::start();
        first.add("ops", &receiver).await;
        first.publish(&[("a", "1")]).await;
        first.settled("ops").await;
        let second = Catalog::open(&folder).await;
        Self { first, second, receiver, _folder: folder }
    }
}

fn assert_each_change_once(receiver: &mut Receiver, catalog: &Catalog) {
    let delivered: Vec<u64> = receiver.rest().iter().flat_map(Received::numbers).collect();
    assert_eq!(delivered, catalog.numbers(0), "each change once");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_delivers_and_the_other_takes_over() {
    let SharedStore { _folder, first, second, mut receiver } = SharedStore::open().await;
    second.publish(&[("a", "2")]).await;
    first.publisher.follow_store().await.unwrap();
    first.settled("ops").await;
    first.hooks.stop().await;
    second.publish(&[("a", "3")]).await;
    second.clock.advance(SignedDuration::from_secs(11));
    second.settled("ops").await;
    assert_each_change_once(&mut receiver, &second);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lags_behind_takes_over_without_a_reset() {
    let SharedStore { _folder, first, second, mut receiver } = SharedStore::open().await;
    first.publish(&[("a", "2")]).await;
    first.settled("ops").await;
    first.hooks.stop().await;
    second.clock.advance(SignedDuration::from_secs(11));
    second.clock.until_asleep(1, 10).await;
    second.publisher.follow_store().await.unwrap();
    second.publish(&[("a", "3")]).await;
    second.settled("ops").await;
    assert_each_change_once(&mut receiver, &second);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_reads_the_newest_revision_before_a_reset() {
    let folder = tempfile::tempdir().unwrap();
    let first = Catalog::open(&folder).await;
    first.hooks.stop().await;
    first.publish(&[("a", "1")]).await;
    let second = Catalog::open(&folder).await;
    first.publish(&[("a", "2")]).await;
    let mut receiver = Receiver::start();
    first.add("ops", &receiver).await;
    let mut hook = first.store.hooks().await.unwrap().remove(0);
    let generation = hook.generation;
    hook.progress = HookProgress::after(JournalPosition { epoch: "ffffffff".to_owned(), seq: 1 });
    first.store.put_hook(hook, Some(generation), 50).await.unwrap();
    second.clock.advance(SignedDuration::from_secs(11));
    assert_eq!(receiver.next().await.kind(), "catalog.reset");
    // The cursor is after the changes that the first server published.
    first.settled("ops").await;
    assert_eq!(second.numbers(0), first.numbers(0));
    assert!(receiver.rest().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_paths_of_one_store_have_one_lock() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(folder.path().join("catalog.db"), &link).unwrap();
    let linked = Store::open(&StoreAddress::Sqlite(link)).await.unwrap();
    let lock = catalog.store.lock(Duty::Hooks).await.unwrap();
    assert!(lock.is_some());
    assert!(linked.lock(Duty::Hooks).await.unwrap().is_none());
    drop(lock);
    assert!(linked.lock(Duty::Hooks).await.unwrap().is_some());
    assert!(folder.path().join("catalog.db-hooks").exists());
}
