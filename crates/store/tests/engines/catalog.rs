//! The catalog in a store: documents, records, revisions and what is served.

use appstitch_store::{
    Change, Document, DocumentName, FetchedFrom, NewRevision, RevisionCounts, ServedApp, ServedBy,
    ServedChange, ServedSizes, ServedState, SourceState, Store, StoreError, StoredRecord,
};
use bytes::Bytes;

use crate::{TestStore, on_each_engine};

on_each_engine!(
    what_is_committed_is_there_after_reopening,
    a_change_worked_out_from_an_older_edition_is_rejected_whole,
    an_app_that_comes_back_counts_as_new_and_every_revision_is_kept,
    an_empty_change_writes_nothing,
    opening_to_read_creates_and_migrates_nothing,
    documents_of_two_origins_may_have_the_same_key,
    validators_are_kept_by_source_and_address,
    what_is_served_is_kept_for_the_rules_that_made_it,
    the_states_of_sources_are_kept_apart_from_the_revisions,
    documents_are_counted_by_key_and_without_those_of_a_kind,
);

pub(crate) fn document(key: &str, body: &[u8]) -> Document {
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

pub(crate) fn name(document: &Document) -> DocumentName {
    let Document { source, origin, key, .. } = document.clone();
    DocumentName { source, origin, key }
}

pub(crate) fn record(slug: &str) -> StoredRecord {
    StoredRecord { slug: slug.into(), body: format!("{{\"app\":\"{slug}\"}}"), is_sample: false }
}

pub(crate) fn revision(token: &str) -> NewRevision {
    NewRevision {
        token: token.into(),
        changed_at: "2026-03-05T06:07:08Z".parse().unwrap(),
        content_hash: format!("hash of {token}"),
        counts: RevisionCounts::default(),
    }
}

pub(crate) fn first_change() -> Change {
    Change {
        put_documents: vec![document("b", b"2"), document("a", &[0, 159, 146, 150])],
        put_records: vec![record("zebra"), record("ant")],
        added_apps: vec!["ant".into(), "zebra".into()],
        revision: Some(revision("one")),
        ..Change::default()
    }
}

async fn what_is_committed_is_there_after_reopening(fixture: TestStore) {
    let store = fixture.open().await;
    assert_eq!(store.commit(first_change()).await.unwrap().number, 1);
    drop(store);

    let contents = fixture.open().await.load().await.unwrap();
    assert_eq!(contents.edition.number, 1);
    assert_eq!(contents.documents, [document("a", &[0, 159, 146, 150]), document("b", b"2")]);
    assert_eq!(contents.records, [record("ant"), record("zebra")]);
    assert_eq!((contents.insertions["ant"], contents.insertions["zebra"]), (1, 2));
    let newest = contents.revision.unwrap();
    assert_eq!((newest.number, newest.token.as_str()), (1, "one"));
    assert_eq!(newest.changed_at.to_string(), "2026-03-05T06:07:08Z");
    assert_eq!(newest.content_hash, "hash of one");
}

async fn a_change_worked_out_from_an_older_edition_is_rejected_whole(fixture: TestStore) {
    let store = fixture.open().await;
    store.commit(first_change()).await.unwrap();
    let late = Change { put_records: vec![record("late")], ..Change::default() };
    let error = store.commit(late).await.unwrap_err();
    assert!(matches!(error, StoreError::Moved), "{error}");
    assert_eq!(store.load().await.unwrap().records.len(), 2);
}

async fn an_app_that_comes_back_counts_as_new_and_every_revision_is_kept(fixture: TestStore) {
    let store = fixture.open().await;
    let base_edition = store.commit(first_change()).await.unwrap();
    let gone = Change {
        base_edition,
        removed_apps: vec!["zebra".into()],
        removed_records: vec!["zebra".into()],
        removed_documents: vec![name(&document("a", b""))],
        revision: Some(revision("two")),
        ..Change::default()
    };
    let base_edition = store.commit(gone).await.unwrap();
    let back = Change { base_edition, added_apps: vec!["zebra".into()], ..Change::default() };
    store.commit(back).await.unwrap();

    let contents = store.load().await.unwrap();
    assert_eq!(contents.insertions["zebra"], 3);
    assert_eq!(contents.records, [record("ant")]);
    assert_eq!(contents.documents, [document("b", b"2")]);
    let tokens: Vec<_> = store.revisions().await.unwrap().into_iter().map(|r| r.token).collect();
    assert_eq!(tokens, ["one", "two"]);
}

async fn an_empty_change_writes_nothing(fixture: TestStore) {
    let store = fixture.open().await;
    assert_eq!(store.commit(Change::default()).await.unwrap().number, 0);
    assert_eq!(store.edition().await.unwrap().number, 0);
}

async fn opening_to_read_creates_and_migrates_nothing(fixture: TestStore) {
    assert!(Store::open_to_read(&fixture.address).await.is_err());
    assert!(Store::open_to_read(&fixture.address).await.is_err(), "nothing is created");
    let base_edition = fixture.open().await.commit(first_change()).await.unwrap();
    let store = Store::open_to_read(&fixture.address).await.unwrap();
    assert_eq!(store.load().await.unwrap().records.len(), 2);
    let change = Change { base_edition, put_records: vec![record("c")], ..Change::default() };
    assert!(store.commit(change).await.is_err());
}

async fn documents_of_two_origins_may_have_the_same_key(fixture: TestStore) {
    let store = fixture.open().await;
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

async fn validators_are_kept_by_source_and_address(fixture: TestStore) {
    let store = fixture.open().await;
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
pub(crate) fn made_by(rules: &str) -> ServedBy {
    ServedBy { rules: rules.to_owned(), content_hash: "hash of one".to_owned() }
}

pub(crate) fn served(slug: &str, drift: Option<&'static str>) -> ServedApp {
    ServedApp {
        slug: slug.to_owned(),
        app: Bytes::from(format!("app {slug}")),
        sources: Bytes::from_static(b"sources"),
        provenance: Bytes::from_static(b"provenance"),
        drift: drift.map(Bytes::from),
        notes: Bytes::new(),
    }
}

pub(crate) async fn all_served(
    store: &Store,
    rules: &str,
) -> Option<(Vec<ServedApp>, ServedState)> {
    let prepare = |sizes: ServedSizes| Vec::with_capacity(sizes.apps);
    store.served(rules, "resolution/", prepare, Vec::push).await.unwrap()
}

async fn what_is_served_is_kept_for_the_rules_that_made_it(fixture: TestStore) {
    let store = fixture.open().await;
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
    let base_edition = store.commit(served_change(edition, change)).await.unwrap();
    assert!(all_served(&store, "ours").await.is_none());
    assert_eq!(all_served(&store, "theirs").await.unwrap().0, [served("z", None)]);

    // After a revision without a served change, the stored copy belongs to the previous revision.
    let change = Change { base_edition, revision: Some(revision("two")), ..Change::default() };
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

async fn the_states_of_sources_are_kept_apart_from_the_revisions(fixture: TestStore) {
    let store = fixture.open().await;
    let labels = state("label_tool", "2026-03-05T06:07:08Z", Some("2026-03-05T06:07:08Z"));
    let casks = state("cask_catalog", "2026-03-05T06:07:08Z", None);
    let put_source_states = vec![labels.clone(), casks.clone()];
    let base_edition = store.commit(Change { put_source_states, ..first_change() }).await.unwrap();
    assert_eq!(store.load().await.unwrap().source_states, [casks.clone(), labels]);

    // A state alone is a change that other processes see, but no revision.
    let later = state("label_tool", "2026-03-06T06:07:08Z", Some("2026-03-05T06:07:08Z"));
    let put_source_states = vec![later.clone()];
    let change =
        Change { base_edition: base_edition.clone(), put_source_states, ..Change::default() };
    assert!(!change.is_empty());
    let edition = store.commit(change).await.unwrap();
    assert_eq!(edition.number, base_edition.number + 1);
    drop(store);

    let store = fixture.open().await;
    let summary = store.summary("resolution/").await.unwrap();
    assert_eq!(summary.edition, edition);
    assert_eq!(summary.revision.unwrap().token, "one");
    assert_eq!(summary.sources.states, [casks, later]);
    assert_eq!(store.revisions().await.unwrap().len(), 1);
}

async fn documents_are_counted_by_key_and_without_those_of_a_kind(fixture: TestStore) {
    let store = fixture.open().await;
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
