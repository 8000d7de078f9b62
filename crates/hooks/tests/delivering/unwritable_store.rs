//! A store that can be read but not written. Every write checks that the file is still at its path, so
//! moving the file away makes all writes fail.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, Barrier},
};

use jiff::SignedDuration;

use crate::{
    catalog::Catalog,
    receiver::{PlannedResponse, Receiver},
};

/// Moves the store of a catalog away and back.
struct StoreFile {
    path: PathBuf,
    elsewhere: PathBuf,
}

impl StoreFile {
    fn of(folder: &tempfile::TempDir) -> Self {
        let path = |name| folder.path().join(name);
        Self { path: path("catalog.db"), elsewhere: path("elsewhere.db") }
    }

    fn move_away(&self) {
        fs::rename(&self.path, &self.elsewhere).unwrap();
    }

    fn move_back(&self) {
        fs::rename(&self.elsewhere, &self.path).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_repeated_while_the_store_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan([PlannedResponse::Status(500, "")]);
    catalog.publish(&[("a", "1")]).await;
    let first = receiver.next().await;
    catalog.until("ops", |hook| hook.attempts == 1).await;
    let file = StoreFile::of(&folder);
    file.move_away();
    catalog.to_next_attempt("ops", 1).await;
    // The worker until it looks again, and the delivery.
    catalog.clock.until_asleep(2, 10).await;
    assert!(receiver.rest().is_empty());
    file.move_back();
    catalog.clock.advance(SignedDuration::from_secs(10));
    assert_eq!(receiver.next().await.id(), first.id());
    catalog.settled("ops").await;
    assert!(receiver.rest().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_cannot_be_written_is_followed_by_a_pause() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    let barrier = Arc::new(Barrier::new(2));
    receiver.plan([PlannedResponse::Late(Arc::clone(&barrier))]);
    catalog.publish(&[("a", "1")]).await;
    let first = receiver.next().await;
    let file = StoreFile::of(&folder);
    file.move_away();
    barrier.wait();
    for _ in 0..5 {
        catalog.clock.until_asleep(1, 1).await;
        catalog.clock.advance(SignedDuration::from_secs(1));
    }
    catalog.clock.until_asleep(1, 10).await;
    file.move_back();
    assert!(receiver.rest().is_empty());
    catalog.clock.advance(SignedDuration::from_secs(10));
    assert_eq!(receiver.next().await.id(), first.id(), "the result was lost");
    catalog.settled("ops").await;
    assert!(receiver.rest().is_empty());
}
