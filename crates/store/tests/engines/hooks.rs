//! Webhooks and their deliveries in a store.

use appstitch_store::{
    Duty, HookProgress, HookWrite, JournalPosition, StoredDelivery, StoredHook, StoredSecret,
};
use jiff::Timestamp;

use crate::{TestStore, on_each_engine};

on_each_engine!(
    a_hook_comes_back_as_it_was_written,
    a_write_needs_the_generation_it_is_based_on_and_room,
    progress_and_delivery_are_written_together_and_the_operator_wins,
    one_process_delivers,
);

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn position(seq: u64) -> JournalPosition {
    JournalPosition { epoch: "e1".to_owned(), seq }
}

pub(crate) fn hook(id: &str) -> StoredHook {
    StoredHook {
        id: id.to_owned(),
        url: "https://example.com/hook".to_owned(),
        secret: StoredSecret("sesame".to_owned()),
        previous_secret: Some((StoredSecret("simsim".to_owned()), time("2026-03-06T00:00:00Z"))),
        filter: "{}".to_owned(),
        format: "standard".to_owned(),
        created_at: time("2026-03-05T06:07:08.123Z"),
        progress: HookProgress {
            pending: Some(position(9)),
            replay_at: Some(time("2026-03-05T06:07:09Z")),
            attempts: 3,
            failing_since: Some(time("2026-03-05T06:07:10Z")),
            next_attempt: Some(time("2026-03-05T06:07:11Z")),
            disabled: Some("gone".to_owned()),
            ..HookProgress::after(position(7))
        },
        generation: 0,
    }
}

pub(crate) fn delivery(number: u64) -> StoredDelivery {
    StoredDelivery {
        at: time("2026-03-05T06:07:08Z"),
        message: format!("e1-{number}"),
        kind: "catalog.changed".to_owned(),
        changes: number,
        status: Some(200),
        elapsed_ms: 12,
        error: None,
    }
}

async fn a_hook_comes_back_as_it_was_written(fixture: TestStore) {
    let store = fixture.open().await;
    let edition = store.edition().await.unwrap();
    assert_eq!(store.put_hook(hook("b"), None, 9).await.unwrap(), HookWrite::Done);
    assert_eq!(store.put_hook(hook("a"), None, 9).await.unwrap(), HookWrite::Done);
    drop(store);
    let store = fixture.open().await;
    let hooks = store.hooks().await.unwrap();
    let generation = hooks[0].generation;
    assert_eq!(hooks, ["a", "b"].map(|id| StoredHook { generation, ..hook(id) }));
    assert_eq!(store.edition().await.unwrap(), edition, "hooks are not part of the catalog");
    assert!(!format!("{hooks:?}").contains("sesame") && !format!("{hooks:?}").contains("simsim"));
}

async fn a_write_needs_the_generation_it_is_based_on_and_room(fixture: TestStore) {
    let store = fixture.open().await;
    assert_eq!(store.put_hook(hook("a"), Some(1), 1).await.unwrap(), HookWrite::Moved);
    assert_eq!(store.put_hook(hook("a"), None, 1).await.unwrap(), HookWrite::Done);
    assert_eq!(store.put_hook(hook("a"), None, 1).await.unwrap(), HookWrite::Moved);
    assert_eq!(store.put_hook(hook("b"), None, 1).await.unwrap(), HookWrite::Full);
    let first = store.hooks().await.unwrap()[0].generation;
    assert_eq!(store.put_hook(hook("a"), Some(first), 1).await.unwrap(), HookWrite::Done);
    assert_eq!(store.hooks().await.unwrap()[0].generation, first + 1);
    assert!(store.remove_hook("a".to_owned()).await.unwrap());
    assert!(!store.remove_hook("a".to_owned()).await.unwrap());
}

async fn progress_and_delivery_are_written_together_and_the_operator_wins(fixture: TestStore) {
    let store = fixture.open().await;
    store.put_hook(hook("a"), None, 1).await.unwrap();
    let read = store.hooks().await.unwrap().remove(0);
    let generation = read.generation;
    let done = HookProgress::after(position(9));
    let record = |hook: &StoredHook, number| {
        let step = Some(hook.step(done.clone()));
        store.record_delivery("a".to_owned(), step, Some(delivery(number)), 3)
    };
    assert!(record(&read, 9).await.unwrap());
    assert_eq!(store.hooks().await.unwrap()[0].progress, done);
    let back = read.step(HookProgress::after(position(5)));
    let back = store.record_delivery("a".to_owned(), Some(back), None, 3).await.unwrap();
    assert!(!back, "another process delivered meanwhile");
    assert_eq!(store.hooks().await.unwrap()[0].progress, done);
    store.put_hook(hook("a"), Some(generation), 1).await.unwrap();
    assert!(!record(&read, 10).await.unwrap(), "the operator wrote it meanwhile");
    assert_eq!(store.hooks().await.unwrap()[0].progress, hook("a").progress);
    for number in 11..14 {
        store.record_delivery("a".to_owned(), None, Some(delivery(number)), 3).await.unwrap();
    }
    let kept = store.deliveries("a".to_owned()).await.unwrap();
    assert_eq!(kept, [delivery(13), delivery(12), delivery(11)], "newest first");
    store.remove_hook("a".to_owned()).await.unwrap();
    assert!(!record(&read, 14).await.unwrap());
    assert_eq!(store.deliveries("a".to_owned()).await.unwrap(), []);
}

async fn one_process_delivers(fixture: TestStore) {
    let (first, second) = (fixture.open().await, fixture.open().await);
    let lock = first.lock(Duty::Hooks).await.unwrap().unwrap();
    assert!(lock.is_held());
    assert!(second.lock(Duty::Hooks).await.unwrap().is_none());
    assert!(second.lock(Duty::Refresh).await.unwrap().is_some(), "each duty has its own lock");
    lock.release().await;
    let lock = second.lock(Duty::Hooks).await.unwrap();
    assert!(lock.is_some());
    // A lock that is dropped is given back, too, if not at once.
    drop(lock);
    while first.lock(Duty::Hooks).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    let elsewhere = fixture.another();
    assert!(elsewhere.open().await.lock(Duty::Hooks).await.unwrap().is_some());
}
