//! Answers other than a plain yes or no.

use std::time::Duration;

use appstitch_hooks::{HookError, HookState};

use crate::{
    catalog::Catalog,
    receiver::{PlannedResponse, Received, Receiver},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_a_failure_and_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan([PlannedResponse::Status(307, "location: /elsewhere\r\n")]);
    catalog.publish(&[("a", "1")]).await;
    catalog.until("ops", |hook| hook.attempts == 1).await;
    assert_eq!(receiver.rest().len(), 1);
    let deliveries = catalog.hooks.deliveries("ops").await.unwrap();
    assert_eq!(deliveries[0].status, Some(307));
    assert_eq!(deliveries[0].error.as_deref(), Some("status 307: redirects are not followed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_disables_the_hook() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan([PlannedResponse::Status(410, "")]);
    catalog.publish(&[("a", "1")]).await;
    let hook = catalog.until("ops", |hook| hook.state == HookState::Disabled).await;
    assert!(hook.reason.unwrap().contains("410 Gone"));
    catalog.publish(&[("a", "2")]).await;
    let refused = catalog.hooks.replay("ops", "0").await;
    assert!(matches!(refused, Err(HookError::Disabled)), "{refused:?}");
    assert!(catalog.hooks.test("ops").await.unwrap().delivered, "it can be tested");
    let kinds: Vec<String> = receiver.rest().iter().map(Received::kind).collect();
    assert_eq!(kinds, ["catalog.changed", "catalog.test"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_head_of_a_response_counts() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan([PlannedResponse::Endless]);
    catalog.publish(&[("a", "1")]).await;
    catalog.settled("ops").await;
    let deliveries = catalog.hooks.deliveries("ops").await.unwrap();
    assert_eq!((deliveries.len(), deliveries[0].status), (1, Some(200)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_receiver_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await.impatient(Duration::from_millis(200));
    let receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan([PlannedResponse::Silence]);
    let test = catalog.hooks.test("ops").await.unwrap();
    assert_eq!(test.error.as_deref(), Some("no answer within 0.2 seconds"));
    assert_eq!(test.status, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_may_ask_for_a_longer_pause() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    receiver.plan([PlannedResponse::Status(429, "retry-after: 7200\r\n")]);
    catalog.publish(&[("a", "1")]).await;
    let hook = catalog.until("ops", |hook| hook.attempts == 1).await;
    let pause = hook.next_attempt.unwrap().duration_since(hook.failing_since.unwrap());
    assert!((7199..=8641).contains(&pause.as_secs()), "{pause:?}");
}
