//! Backups: every engine writes the same bytes and reads them.

use std::{io::Cursor, sync::Arc};

use appstitch_store::{
    BackupError, BackupKey, Change, Edition, FetchedFrom, JournalChange, JournalHead, Restored,
    ServedBy, ServedChange, SourceState, Store, StoreError, StoredChange, StoredDriftEvent,
    StoredHook, StoredPatchTitle, StoredResponse, check_backup,
};
use jiff::Timestamp;

use ring::digest::{SHA256, digest};

use crate::{
    TestStore,
    catalog::{all_served, document, first_change, made_by, record, revision, served},
    hooks::{delivery, hook},
    label_runs::label_run,
    on_each_engine,
};

on_each_engine!(
    everything_comes_back_on_every_engine,
    an_empty_store_can_be_backed_up,
    a_store_with_contents_is_replaced_only_on_request,
    hooks_come_back_with_their_secrets_only_with_the_key,
    a_replaced_store_gives_its_secrets,
    a_backup_that_is_not_whole_changes_nothing,
    a_backup_of_an_earlier_version_is_restored,
    rows_that_no_store_can_hold_are_found_by_checking,
    large_rows_and_odd_texts_come_back,
);

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn key(letter: u8) -> Arc<BackupKey> {
    Arc::new(BackupKey::new(&[letter; 40]).unwrap())
}

pub(crate) async fn backup(store: &Store) -> Vec<u8> {
    store.backup(Vec::new(), None).await.unwrap().0
}

async fn restore(
    fixture: &TestStore,
    bytes: &[u8],
    key: Option<Arc<BackupKey>>,
    replaces: bool,
) -> Result<Restored, BackupError> {
    Store::restore(&fixture.address, Cursor::new(bytes.to_vec()), key, replaces).await
}

fn stored_change(seq: u64) -> StoredChange {
    StoredChange {
        seq,
        revision: "two".to_owned(),
        at: time("2026-03-05T06:07:08Z"),
        slug: "ant".to_owned(),
        kind: "changed".to_owned(),
        vendor: Some("Vendor".to_owned()),
        fields: "{\"a\":1}".to_owned(),
    }
}

/// A store with rows in every table except those of hooks.
async fn full(fixture: &TestStore) -> Store {
    let store = fixture.open().await;
    let base_edition = store.commit(first_change()).await.unwrap();
    let head = store.journal().await.unwrap().head;
    let drift = StoredDriftEvent {
        seq: 2,
        revision: "two".to_owned(),
        at: time("2026-03-05T06:07:08Z"),
        body: "{}".to_owned(),
    };
    let second = Change {
        base_edition,
        removed_apps: vec!["zebra".into()],
        removed_records: vec!["zebra".into()],
        put_fetched: vec![FetchedFrom {
            source: "cask_catalog".to_owned(),
            address: "https://example.com/cask.json".to_owned(),
            etag: Some("\"1\"".to_owned()),
            last_modified: None,
            reader: "ours".to_owned(),
        }],
        put_source_states: vec![SourceState {
            source: "cask_catalog".to_owned(),
            received_at: time("2026-03-05T06:07:08Z"),
            changed_at: None,
            rejected: Some(3),
        }],
        revision: Some(revision("two")),
        journal: Some(JournalChange {
            head: JournalHead { newest: 2, ..head },
            changes: vec![stored_change(1)],
            drift: vec![drift],
            patch_titles: vec![StoredPatchTitle { slug: "ant".to_owned(), body: "{}".to_owned() }],
            ..JournalChange::default()
        }),
        served: Some(ServedChange {
            made_by: ServedBy { content_hash: "hash of two".to_owned(), ..made_by("ours") },
            put: vec![served("ant", Some("drift")), served("bee", None)],
            ..ServedChange::default()
        }),
        ..Change::default()
    };
    store.commit(second).await.unwrap();
    store.put_label_runs(vec![label_run("a.sh", "2026-03-05T06:07:08.123Z", None)]).await.unwrap();
    let response = StoredResponse {
        key: "k".to_owned(),
        address: "https://example.com/k".to_owned(),
        etag: None,
        last_modified: Some("yesterday".to_owned()),
        status: 404,
        headers: "[]".to_owned(),
        body: vec![0, 255, 1].into(),
        fetched_at: time("2026-03-05T06:07:08.123Z"),
    };
    let used = time("2026-03-06T06:07:08.123Z");
    store.put_responses(vec![response], Vec::new(), used).await.unwrap();
    store
}

/// Everything but the edition, as text.
async fn described(store: &Store) -> String {
    let mut contents = store.load().await.unwrap();
    contents.edition = Edition::default();
    let mut insertions: Vec<_> = contents.insertions.drain().collect();
    insertions.sort();
    let mut journal = store.journal().await.unwrap();
    journal.edition = Edition::default();
    let revisions = store.revisions().await.unwrap();
    let runs = store.label_runs().await.unwrap();
    let response = store.response("k".to_owned()).await.unwrap();
    let served = all_served(store, "ours").await.map(|(apps, _)| apps);
    let rest = (revisions, runs, response, served);
    format!("{contents:#?}{insertions:?}{journal:#?}{rest:#?}")
}

async fn everything_comes_back_on_every_engine(fixture: TestStore) {
    let store = full(&fixture).await;
    let (bytes, summary) = store.backup(Vec::new(), None).await.unwrap();
    assert_eq!((summary.apps(), summary.manual_records(), summary.hooks()), (1, 1, 0));
    assert_eq!(summary.revision.as_deref(), Some("two"));
    assert_eq!(summary.rows.len(), 15, "every table but those of hooks: {:?}", summary.rows);
    assert_eq!(check_backup(Cursor::new(bytes.clone()), None).await.unwrap(), summary);
    for other in [TestStore::sqlite(), TestStore::postgres()] {
        // A missing store is created.
        let restored = restore(&other, &bytes, None, false).await.unwrap();
        let copy = other.open().await;
        assert_eq!((restored.backup, restored.hooks_without_secrets.len()), (summary.clone(), 0));
        assert_eq!(described(&copy).await, described(&store).await, "{}", other.engine());
        assert_eq!(backup(&copy).await, bytes, "{} writes the same bytes", other.engine());
        // It goes on from there: a slug that was given up counts as new.
        let next = Change {
            base_edition: copy.edition().await.unwrap(),
            added_apps: vec!["cat".into()],
            revision: Some(revision("three")),
            ..Change::default()
        };
        copy.commit(next).await.unwrap();
        let contents = copy.load().await.unwrap();
        assert_eq!(contents.insertions["cat"], 3);
        assert_eq!(contents.revision.unwrap().number, 3);
    }
}

async fn an_empty_store_can_be_backed_up(fixture: TestStore) {
    let store = fixture.open().await;
    let bytes = backup(&store).await;
    let summary = check_backup(Cursor::new(bytes.clone()), None).await.unwrap();
    assert_eq!((summary.revision, summary.rows.len()), (None, 2), "an epoch, and no app so far");
    let place_of_copy = fixture.another();
    let copy = place_of_copy.open().await;
    restore(&place_of_copy, &bytes, None, false).await.unwrap();
    assert_eq!(backup(&copy).await, bytes);
}

async fn a_store_with_contents_is_replaced_only_on_request(fixture: TestStore) {
    let bytes = backup(&full(&fixture).await).await;
    let other = fixture.another();
    let store = other.open().await;
    let first = Change { put_records: vec![record("other")], ..first_change() };
    store.commit(first).await.unwrap();
    store.put_hook(hook("gone"), None, 9).await.unwrap();
    let before = described(&store).await;
    let refused = restore(&other, &bytes, None, false).await.unwrap_err();
    assert!(matches!(refused, BackupError::Store(StoreError::NotEmpty)), "{refused}");
    assert_eq!((described(&store).await, store.edition().await.unwrap().number), (before, 1));
    restore(&other, &bytes, None, true).await.unwrap();
    assert_eq!(backup(&store).await, bytes);
    assert_eq!(store.edition().await.unwrap().number, 2, "others notice it");
    assert!(store.hooks().await.unwrap().is_empty());

    let place_of_with_hook = fixture.another();
    let with_hook = place_of_with_hook.open().await;
    with_hook.put_hook(hook("kept"), None, 9).await.unwrap();
    let refused = restore(&place_of_with_hook, &bytes, None, false).await.unwrap_err();
    assert!(matches!(refused, BackupError::Store(StoreError::NotEmpty)), "{refused}");
}

async fn hooks_come_back_with_their_secrets_only_with_the_key(fixture: TestStore) {
    let store = fixture.open().await;
    for id in ["a", "b"] {
        store.put_hook(hook(id), None, 9).await.unwrap();
        for number in 0..3 {
            let delivery = Some(delivery(number));
            store.record_delivery(id.to_owned(), None, delivery, 9).await.unwrap();
        }
    }
    let (sealed, summary) = store.backup(Vec::new(), Some(key(b'a'))).await.unwrap();
    assert_eq!((summary.hooks(), summary.sealed_hooks), (2, 2));
    let place_of_copy = fixture.another();
    let copy = place_of_copy.open().await;
    let restored = restore(&place_of_copy, &sealed, Some(key(b'a')), false).await.unwrap();
    assert!(restored.hooks_without_secrets.is_empty());
    assert_eq!(copy.hooks().await.unwrap(), store.hooks().await.unwrap());
    let deliveries = copy.deliveries("b".to_owned()).await.unwrap();
    assert_eq!(deliveries, store.deliveries("b".to_owned()).await.unwrap());

    let plain = backup(&store).await;
    for bytes in [&sealed, &plain] {
        let text = zstd_text(bytes);
        for secret in ["sesame", "simsim", "example.com/hook"] {
            assert!(!text.contains(secret), "{text}");
        }
        assert!(text.contains("https://example.com/…"), "{text}");
    }
    let place_of_wrong = fixture.another();
    let wrong = place_of_wrong.open().await;
    let refused = restore(&place_of_wrong, &sealed, Some(key(b'b')), false).await.unwrap_err();
    assert!(matches!(refused, BackupError::WrongKey), "{refused}");
    assert!(wrong.hooks().await.unwrap().is_empty());
    for (bytes, key) in [(&sealed, None), (&plain, None), (&plain, Some(key(b'a')))] {
        let place_of_bare = fixture.another();
        let bare = place_of_bare.open().await;
        let restored = restore(&place_of_bare, bytes, key, false).await.unwrap();
        assert_eq!(restored.hooks_without_secrets, ["a", "b"]);
        let hooks = bare.hooks().await.unwrap();
        assert_eq!((hooks[0].url.as_str(), &hooks[0].previous_secret), ("", &None));
        assert!(hooks[0].secret.0.starts_with("whsec_") && hooks[0].secret != hooks[1].secret);
        let why = hooks[0].progress.disabled.as_deref().unwrap();
        assert!(why.contains("(https://example.com/…)"), "{why}");
        assert_eq!(hooks[0].progress.cursor, hook("a").progress.cursor);
        assert_eq!(bare.deliveries("a".to_owned()).await.unwrap().len(), 3);
    }
}

async fn a_replaced_store_gives_its_secrets(fixture: TestStore) {
    let store = fixture.open().await;
    for id in ["a", "b", "c"] {
        store.put_hook(hook(id), None, 9).await.unwrap();
    }
    let bytes = backup(&store).await;
    let before = store.hooks().await.unwrap();
    let mut moved = before[0].clone();
    moved.progress.cursor.seq = 1000;
    store.put_hook(moved, Some(before[0].generation), 9).await.unwrap();
    store.remove_hook("b".to_owned()).await.unwrap();
    let restored = restore(&fixture, &bytes, None, true).await.unwrap();
    assert_eq!(restored.hooks_without_secrets, ["b"]);
    let after = store.hooks().await.unwrap();
    assert_eq!(
        (&after[0].url, &after[0].secret, &after[0].previous_secret),
        (&before[0].url, &before[0].secret, &before[0].previous_secret)
    );
    assert_eq!(after[2].progress, before[2].progress);
    // What was delivered since the backup is lost, so no journal has the place of the cursor.
    assert_eq!(after[0].progress.cursor.epoch, "restored");
    assert_eq!(after[0].progress.pending, None);
    // A delivery that was on its way before the restore does not move the cursor.
    let late = StoredHook { generation: before[0].generation + 1, ..before[0].clone() };
    let step = Some(late.step(before[0].progress.clone()));
    assert!(!store.record_delivery("a".to_owned(), step, None, 9).await.unwrap());
}

pub(crate) fn zstd_text(bytes: &[u8]) -> String {
    String::from_utf8(zstd::decode_all(bytes).unwrap()).unwrap()
}

fn repacked(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 1).unwrap()
}

/// A backup with the right hash and number of rows for its text.
fn resealed(text: &str) -> Vec<u8> {
    let (rows, _) = text.trim_end().rsplit_once('\n').unwrap();
    let count = rows.lines().filter(|line| line.starts_with('[')).count();
    let hash = digest(&SHA256, format!("{rows}\n").as_bytes());
    let digits: Vec<String> = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let hash = digits.concat();
    repacked(&format!("{rows}\n{{\"end\":{{\"rows\":{count},\"sha256\":\"{hash}\"}}}}\n"))
}

/// Earlier versions of the program had no table of patch titles.
async fn a_backup_of_an_earlier_version_is_restored(fixture: TestStore) {
    let text = zstd_text(&backup(&full(&fixture).await).await);
    let is_later =
        |line: &&str| line.contains("patch_title") || line.starts_with("[\"ant\",\"{}\"]");
    assert_eq!(text.lines().filter(is_later).count(), 2);
    let lines: Vec<&str> = text.lines().filter(|line| !is_later(line)).collect();
    let other = fixture.another();
    restore(&other, &resealed(&format!("{}\n", lines.join("\n"))), None, false).await.unwrap();
    let journal = other.open().await.journal().await.unwrap();
    assert_eq!((journal.patch_titles.len(), journal.changes.len()), (0, 1));
}

/// What somebody wrote by hand, or a faulty program: the hash is right, and the rows are not.
async fn rows_that_no_store_can_hold_are_found_by_checking(fixture: TestStore) {
    let bytes = backup(&full(&fixture).await).await;
    let text = zstd_text(&bytes);
    assert!(check_backup(Cursor::new(resealed(&text)), None).await.is_ok());
    let row = |table: &str, number: usize| {
        let begin = format!("{{\"table\":{{\"name\":\"{table}\"");
        text.lines().skip_while(|line| !line.starts_with(&begin)).nth(number).unwrap()
    };
    let twice = |table: &str| {
        let line = row(table, 1);
        text.replacen(&format!("{line}\n"), &format!("{line}\n{line}\n"), 1)
    };
    let with = |table: &str, from: &str, to: &str| {
        let line = row(table, 1);
        assert!(line.contains(from), "{line}");
        text.replacen(line, &line.replacen(from, to, 1), 1)
    };
    let swapped = {
        let (one, two) = (row("document", 1), row("document", 2));
        text.replacen(&format!("{one}\n{two}\n"), &format!("{two}\n{one}\n"), 1)
    };
    for (expected, text) in [
        ("(document): the row occurs twice", twice("document")),
        ("(revision): the row occurs twice", twice("revision")),
        ("(served): the row occurs twice", twice("served")),
        ("(label_run): the row occurs twice", twice("label_run")),
        ("(journal): the table can have one row only", twice("journal")),
        ("(served_by): the table can have one row only", twice("served_by")),
        ("(document): the row is out of order", swapped),
        ("(revision): number: expected a number", with("revision", "[1,", "[9223372036854775807,")),
        ("(answer): status: expected a number", with("answer", "404,", "70000,")),
        ("(change): the number is after the end", with("change", "[1,", "[1000,")),
        ("(change): the revision is missing", with("change", "[1,2,", "[1,1000,")),
    ] {
        let bytes = resealed(&text);
        let why = check_backup(Cursor::new(bytes.clone()), None).await.unwrap_err().to_string();
        assert!(why.contains(expected), "{expected}: {why}");
        let empty = fixture.another();
        assert_eq!(restore(&empty, &bytes, None, true).await.unwrap_err().to_string(), why);
        assert!(Store::open_to_read(&empty.address).await.is_err(), "nothing is created");
    }
}

async fn a_backup_that_is_not_whole_changes_nothing(fixture: TestStore) {
    let bytes = backup(&full(&fixture).await).await;
    let place_of_store = fixture.another();
    let store = place_of_store.open().await;
    store.commit(first_change()).await.unwrap();
    let before = described(&store).await;
    let text = zstd_text(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let without_end = format!("{}\n", lines[..lines.len() - 1].join("\n"));
    let with_header = |header: &str| text.replacen(lines[0], header, 1);
    let newer = lines[0].replace("\"version\":1", "\"version\":2");
    let mut bad: Vec<(&str, Vec<u8>)> = vec![
        ("not a backup", Vec::new()),
        ("not a backup", b"SQLite format 3\0".to_vec()),
        ("incomplete", repacked("")),
        ("not a backup", repacked("hello\n")),
        ("not a backup", repacked(&"x".repeat(1 << 20))),
        ("not a backup", repacked(&with_header("{\"format\":\"other\",\"version\":1}"))),
        ("format 2", repacked(&with_header(&newer))),
        ("incomplete", repacked(&without_end)),
        ("hash is wrong", repacked(&text.replacen("hash of two", "hash of too", 1))),
        ("something follows", [&bytes[..], b"x"].concat()),
        ("something follows", [&bytes[..], &bytes].concat()),
        ("something follows", repacked(&format!("{text}\n"))),
        ("neither a row nor a table", repacked(&text.replacen("{\"table\"", "{\"chair\"", 1))),
        ("not where it belongs", repacked(&text.replacen("\"record\"", "\"disc\"", 1))),
        ("a column is unknown", repacked(&text.replacen("\"origin\"", "\"cause\"", 1))),
        ("a column is missing", repacked(&text.replacen("\"origin\",", "", 1))),
        (
            "received_at: expected a time",
            repacked(&text.replacen(
                "[\"cask_catalog\",\"2026-03-05T06:07:08Z\"",
                "[\"cask_catalog\",\"2026-03-05\"",
                1,
            )),
        ),
    ];
    for cut in [1, 2, 10, bytes.len() / 2] {
        bad.push(("", bytes[..bytes.len() - cut].to_vec()));
    }
    for fixture in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut flipped = bytes.clone();
        flipped[fixture] ^= 0x10;
        // Some bits of compressed data mean nothing, and some texts can be compressed in several ways.
        let is_damage = zstd::decode_all(&flipped[..]).ok().as_deref() != Some(text.as_bytes());
        if is_damage {
            bad.push(("", flipped));
        }
    }
    assert!(bad.len() > 50, "most of about 60 are damaged: {}", bad.len());
    for (expected, bytes) in bad {
        let why = restore(&place_of_store, &bytes, None, true).await.unwrap_err().to_string();
        assert!(why.contains(expected) && why.lines().count() == 1, "{expected}: {why}");
        let checked = check_backup(Cursor::new(bytes), None).await.unwrap_err();
        assert_eq!(checked.to_string(), why);
    }
    assert_eq!((described(&store).await, store.edition().await.unwrap().number), (before, 1));
}

async fn large_rows_and_odd_texts_come_back(fixture: TestStore) {
    let store = fixture.open().await;
    let large: Vec<u8> = (0..5 << 20).map(|number: u32| (number % 251) as u8).collect();
    let change = Change {
        put_documents: vec![
            document("large", &large),
            document("\0\u{1}\u{2028}", b"\0\x01\x1f\"\\"),
            document("é", "\u{10ffff}".as_bytes()),
        ],
        ..Change::default()
    };
    store.commit(change).await.unwrap();
    let bytes = backup(&store).await;
    for other in [TestStore::sqlite(), TestStore::postgres()] {
        restore(&other, &bytes, None, false).await.unwrap();
        let copy = other.open().await;
        let (copied, original) = (copy.load().await.unwrap(), store.load().await.unwrap());
        assert!(copied.documents == original.documents, "{}", other.engine());
    }
}

/// A line that never ends, and a window that takes more memory than there is.
#[tokio::test]
async fn a_bomb_is_rejected_within_bounds() {
    let header = "{\"format\":\"appstitch backup\",\"version\":1}\n";
    let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
    std::io::Write::write_all(&mut packed, header.as_bytes()).unwrap();
    let block = vec![b'['; 1 << 20];
    for _ in 0..300 {
        std::io::Write::write_all(&mut packed, &block).unwrap();
    }
    let bomb = packed.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    let why = check_backup(Cursor::new(bomb), None).await.unwrap_err().to_string();
    assert!(why.contains("a line has more than 268435456 bytes"), "{why}");

    let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
    packed.window_log(27).unwrap();
    std::io::Write::write_all(&mut packed, &vec![b' '; 200 << 20]).unwrap();
    let window = packed.finish().unwrap();
    assert!(check_backup(Cursor::new(window), None).await.is_err());

    let table = "{\"table\":{\"name\":\"document\",\"columns\":[\"source\",\"key\",\"origin\",\"body\"]}}\n";
    let wide = format!("{header}{table}[{}]\n", "null,".repeat(1 << 20));
    let why = check_backup(Cursor::new(repacked(&wide)), None).await.unwrap_err().to_string();
    assert!(why.starts_with("the backup is damaged: row 1 (document): invalid row"), "{why}");
}

/// An older store is not migrated by whoever only reads it.
#[tokio::test]
async fn a_store_of_an_older_schema_is_left_alone() {
    let fixture = TestStore::sqlite();
    drop(fixture.open().await);
    let appstitch_store::StoreAddress::Sqlite(path) = &fixture.address else { panic!() };
    let connection = rusqlite::Connection::open(path).unwrap();
    let newest = "DELETE FROM refinery_schema_history WHERE version = 11";
    connection.execute(newest, []).unwrap();
    drop(connection);
    let store = Store::open_to_read(&fixture.address).await.unwrap();
    let refused = store.backup(Vec::new(), None).await.unwrap_err();
    let is_told =
        matches!(refused, BackupError::Store(StoreError::TooOld { found: 10, known: 11 }));
    assert!(is_told, "{refused}");
}
