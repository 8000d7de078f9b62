//! What is sent: filters, long lists, resets, replays, and the formats.

use appstitch_hooks::Clock;
use appstitch_store::{HookProgress, JournalPosition};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::{catalog::Catalog, receiver::Receiver};

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_gets_only_what_passes_its_filter() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    let filter = json!({"slugs": ["b"], "fields": ["current_version"]});
    catalog.put("ops", json!({"url": receiver.url(), "filter": filter})).await;
    catalog.publish(&[("a", "1")]).await;
    catalog.settled("ops").await;
    assert!(receiver.rest().is_empty());
    catalog.publish(&[("a", "2"), ("b", "1")]).await;
    catalog.settled("ops").await;
    let body = receiver.next().await.json();
    assert_eq!(body["data"]["count"], 1);
    assert_eq!(body["data"]["changes"][0]["slug"], "b");
    assert_eq!(body["data"]["changes"][0]["kind"], "added");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_says_where_the_rest_is() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.publish_many(120, "1").await;
    catalog.add("ops", &receiver).await;
    catalog.publish_many(120, "2").await;
    let message = receiver.next().await;
    let body = message.json();
    assert_eq!(body["type"], "catalog.changed");
    assert_eq!(body["data"]["count"], 120);
    assert!(message.numbers().len() <= 50 && message.text.len() < 20_000);
    let more = body["data"]["more_url"].as_str().unwrap();
    let last = message.numbers().pop().unwrap();
    assert!(more.starts_with("https://apps.example/changes?since="), "{more}");
    assert!(more.contains(&format!("-{last}-")), "{more}");
    catalog.settled("ops").await;
    assert!(receiver.rest().is_empty(), "one message for a revision");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_epoch_is_reported_as_a_reset() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.publish(&[("a", "1")]).await;
    catalog.add("ops", &receiver).await;
    let mut hook = catalog.store.hooks().await.unwrap().remove(0);
    let elsewhere = JournalPosition { epoch: "ffffffff".to_owned(), seq: 1 };
    hook.progress = HookProgress::after(elsewhere);
    let generation = hook.generation;
    catalog.store.put_hook(hook, Some(generation), 50).await.unwrap();
    catalog.publish(&[("a", "2")]).await;
    let reset = receiver.next().await;
    assert_eq!(reset.kind(), "catalog.reset");
    assert!(reset.id().ends_with("-reset"), "{}", reset.id());
    assert_eq!(reset.json()["data"]["snapshot_url"], "https://apps.example/apps");
    catalog.settled("ops").await;
    catalog.publish(&[("a", "3")]).await;
    assert_eq!(receiver.next().await.kind(), "catalog.changed", "it goes on from there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_to_nothing_has_the_time_of_the_message() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    let before = catalog.clock.now();
    catalog.add("ops", &receiver).await;
    let mut hook = catalog.store.hooks().await.unwrap().remove(0);
    let elsewhere = JournalPosition { epoch: "ffffffff".to_owned(), seq: 1 };
    hook.progress = HookProgress::after(elsewhere);
    let generation = hook.generation;
    catalog.store.put_hook(hook, Some(generation), 50).await.unwrap();
    // Nothing was published, so the worker looks when its interval has passed.
    catalog.clock.until_asleep(1, 10).await;
    catalog.clock.advance(SignedDuration::from_secs(10));
    let reset = receiver.next().await;
    assert_eq!(reset.kind(), "catalog.reset");
    let at: Timestamp = reset.json()["timestamp"].as_str().unwrap().parse().unwrap();
    assert!(at.as_second() >= before.as_second(), "{at}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_is_another_message() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    catalog.publish(&[("a", "1"), ("b", "1")]).await;
    let first = receiver.next().await;
    catalog.settled("ops").await;
    catalog.hooks.replay("ops", "0").await.unwrap();
    let again = receiver.next().await;
    assert_eq!(again.numbers(), first.numbers());
    assert!(again.id().starts_with(&format!("{}-replay-", first.id())), "{}", again.id());
    catalog.settled("ops").await;
    assert!(catalog.hooks.replay("ops", "99").await.is_err());
    assert!(catalog.hooks.replay("ops", "ffffffff-1").await.is_err());
    assert!(catalog.hooks.replay("ops", "tomorrow").await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_services_get_messages_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    for (format, key) in [("slack", "blocks"), ("teams", "attachments")] {
        let mut receiver = Receiver::start();
        let hook = catalog.put(format, json!({"url": receiver.url(), "format": format})).await;
        assert_eq!(hook.status.url, format!("http://127.0.0.1:{}/…", receiver.port));
        catalog.publish(&[(format, "1")]).await;
        let message = receiver.next().await;
        assert!(message.json()[key].is_array(), "{}", message.text);
        assert!(message.text.contains("https://apps.example/a/"), "{}", message.text);
        assert!(catalog.hooks.test(format).await.unwrap().delivered);
        assert!(receiver.next().await.json()[key].is_array());
        catalog.hooks.remove(format).await.unwrap();
    }
}
