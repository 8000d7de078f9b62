//! The journal of changes is written with its revision, or not at all.

use appstitch_store::{
    Change, Edition, JournalChange, JournalHead, NewRevision, RevisionCounts, StoredChange,
    StoredDriftEvent, StoredPatchTitle,
};
use jiff::Timestamp;

use crate::{TestStore, on_each_engine};

on_each_engine!(
    a_new_store_has_an_epoch_of_its_own_and_nothing_in_it,
    rows_come_back_with_their_revision,
    titles_stay_until_they_are_replaced,
    a_rejected_commit_writes_nothing,
    folding_keeps_the_last_change_of_each_app_and_a_new_epoch_nothing,
);

fn revision(token: &str) -> NewRevision {
    NewRevision {
        token: token.to_owned(),
        changed_at: Timestamp::from_second(1_700_000_000).unwrap(),
        content_hash: token.to_owned(),
        counts: RevisionCounts::default(),
    }
}

fn row(seq: u64, slug: &str) -> StoredChange {
    StoredChange {
        seq,
        revision: "r".to_owned(),
        at: Timestamp::from_second(1_700_000_000).unwrap(),
        slug: slug.to_owned(),
        kind: "changed".to_owned(),
        vendor: None,
        fields: "{}".to_owned(),
    }
}

/// A commit that adds changes of these apps.
fn change(edition: Edition, head: &JournalHead, slugs: &[&str]) -> Change {
    let changes: Vec<StoredChange> =
        (head.newest + 1..).zip(slugs).map(|(seq, slug)| row(seq, slug)).collect();
    let newest = head.newest + changes.len() as u64;
    Change {
        base_edition: edition,
        revision: Some(revision("r")),
        journal: Some(JournalChange {
            head: JournalHead { newest, ..head.clone() },
            changes,
            ..JournalChange::default()
        }),
        ..Change::default()
    }
}

async fn a_new_store_has_an_epoch_of_its_own_and_nothing_in_it(fixture: TestStore) {
    let one = fixture.open().await.journal().await.unwrap();
    assert_eq!((one.head.epoch.len(), one.head.newest, one.head.floor_at), (8, 0, None));
    assert!(one.changes.is_empty() && one.drift.is_empty() && one.revisions.is_empty());
    let other = fixture.another().open().await.journal().await.unwrap();
    assert_ne!(one.head.epoch, other.head.epoch);
    assert_eq!(fixture.open().await.journal().await.unwrap().head, one.head, "it stays");
}

async fn rows_come_back_with_their_revision(fixture: TestStore) {
    let store = fixture.open().await;
    let head = store.journal().await.unwrap().head;
    let mut change = change(Edition::default(), &head, &["a", "b"]);
    if let Some(journal) = &mut change.journal {
        journal.head.newest = 3;
        let StoredChange { revision, at, .. } = row(3, "a");
        journal.drift.push(StoredDriftEvent { seq: 3, revision, at, body: "{}".to_owned() });
    }
    let edition = store.commit(change).await.unwrap();
    let journal = store.journal().await.unwrap();
    assert_eq!((journal.edition, journal.head.newest), (edition, 3));
    assert_eq!(journal.changes, [row(1, "a"), row(2, "b")]);
    assert_eq!(journal.drift[0].seq, 3);
    assert_eq!((journal.revisions.len(), journal.revisions[0].newest), (1, 3));
}

async fn titles_stay_until_they_are_replaced(fixture: TestStore) {
    let store = fixture.open().await;
    let head = store.journal().await.unwrap().head;
    let mut first = change(Edition::default(), &head, &["a", "b"]);
    if let Some(journal) = &mut first.journal {
        journal.patch_titles = vec![title("b", "1"), title("a", "1")];
    }
    let edition = store.commit(first).await.unwrap();
    let head = JournalHead { newest: 2, floor: 2, ..head };
    let mut second = change(edition, &head, &["a"]);
    if let Some(journal) = &mut second.journal {
        (journal.forgets_all, journal.patch_titles) = (true, vec![title("a", "2")]);
    }
    store.commit(second).await.unwrap();
    let journal = store.journal().await.unwrap();
    assert_eq!(journal.patch_titles, [title("a", "2"), title("b", "1")]);
}

fn title(slug: &str, body: &str) -> StoredPatchTitle {
    StoredPatchTitle { slug: slug.to_owned(), body: body.to_owned() }
}

async fn a_rejected_commit_writes_nothing(fixture: TestStore) {
    let store = fixture.open().await;
    let head = store.journal().await.unwrap().head;
    store.commit(change(Edition::default(), &head, &["a"])).await.unwrap();
    let before = store.journal().await.unwrap();
    assert!(
        store.commit(change(Edition::default(), &head, &["b"])).await.is_err(),
        "the store moved on"
    );
    let after = store.journal().await.unwrap();
    assert_eq!((after.head, after.changes), (before.head, before.changes));
}

async fn folding_keeps_the_last_change_of_each_app_and_a_new_epoch_nothing(fixture: TestStore) {
    let store = fixture.open().await;
    let head = store.journal().await.unwrap().head;
    let edition =
        store.commit(change(Edition::default(), &head, &["a", "b", "a", "a"])).await.unwrap();
    let head = JournalHead { newest: 4, floor: 3, ..head };
    let mut fold = change(edition, &head, &["b"]);
    if let Some(journal) = &mut fold.journal {
        journal.folds = true;
    }
    let edition = store.commit(fold).await.unwrap();
    let numbers = |changes: &[StoredChange]| changes.iter().map(|row| row.seq).collect::<Vec<_>>();
    let journal = store.journal().await.unwrap();
    assert_eq!(numbers(&journal.changes), [2, 3, 4, 5]);
    let head = JournalHead { epoch: "00ff00ff".to_owned(), newest: 5, floor: 5, floor_at: None };
    let mut forget = change(edition, &head, &[]);
    if let Some(journal) = &mut forget.journal {
        journal.forgets_all = true;
    }
    store.commit(forget).await.unwrap();
    let journal = store.journal().await.unwrap();
    assert_eq!((journal.head, journal.changes.len(), journal.revisions.len()), (head, 0, 1));
}
