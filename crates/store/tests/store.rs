//! Tests of the store's public interface, on real files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use appstitch_store::{
    Change, Document, DocumentName, FetchedFrom, NewRevision, RevisionCounts, ServedApp, ServedBy,
    ServedChange, ServedSizes, ServedState, SourceState, Store, StoreAddress, StoreError,
    StoredRecord,
};
use bytes::Bytes;
use rusqlite::Connection;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn address(folder: &Path) -> StoreAddress {
    StoreAddress::Sqlite(folder.join("catalog.db"))
}

fn document(key: &str, body: &[u8]) -> Document {
    document_from("https://example.com/cask.json", key, body)
}

fn document_from(origin: &str, key: &str, body: &[u8]) -> Document {
    Document {
        source: "cask_catalog".into(),
        origin: origin.into(),
        key: key.into(),
        body: body.to_vec().into(),
    }
}

fn name(document: &Document) -> DocumentName {
    let Document { source, origin, key, .. } = document.clone();
    DocumentName { source, origin, key }
}

fn record(slug: &str) -> StoredRecord {
    StoredRecord { slug: slug.into(), body: format!("{{\"app\":\"{slug}\"}}"), is_sample: false }
}

fn revision(token: &str) -> NewRevision {
    NewRevision {
        token: token.into(),
        changed_at: "2026-03-05T06:07:08Z".parse().unwrap(),
        content_hash: format!("hash of {token}"),
        counts: RevisionCounts { total_apps: 2, label_tool: 1, ..RevisionCounts::default() },
    }
}

fn first_change() -> Change {
    Change {
        put_documents: vec![document("b", b"2"), document("a", &[0, 159, 146, 150])],
        put_records: vec![record("zebra"), record("ant")],
        added_apps: vec!["ant".into(), "zebra".into()],
        revision: Some(revision("one")),
        ..Change::default()
    }
}

#[tokio::test]
async fn what_is_committed_is_there_after_reopening() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    assert_eq!(store.commit(first_change()).await.unwrap(), 1);
    drop(store);

    let contents = Store::open(&address(folder.path())).await.unwrap().load().await.unwrap();
    assert_eq!(contents.edition, 1);
    assert_eq!(contents.documents, [document("a", &[0, 159, 146, 150]), document("b", b"2")]);
    assert_eq!(contents.records, [record("ant"), record("zebra")]);
    assert_eq!((contents.insertions["ant"], contents.insertions["zebra"]), (1, 2));
    let newest = contents.revision.unwrap();
    assert_eq!((newest.number, newest.token.as_str()), (1, "one"));
    assert_eq!(newest.changed_at.to_string(), "2026-03-05T06:07:08Z");
    assert_eq!(newest.content_hash, "hash of one");
    assert_eq!((newest.counts.total_apps, newest.counts.label_tool), (2, 1));
}

#[tokio::test]
async fn a_change_worked_out_from_an_older_edition_is_refused_whole() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    store.commit(first_change()).await.unwrap();
    let late = Change { put_records: vec![record("late")], ..Change::default() };
    let error = store.commit(late).await.unwrap_err();
    assert!(matches!(error, StoreError::Moved { expected: 0, found: 1 }), "{error}");
    assert_eq!(store.load().await.unwrap().records.len(), 2);
}

#[tokio::test]
async fn an_app_that_comes_back_counts_as_new_and_every_revision_is_kept() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    store.commit(first_change()).await.unwrap();
    let gone = Change {
        base_edition: 1,
        removed_apps: vec!["zebra".into()],
        removed_records: vec!["zebra".into()],
        removed_documents: vec![name(&document("a", b""))],
        revision: Some(revision("two")),
        ..Change::default()
    };
    store.commit(gone).await.unwrap();
    let back = Change { base_edition: 2, added_apps: vec!["zebra".into()], ..Change::default() };
    store.commit(back).await.unwrap();

    let contents = store.load().await.unwrap();
    assert_eq!(contents.insertions["zebra"], 3);
    assert_eq!(contents.records, [record("ant")]);
    assert_eq!(contents.documents, [document("b", b"2")]);
    let tokens: Vec<_> = store.revisions().await.unwrap().into_iter().map(|r| r.token).collect();
    assert_eq!(tokens, ["one", "two"]);
}

#[tokio::test]
async fn an_empty_change_writes_nothing() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    assert_eq!(store.commit(Change::default()).await.unwrap(), 0);
    assert_eq!(store.edition().await.unwrap(), 0);
}

#[tokio::test]
async fn a_store_of_a_newer_schema_is_refused_and_left_alone() {
    let folder = folder();
    let file = folder.path().join("catalog.db");
    drop(Store::open(&address(folder.path())).await.unwrap());
    let connection = Connection::open(&file).unwrap();
    connection
        .execute(
            "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
             VALUES (999, 'future', '2030-01-01T00:00:00Z', '0')",
            [],
        )
        .unwrap();
    drop(connection);
    let before = std::fs::read(&file).unwrap();

    let error = Store::open(&address(folder.path())).await.unwrap_err();
    assert!(matches!(error, StoreError::TooNew { found: 999, .. }), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_file_that_is_no_store_is_an_error() {
    let folder = folder();
    std::fs::write(
        folder.path().join("catalog.db"),
        "not a database, but long enough to be read as one",
    )
    .unwrap();
    assert!(Store::open(&address(folder.path())).await.is_err());
    let nowhere = StoreAddress::Sqlite(folder.path().join("missing/catalog.db"));
    assert!(Store::open(&nowhere).await.is_err());
}

#[tokio::test]
async fn a_database_of_something_else_is_refused_and_left_alone() {
    let folder = folder();
    let file = folder.path().join("catalog.db");
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    let before = std::fs::read(&file).unwrap();
    let error = Store::open(&address(folder.path())).await.unwrap_err();
    assert!(matches!(error, StoreError::Foreign(_)), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_write_to_a_deleted_or_replaced_file_is_refused() {
    let folder = folder();
    let file = folder.path().join("catalog.db");
    let store = Store::open(&address(folder.path())).await.unwrap();
    std::fs::rename(&file, folder.path().join("away.db")).unwrap();
    let error = store.commit(first_change()).await.unwrap_err();
    assert!(matches!(error, StoreError::Gone(_)), "{error}");
    std::fs::write(&file, "another").unwrap();
    let error = store.commit(first_change()).await.unwrap_err();
    assert!(matches!(error, StoreError::Gone(_)), "{error}");
}

#[tokio::test]
async fn opening_to_read_creates_and_migrates_nothing() {
    let folder = folder();
    assert!(Store::open_to_read(&address(folder.path())).await.is_err());
    assert!(!folder.path().join("catalog.db").exists());
    Store::open(&address(folder.path())).await.unwrap().commit(first_change()).await.unwrap();
    let store = Store::open_to_read(&address(folder.path())).await.unwrap();
    assert_eq!(store.load().await.unwrap().records.len(), 2);
    let change = Change { base_edition: 1, put_records: vec![record("c")], ..Change::default() };
    assert!(store.commit(change).await.is_err());
}

#[tokio::test]
async fn documents_of_two_origins_may_have_the_same_key() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let documents = [
        document_from("https://a.example.com/", "a", b"1"),
        document_from("https://b.example.com/", "a", b"2"),
        document_from("https://a.example.com/", "b", b"3"),
    ];
    let change = Change { put_documents: documents.to_vec(), ..Change::default() };
    let base_edition = store.commit(change).await.unwrap();
    assert_eq!(store.load().await.unwrap().documents, documents, "ordered by key and origin");
    let removed_documents = vec![name(&documents[0])];
    store.commit(Change { base_edition, removed_documents, ..Change::default() }).await.unwrap();
    assert_eq!(store.load().await.unwrap().documents, documents[1..]);
}

#[tokio::test]
async fn validators_are_kept_by_source_and_address() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let fetched = |source: &str| FetchedFrom {
        source: source.into(),
        address: "https://example.com/".into(),
        etag: Some("\"1\"".into()),
        last_modified: None,
        reader: "this build".into(),
    };
    let rows = ["cask_catalog", "recipe_index"].map(fetched);
    let change = Change { put_fetched: rows.to_vec(), ..Change::default() };
    let base_edition = store.commit(change).await.unwrap();
    assert_eq!(store.fetched().await.unwrap(), rows);
    assert_eq!(store.load().await.unwrap().fetched, rows);
    let removed_fetched = vec![("cask_catalog".to_owned(), "https://example.com/".to_owned())];
    store.commit(Change { base_edition, removed_fetched, ..Change::default() }).await.unwrap();
    assert_eq!(store.fetched().await.unwrap(), rows[1..]);
}

/// The given rules, for the first revision.
fn made_by(rules: &str) -> ServedBy {
    ServedBy { rules: rules.to_owned(), content_hash: "hash of one".to_owned() }
}

fn served(slug: &str, drift: Option<&'static str>) -> ServedApp {
    ServedApp {
        slug: slug.to_owned(),
        app: Bytes::from(format!("app {slug}")),
        sources: Bytes::from_static(b"sources"),
        provenance: Bytes::from_static(b"provenance"),
        drift: drift.map(Bytes::from),
        notes: Bytes::new(),
    }
}

async fn all_served(store: &Store, rules: &str) -> Option<(Vec<ServedApp>, ServedState)> {
    let prepare = |sizes: ServedSizes| Vec::with_capacity(sizes.apps);
    store.served(rules, "resolution/", prepare, Vec::push).await.unwrap()
}

#[tokio::test]
async fn what_is_served_is_kept_for_the_rules_that_made_it() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    assert!(all_served(&store, "ours").await.is_none(), "nothing is stored yet");
    let change = Change {
        served: Some(ServedChange {
            made_by: made_by("ours"),
            put: vec![served("b", None), served("a", Some("drift")), served("c", None)],
            ..ServedChange::default()
        }),
        ..first_change()
    };
    let edition = store.commit(change).await.unwrap();
    assert_eq!(store.load().await.unwrap().served_by, Some(made_by("ours")));
    assert!(all_served(&store, "theirs").await.is_none());
    let (apps, state) = all_served(&store, "ours").await.unwrap();
    assert_eq!(apps, [served("a", Some("drift")), served("b", None), served("c", None)]);
    assert_eq!(state.edition, edition);
    assert_eq!(state.sources.documents["cask_catalog"], 2);

    let change = ServedChange {
        made_by: made_by("ours"),
        put: vec![served("a", None)],
        removed: vec!["b".to_owned()],
        ..ServedChange::default()
    };
    let served_change =
        |base_edition, served| Change { base_edition, served: Some(served), ..Change::default() };
    let edition = store.commit(served_change(edition, change)).await.unwrap();
    let (apps, _) = all_served(&store, "ours").await.unwrap();
    assert_eq!(apps, [served("a", None), served("c", None)]);

    let change = ServedChange {
        made_by: made_by("theirs"),
        replaces_all: true,
        put: vec![served("z", None)],
        ..ServedChange::default()
    };
    store.commit(served_change(edition, change)).await.unwrap();
    assert!(all_served(&store, "ours").await.is_none());
    assert_eq!(all_served(&store, "theirs").await.unwrap().0, [served("z", None)]);

    // After a revision without a served change, the stored copy belongs to the previous revision.
    let change =
        Change { base_edition: edition + 1, revision: Some(revision("two")), ..Change::default() };
    store.commit(change).await.unwrap();
    assert!(all_served(&store, "theirs").await.is_none());
}

fn state(source: &str, received_at: &str, changed_at: Option<&str>) -> SourceState {
    SourceState {
        source: source.into(),
        received_at: received_at.parse().unwrap(),
        changed_at: changed_at.map(|time| time.parse().unwrap()),
        rejected: changed_at.map(|_| 3),
    }
}

#[tokio::test]
async fn the_states_of_sources_are_kept_apart_from_the_revisions() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let labels = state("label_tool", "2026-03-05T06:07:08Z", Some("2026-03-05T06:07:08Z"));
    let casks = state("cask_catalog", "2026-03-05T06:07:08Z", None);
    let put_source_states = vec![labels.clone(), casks.clone()];
    let base_edition = store.commit(Change { put_source_states, ..first_change() }).await.unwrap();
    assert_eq!(store.load().await.unwrap().source_states, [casks.clone(), labels]);

    // A state alone is a change that other processes see, but no revision.
    let later = state("label_tool", "2026-03-06T06:07:08Z", Some("2026-03-05T06:07:08Z"));
    let put_source_states = vec![later.clone()];
    let change = Change { base_edition, put_source_states, ..Change::default() };
    assert!(!change.is_empty());
    assert_eq!(store.commit(change).await.unwrap(), base_edition + 1);
    drop(store);

    let store = Store::open(&address(folder.path())).await.unwrap();
    let summary = store.summary("resolution/").await.unwrap();
    assert_eq!(summary.edition, base_edition + 1);
    assert_eq!(summary.revision.unwrap().token, "one");
    assert_eq!(summary.sources.states, [casks, later]);
    assert_eq!(store.revisions().await.unwrap().len(), 1);
}

#[tokio::test]
async fn documents_are_counted_by_key_and_without_those_of_a_kind() {
    let folder = folder();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let documents = |key| {
        ["https://a.example", "https://b.example"].map(|origin| document_from(origin, key, b"1"))
    };
    let put_documents =
        ["a", "b", "Resolution/b", "resolution", "resolution/b"].into_iter().flat_map(documents);
    let put_documents = put_documents.collect();
    store.commit(Change { put_documents, ..Change::default() }).await.unwrap();
    let counts = store.summary("resolution/").await.unwrap().sources.documents;
    assert_eq!(counts, [("cask_catalog".to_owned(), 4)].into());
}
