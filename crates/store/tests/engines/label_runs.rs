//! What a store remembers about running labels.

use appstitch_store::{
    Change, Edition, Store, StoreError, StoredLabelRun, StoredRecord, StoredResponse,
};
use jiff::{SignedDuration, Timestamp};

use crate::{TestStore, on_each_engine};

on_each_engine!(
    responses_and_runs_are_there_after_reopening_and_can_be_replaced,
    what_is_not_used_is_removed,
    the_longest_unused_responses_make_room,
    the_catalog_does_not_move,
    writers_wait_for_each_other,
);

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn response(key: &str, bytes: usize) -> StoredResponse {
    StoredResponse {
        key: key.to_owned(),
        address: format!("https://example.com/{key}"),
        etag: Some("\"1\"".to_owned()),
        last_modified: None,
        status: 200,
        headers: "[]".to_owned(),
        body: vec![0; bytes].into(),
        fetched_at: time("2026-03-05T06:07:08.123Z"),
    }
}

pub(crate) fn label_run(file: &str, run_at: &str, why: Option<&str>) -> StoredLabelRun {
    StoredLabelRun {
        file: file.to_owned(),
        fragment: "fingerprint".to_owned(),
        run_at: time(run_at),
        outcome: "resolved".to_owned(),
        why: why.map(str::to_owned),
    }
}

/// The keys, of these, that are kept.
async fn kept(store: &Store, keys: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    for key in keys {
        if let Some(response) = store.response((*key).to_owned()).await.unwrap() {
            kept.push(response.key);
        }
    }
    kept
}

async fn responses_and_runs_are_there_after_reopening_and_can_be_replaced(fixture: TestStore) {
    let store = fixture.open().await;
    let now = Timestamp::now();
    store.put_responses(vec![response("a", 3), response("b", 4)], Vec::new(), now).await.unwrap();
    let b = label_run("b.sh", "2026-03-05T06:07:08.5Z", None);
    let a = label_run("a.sh", "2026-03-05T06:07:08Z", Some("no answer"));
    store.put_label_runs(vec![b.clone(), a.clone()]).await.unwrap();
    drop(store);

    let store = fixture.open().await;
    assert_eq!(store.response("a".to_owned()).await.unwrap(), Some(response("a", 3)));
    assert_eq!(store.response("missing".to_owned()).await.unwrap(), None);
    assert_eq!(store.label_runs().await.unwrap(), [a, b.clone()]);
    store.put_responses(vec![response("a", 9)], Vec::new(), now).await.unwrap();
    let a = label_run("a.sh", "2026-03-06T06:07:08Z", None);
    store.put_label_runs(vec![a.clone()]).await.unwrap();
    assert_eq!(store.response("a".to_owned()).await.unwrap(), Some(response("a", 9)));
    assert_eq!(store.label_runs().await.unwrap(), [a, b]);
}

async fn what_is_not_used_is_removed(fixture: TestStore) {
    let store = fixture.open().await;
    let long_ago = time("2026-01-01T00:00:00Z");
    let now = time("2026-03-05T06:07:08Z");
    store
        .put_responses(vec![response("old", 1), response("used", 1)], Vec::new(), long_ago)
        .await
        .unwrap();
    store.put_responses(vec![response("new", 1)], vec!["used".to_owned()], now).await.unwrap();
    let runs = [("old.sh", "2026-01-01T00:00:00Z"), ("new.sh", "2026-03-05T06:07:08Z")];
    let runs = runs.map(|(file, run_at)| label_run(file, run_at, None));
    store.put_label_runs(runs.to_vec()).await.unwrap();
    store.prune_label_runs(now - SignedDuration::from_hours(24), u64::MAX).await.unwrap();
    assert_eq!(kept(&store, &["old", "used", "new"]).await, ["used", "new"]);
    let files: Vec<_> = store.label_runs().await.unwrap().into_iter().map(|run| run.file).collect();
    assert_eq!(files, ["new.sh"]);
}

async fn the_longest_unused_responses_make_room(fixture: TestStore) {
    let store = fixture.open().await;
    let start = time("2026-03-05T06:07:08Z");
    for (number, key) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let now = start + SignedDuration::from_millis(i64::try_from(number).unwrap());
        store.put_responses(vec![response(key, 98)], Vec::new(), now).await.unwrap();
    }
    // 98 bytes of body and 2 of headers each.
    store.prune_label_runs(start, 200).await.unwrap();
    assert_eq!(kept(&store, &["a", "b", "c", "d"]).await, ["c", "d"]);
    store.prune_label_runs(start, 0).await.unwrap();
    assert_eq!(kept(&store, &["c", "d"]).await, [""; 0]);
}

async fn the_catalog_does_not_move(fixture: TestStore) {
    let store = fixture.open().await;
    let elsewhere = fixture.open().await;
    let record = StoredRecord { slug: "ant".into(), body: "{}".into(), is_sample: false };
    let put = |base_edition| Change {
        base_edition,
        put_records: vec![record.clone()],
        ..Change::default()
    };
    let edition = elsewhere.commit(put(Edition::default())).await.unwrap();
    store.put_responses(vec![response("a", 1)], Vec::new(), Timestamp::now()).await.unwrap();
    store.put_label_runs(vec![label_run("a.sh", "2026-03-05T06:07:08Z", None)]).await.unwrap();
    store.prune_label_runs(Timestamp::UNIX_EPOCH, 0).await.unwrap();
    assert_eq!(elsewhere.edition().await.unwrap(), edition);
    let next = elsewhere.commit(put(edition)).await.unwrap();
    assert_eq!(next.number, 2, "a change in progress is still valid");
}

async fn writers_wait_for_each_other(fixture: TestStore) {
    let (one, two) = (fixture.open().await, fixture.open().await);
    let write = |store: Store, name: &'static str| async move {
        for number in 0..20 {
            let responses = vec![response(&format!("{name}{number}"), 1000)];
            store.put_responses(responses, Vec::new(), Timestamp::now()).await?;
        }
        Ok::<(), StoreError>(())
    };
    let (first, second) = tokio::join!(write(one.clone(), "a"), write(two, "b"));
    assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
    assert_eq!(kept(&one, &["a19", "b19"]).await.len(), 2);
}
