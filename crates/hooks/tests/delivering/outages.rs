//! An outage of the receiver, or of this program, loses nothing and repeats nothing.

use std::collections::HashSet;

use appstitch_hooks::HookState;
use jiff::SignedDuration;
use serde_json::json;

use crate::{
    catalog::Catalog,
    receiver::{PlannedResponse, Received, Receiver},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_fails_nine_times_gets_every_change_once() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.publish(&[("a", "1"), ("b", "1")]).await;
    catalog.add("ops", &receiver).await;
    let before = catalog.publisher.current().journal().newest();
    receiver.plan(vec![PlannedResponse::Status(500, ""); 9]);
    catalog.publish(&[("a", "2"), ("b", "1")]).await;
    let first = receiver.next().await;
    for attempt in 1..=9 {
        if attempt == 4 {
            catalog.publish(&[("a", "2"), ("b", "2"), ("c", "1")]).await;
        }
        catalog.to_next_attempt("ops", attempt).await;
        let repeat = receiver.next().await;
        assert_eq!((repeat.id(), &repeat.text), (first.id(), &first.text), "the same message");
        assert_ne!(repeat.signatures(), first.signatures(), "the time is signed");
    }
    let gap = receiver.next().await;
    catalog.settled("ops").await;
    let delivered = [first.numbers(), gap.numbers()].concat();
    assert_eq!(delivered, catalog.numbers(before), "every change once");
    assert_ne!(gap.id(), first.id());
    assert!(receiver.rest().is_empty());
    let deliveries = catalog.hooks.deliveries("ops").await.unwrap();
    assert_eq!(deliveries.len(), 11);
    assert_eq!(deliveries.iter().filter(|delivery| delivery.delivered).count(), 2);
    assert_eq!(deliveries[10].error.as_deref(), Some("status 500"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_fails_for_days_is_disabled_and_goes_on_when_enabled() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan(vec![PlannedResponse::Status(503, ""); 10]);
    catalog.publish(&[("a", "1")]).await;
    for attempt in 1..=9 {
        catalog.to_next_attempt("ops", attempt).await;
    }
    let hook = catalog.until("ops", |hook| hook.state == HookState::Disabled).await;
    let reason = hook.reason.unwrap();
    assert!(reason.starts_with("10 attempts failed since "), "{reason}");
    assert!(reason.ends_with("status 503"), "{reason}");
    assert_eq!(receiver.rest().len(), 10);
    catalog.publish(&[("a", "2")]).await;
    catalog.clock.advance(SignedDuration::from_hours(100));
    catalog.hooks.enable("ops").await.unwrap();
    catalog.settled("ops").await;
    let delivered: Vec<u64> = receiver.rest().iter().flat_map(Received::numbers).collect();
    assert_eq!(delivered, catalog.numbers(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_repeats_nothing_that_was_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let mut receiver = Receiver::start();
    let mut delivered = Vec::new();
    let mut ids = HashSet::new();
    for version in ["1", "2", "3"] {
        let catalog = Catalog::open(&folder).await;
        if version == "1" {
            catalog.add("ops", &receiver).await;
        }
        catalog.publish(&[("a", version)]).await;
        catalog.settled("ops").await;
        catalog.hooks.stop().await;
        for message in receiver.rest() {
            delivered.extend(message.numbers());
            assert!(ids.insert(message.id().to_owned()));
        }
        if version == "3" {
            assert_eq!(delivered, catalog.numbers(0));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_is_written_again_repeats_the_same_message() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan(vec![PlannedResponse::Status(500, ""); 2]);
    catalog.publish(&[("a", "1")]).await;
    let first = receiver.next().await;
    catalog.until("ops", |hook| hook.attempts == 1).await;
    catalog.publish(&[("a", "1"), ("b", "1")]).await;
    let written = catalog.add("ops", &receiver).await.status;
    assert_eq!((written.attempts, written.next_attempt), (0, None), "it is tried at once");
    let repeat = receiver.next().await;
    assert_eq!((repeat.id(), &repeat.text), (first.id(), &first.text));
    catalog.until("ops", |hook| hook.attempts == 1).await;
    let filter = json!({"slugs": ["a", "b"]});
    catalog.put("ops", json!({"url": receiver.url(), "filter": filter})).await;
    let other = receiver.next().await;
    assert_ne!(other.id(), first.id(), "another filter makes another message");
    assert_eq!(other.numbers(), catalog.numbers(0));
}
