//! Rows that are hard to keep: odd texts, the same name twice, many writers, and many rows.

use appstitch_store::{Change, ServedApp, ServedChange, Store, StoreError, StoredRecord};
use bytes::Bytes;

use crate::{
    TestStore,
    catalog::{all_served, document, first_change, made_by, name, record, revision, served},
    on_each_engine,
};

on_each_engine!(
    texts_keep_every_character_and_their_order,
    the_last_of_two_rows_with_one_name_wins,
    writers_at_once_are_applied_one_after_the_other,
    many_rows_are_written_and_read,
);

async fn texts_keep_every_character_and_their_order(fixture: TestStore) {
    let store = fixture.open().await;
    // In the order of their bytes, which is not that of any language.
    let keys = [
        "", "\0", "\0a", "\u{1}", "\u{1}\u{1}", "\u{2}", "B", "a", "a\0", "a-b", "ab", "é",
        "\u{10ffff}",
    ];
    let put_documents = keys.iter().rev().map(|key| document(key, b"\0\xff")).collect();
    let texts: Vec<StoredRecord> = keys
        .iter()
        .map(|slug| StoredRecord { body: format!("body {slug}\0"), ..record(slug) })
        .collect();
    let change = Change {
        put_documents,
        put_records: texts.clone(),
        added_apps: keys.map(str::to_owned).to_vec(),
        ..Change::default()
    };
    let base_edition = store.commit(change).await.unwrap();
    let contents = store.load().await.unwrap();
    assert_eq!(contents.documents, keys.map(|key| document(key, b"\0\xff")));
    assert_eq!(contents.records, texts);
    assert_eq!(contents.insertions["a\0"], 9);
    let counts = store.summary("a").await.unwrap().sources.documents;
    assert_eq!(counts["cask_catalog"], 9, "without those that start with it");
    let removed_documents = vec![name(&document("\0", b"")), name(&document("a\0", b""))];
    store.commit(Change { base_edition, removed_documents, ..Change::default() }).await.unwrap();
    assert_eq!(store.load().await.unwrap().documents.len(), keys.len() - 2);
}

async fn the_last_of_two_rows_with_one_name_wins(fixture: TestStore) {
    let store = fixture.open().await;
    let twice = |slug: &str| [record(slug), StoredRecord { body: "last".into(), ..record(slug) }];
    let change = Change {
        put_documents: vec![document("a", b"1"), document("a", b"2")],
        put_records: twice("a").to_vec(),
        added_apps: vec!["a".into(), "b".into(), "a".into(), "c".into()],
        ..first_change()
    };
    store.commit(change).await.unwrap();
    let contents = store.load().await.unwrap();
    assert_eq!(contents.documents, [document("a", b"2")]);
    assert_eq!(contents.records, twice("a")[1..]);
    let insertions = &contents.insertions;
    assert!(insertions["a"] < insertions["b"] && insertions["b"] < insertions["c"]);
}

async fn writers_at_once_are_applied_one_after_the_other(fixture: TestStore) {
    let stores = [fixture.open().await, fixture.open().await, fixture.open().await];
    let write = |store: Store, writer: usize| async move {
        let mut moved = 0;
        for number in 0..5 {
            loop {
                let base_edition = store.edition().await.unwrap();
                let slug = format!("{writer}-{number}");
                let next = base_edition.number + 1;
                let change =
                    Change { base_edition, put_records: vec![record(&slug)], ..Change::default() };
                match store.commit(change).await {
                    Ok(edition) => break assert_eq!(edition.number, next),
                    Err(StoreError::Moved) => moved += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        moved
    };
    let tasks: Vec<_> = stores
        .iter()
        .enumerate()
        .map(|(writer, store)| tokio::spawn(write(store.clone(), writer)))
        .collect();
    for task in tasks {
        let _: u32 = task.await.unwrap();
    }
    let contents = stores[0].load().await.unwrap();
    assert_eq!((contents.edition.number, contents.records.len()), (15, 15));
}

/// More rows and bytes than one statement gets. The times are for the curious.
async fn many_rows_are_written_and_read(fixture: TestStore) {
    let count: u32 =
        std::env::var("APPSTITCH_TEST_ROWS").map_or(20_000, |text| text.parse().unwrap());
    let store = fixture.open().await;
    let slugs: Vec<String> = (0..count).map(|number| format!("app-{number:06}")).collect();
    let body = "0123456789".repeat(60);
    let put: Vec<ServedApp> = slugs
        .iter()
        .map(|slug| ServedApp { sources: Bytes::from(body.clone()), ..served(slug, None) })
        .collect();
    let change = Change {
        put_documents: slugs.iter().map(|slug| document(slug, body.as_bytes())).collect(),
        added_apps: slugs.clone(),
        revision: Some(revision("one")),
        served: Some(ServedChange { made_by: made_by("ours"), put, ..ServedChange::default() }),
        ..Change::default()
    };
    let mut start = std::time::Instant::now();
    let mut took = |what: &str| {
        eprintln!("{} {what} {count} rows: {:?}", fixture.engine(), start.elapsed());
        start = std::time::Instant::now();
    };
    let base_edition = store.commit(change.clone()).await.unwrap();
    took("writing");
    let contents = store.load().await.unwrap();
    took("loading");
    assert!(contents.documents.iter().map(|document| &document.key).eq(&slugs));
    assert!((1..).zip(&slugs).all(|(number, slug)| contents.insertions[slug] == number));
    took("comparing");
    let (apps, _) = all_served(&store, "ours").await.unwrap();
    took("reading the served");
    assert!(apps.iter().map(|app| &app.slug).eq(&slugs));
    took("comparing");
    let change = Change { base_edition, ..change };
    let base_edition = store.commit(change.clone()).await.unwrap();
    took("replacing");
    let removed = Change {
        base_edition,
        removed_documents: change.put_documents.iter().skip(1).map(name).collect(),
        removed_apps: slugs[1..].to_vec(),
        served: Some(ServedChange {
            made_by: made_by("ours"),
            removed: slugs[1..].to_vec(),
            ..ServedChange::default()
        }),
        ..Change::default()
    };
    store.commit(removed).await.unwrap();
    took("removing");
    let contents = store.load().await.unwrap();
    assert_eq!((contents.documents.len(), contents.insertions.len()), (1, 1));
    assert_eq!(all_served(&store, "ours").await.unwrap().0.len(), 1);
}
