//! What a store remembers about refreshing.

use std::io::Cursor;

use appstitch_store::{SourceRefresh, Store};
use jiff::Timestamp;

use crate::{TestStore, on_each_engine};

on_each_engine!(they_are_there_after_reopening_and_can_be_replaced, a_restore_forgets_them);

fn refresh(source: &str, failures: u64) -> SourceRefresh {
    let time = |text: &str| -> Timestamp { text.parse().unwrap() };
    SourceRefresh {
        source: source.to_owned(),
        tried_at: time("2026-03-05T06:07:08.123Z"),
        succeeded_at: (failures == 0).then(|| time("2026-03-05T06:07:09Z")),
        next_at: time("2026-03-05T07:07:08Z"),
        failures,
        why: (failures > 0).then(|| "answered 503\0".to_owned()),
        entries: (failures == 0).then_some(7),
        rejected: (failures == 0).then_some(1),
        rejects: "[]".to_owned(),
    }
}

async fn they_are_there_after_reopening_and_can_be_replaced(fixture: TestStore) {
    let store = fixture.open().await;
    let edition = store.edition().await.unwrap();
    assert_eq!(store.source_refreshes().await.unwrap(), []);
    assert_eq!(store.refresh_memory("store_listing".to_owned()).await.unwrap(), None);
    let (casks, labels) = (refresh("cask_catalog", 0), refresh("label_tool", 3));
    store.put_source_refreshes(vec![labels.clone(), casks.clone()]).await.unwrap();
    store.put_refresh_memory("store_listing".to_owned(), "{}".to_owned()).await.unwrap();
    drop(store);

    let store = fixture.open().await;
    assert_eq!(store.source_refreshes().await.unwrap(), [casks.clone(), labels]);
    let labels = refresh("label_tool", 0);
    store.put_source_refreshes(vec![labels.clone()]).await.unwrap();
    assert_eq!(store.source_refreshes().await.unwrap(), [casks, labels]);
    let memory = r#"{"position":"a\u0000"}"#;
    store.put_refresh_memory("store_listing".to_owned(), memory.to_owned()).await.unwrap();
    let found = store.refresh_memory("store_listing".to_owned()).await.unwrap();
    assert_eq!(found.as_deref(), Some(memory));
    assert_eq!(store.edition().await.unwrap(), edition, "they are no part of the catalog");
}

async fn a_restore_forgets_them(fixture: TestStore) {
    let store = fixture.open().await;
    store.put_source_refreshes(vec![refresh("label_tool", 0)]).await.unwrap();
    store.put_refresh_memory("store_listing".to_owned(), "{}".to_owned()).await.unwrap();
    let (backup, _) = store.backup(Vec::new(), None).await.unwrap();
    Store::restore(&fixture.address, Cursor::new(backup), None, true).await.unwrap();
    assert_eq!(store.source_refreshes().await.unwrap(), []);
    assert_eq!(store.refresh_memory("store_listing".to_owned()).await.unwrap(), None);
}
