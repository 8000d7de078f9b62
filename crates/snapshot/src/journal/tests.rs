use std::collections::{BTreeMap, HashMap};

use appstitch_store::{NewRevision, StoredJournal};
use appstitch_types::{App, ChangeKind, RecordFields, apply_change, apply_squashed};
use serde_json::json;

use super::*;
use crate::{ChangesRequest, Draft, Previous, Snapshot};

/// An app: slug, version of its cask, version of its label, and former tokens of its cask.
type Made<'a> = (&'a str, &'a str, &'a str, &'a [&'a str]);

fn draft(apps: &[Made<'_>]) -> Draft {
    Draft::of_records(apps.iter().map(|(slug, version, label, former)| {
        json!({"app": {"slug": slug, "name": slug, "vendor": "Acme", "bundle_id": null,
            "current_version": version, "sources": ["label_tool", "cask_catalog"]}, "sources": {
            "label_tool": {"label_name": slug, "label_url": "https://example.com/",
                "raw": {"name": slug, "appNewVersion": label}},
            "cask_catalog": {"token": slug, "entry_json": {"version": version, "old_tokens": former}},
        }})
    }))
}

/// A catalog that is published again and again, an hour apart.
struct Published {
    snapshot: Snapshot,
    hours: i64,
    /// What a store would hold.
    stored: StoredJournal,
}

impl Published {
    fn new() -> Self {
        let snapshot = draft(&[]).into_snapshot(None).unwrap();
        let head = JournalHead { epoch: "0123abcd".to_owned(), ..JournalHead::default() };
        let stored = StoredJournal { head, ..StoredJournal::default() };
        let journal = Journal::read(stored.clone()).unwrap();
        Self { snapshot: snapshot.with_journal(journal), hours: 0, stored }
    }

    fn publish(&mut self, apps: &[Made<'_>]) -> String {
        self.hours += 1;
        let draft = draft(apps);
        let now = Timestamp::from_second(1_700_000_000 + self.hours * 3600).unwrap();
        let revision = draft.new_revision(now);
        let comparison = draft.compared_with(&Previous::Served(&self.snapshot)).unwrap();
        let journal = self.snapshot.journal();
        let change = journal.next(comparison, &revision).unwrap();
        let next = journal.with(&change, &revision).unwrap();
        self.keep(&change, &revision);
        self.snapshot = draft.into_snapshot(Some((&revision).into())).unwrap().with_journal(next);
        revision.token
    }

    fn keep(&mut self, change: &appstitch_store::JournalChange, revision: &NewRevision) {
        self.stored.head = change.head.clone();
        if change.folds {
            let floor = change.head.floor;
            let old = self.stored.changes.iter().filter(|row| row.seq <= floor);
            let last: HashMap<String, u64> = old.map(|row| (row.slug.clone(), row.seq)).collect();
            self.stored.changes.retain(|row| row.seq > floor || last[&row.slug] == row.seq);
            self.stored.drift.retain(|event| event.seq > floor);
            self.stored.revisions.retain(|revision| revision.newest >= floor);
        }
        self.stored.changes.extend(change.changes.iter().cloned());
        self.stored.drift.extend(change.drift.iter().cloned());
        self.stored.revisions.push(appstitch_store::JournalRevision {
            token: revision.token.clone(),
            changed_at: revision.changed_at,
            newest: change.head.newest,
        });
    }

    fn journal(&self) -> &Journal {
        self.snapshot.journal()
    }

    fn apps(&self) -> BTreeMap<String, RecordFields> {
        let rows = &self.snapshot.contents.rows;
        let positions = rows.slugs.positions();
        let read = |position| serde_json::from_slice(rows.apps.rows().row(position)).unwrap();
        positions.map(|position| (rows.slug(position).to_owned(), read(position))).collect()
    }
}

fn served(apps: &BTreeMap<String, RecordFields>) -> Vec<String> {
    let app = |record: &RecordFields| -> App {
        serde_json::from_value(serde_json::Value::Object(record.clone())).unwrap()
    };
    apps.values().map(|record| serde_json::to_string(&app(record)).unwrap()).collect()
}

fn kinds(journal: &Journal, after: u64) -> Vec<(u64, ChangeKind, String)> {
    journal.after(after).map(|row| (row.seq(), row.kind(), row.slug().to_owned())).collect()
}

fn now() -> Timestamp {
    Timestamp::from_second(1_900_000_000).unwrap()
}

#[test]
fn every_publication_tells_what_changed() {
    use ChangeKind::{Added, Changed, Removed, Renamed};
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[]), ("b", "1", "1", &[]), ("c", "1", "1", &[])]);
    published.publish(&[("a", "2", "2", &[]), ("d", "1", "1", &["b"])]);
    let expected = [
        (1, Added, "a"),
        (2, Added, "b"),
        (3, Added, "c"),
        (4, Changed, "a"),
        (5, Removed, "c"),
        (6, Renamed, "d"),
    ];
    let expected: Vec<_> =
        expected.into_iter().map(|(seq, kind, slug)| (seq, kind, slug.to_owned())).collect();
    assert_eq!(kinds(published.journal(), 0), expected);
    let renamed = published.journal().change(6).unwrap().change();
    let fields = serde_json::to_value(&renamed.fields).unwrap();
    assert_eq!(fields, json!({"name": {"from": "b", "to": "d"}, "slug": {"from": "b", "to": "d"}}));
    let of_b: Vec<u64> = published.journal().of_app("b").map(ChangeRow::seq).collect();
    assert_eq!(of_b, [2, 6], "both slugs have the new name");
    assert_eq!(published.journal().change(6).unwrap().former_slug(), Some("b"));
}

#[test]
fn two_candidates_are_no_rename() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[])]);
    published.publish(&[("b", "1", "1", &["a"]), ("c", "1", "1", &["a"])]);
    let kinds: Vec<_> = kinds(published.journal(), 1).into_iter().map(|row| row.1).collect();
    assert_eq!(kinds, [ChangeKind::Removed, ChangeKind::Added, ChangeKind::Added]);
}

#[test]
fn a_revision_without_a_change_of_records_is_known_as_well() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[])]);
    let before = published.journal().newest();
    // Only a payload differs.
    let token = published.publish(&[("a", "1", "1", &["old"])]);
    assert_eq!(published.journal().newest(), before);
    assert_eq!(published.journal().position(&token, now()), Ok(before));
    assert_eq!(published.journal().position(&format!("W/\"{token}\""), now()), Ok(before));
}

#[test]
fn a_source_starts_and_stops_to_lag() {
    let mut published = Published::new();
    published.publish(&[("a", "2", "1", &[])]);
    published.publish(&[("a", "2", "2", &[])]);
    published.publish(&[("a", "2", "3", &[])]);
    let events: Vec<_> = published
        .journal()
        .drift_after(0)
        .map(|event| (event.seq, event.kind.word(), event.source.as_str(), event.versions.len()))
        .collect();
    assert_eq!(
        events,
        [
            (2, "started", "label_tool", 2),
            (3, "stopped", "label_tool", 2),
            (4, "started", "cask_catalog", 2),
        ]
    );
    assert_eq!(published.journal().len(), 1, "the record itself did not change");
}

#[test]
fn replaying_from_any_point_gives_the_catalog() {
    let mut published = Published::new();
    let versions = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let mut states = vec![(0, BTreeMap::new())];
    for step in 0..60_usize {
        let version = |app: usize| versions[(step * (app + 3) / 7) % versions.len()];
        let mut apps: Vec<Made<'_>> = vec![("a", version(0), "1", &[])];
        apps.extend((step % 3 > 0).then(|| ("b", version(1), "2", &[][..])));
        apps.push(if step % 10 < 5 { ("c", "1", "1", &["d"]) } else { ("d", "1", "1", &["c"]) });
        published.publish(&apps);
        states.push((published.journal().newest(), published.apps()));
    }
    let today = served(&published.apps());
    for (seq, state) in &states {
        let mut replayed = state.clone();
        published.journal().after(*seq).for_each(|row| apply_change(&mut replayed, &row.change()));
        assert_eq!(served(&replayed), today, "from {seq}");
        let (mut squashed, mut after) = (state.clone(), *seq);
        loop {
            let page = published.journal().squashed_page(after, &ChangeFilter::default(), 2);
            apply_squashed(&mut squashed, &page.changes);
            after = page.next;
            if !page.more {
                break;
            }
        }
        assert_eq!(served(&squashed), today, "squashed from {seq}");
    }
    let again = Journal::read(published.stored.clone()).unwrap();
    assert_eq!(again.len(), published.journal().len());
    for (left, right) in again.after(0).zip(published.journal().after(0)) {
        assert_eq!((left.json(), left.slug()), (right.json(), right.slug()));
        assert_eq!(left.former_slug(), right.former_slug());
        assert_eq!(left.change(), serde_json::from_str(left.json()).unwrap());
    }
    for seq in 0..=again.newest() {
        assert_eq!(again.token(seq), published.journal().token(seq));
    }
    assert!(published.journal().segments.len() < 10, "{}", published.journal().segments.len());
}

#[test]
fn pages_filter_and_end_where_they_say() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[]), ("b", "1", "1", &[])]);
    published.publish(&[("a", "2", "1", &[]), ("b", "1", "1", &[])]);
    let journal = published.journal();
    let page = journal.page(0, &ChangeFilter::default(), 2);
    assert_eq!((page.rows.len(), page.next, page.more), (2, 2, true));
    let page = journal.page(page.next, &ChangeFilter::default(), 2);
    assert_eq!((page.rows.len(), page.next, page.more), (1, journal.newest(), false));
    let count = |filter: ChangeFilter| journal.page(0, &filter, 10).rows.len();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(count(ChangeFilter { slug: text("a"), ..ChangeFilter::default() }), 2);
    assert_eq!(count(ChangeFilter { vendor: text("ACME"), ..ChangeFilter::default() }), 3);
    assert_eq!(count(ChangeFilter { vendor: text("other"), ..ChangeFilter::default() }), 0);
    assert_eq!(count(ChangeFilter { field: text("name"), ..ChangeFilter::default() }), 2);
    assert_eq!(count(ChangeFilter { field: text("nothing"), ..ChangeFilter::default() }), 0);
    let kind = Some(ChangeKind::Changed);
    assert_eq!(count(ChangeFilter { kind, ..ChangeFilter::default() }), 1);
    let newest = journal.newest_page(&ChangeFilter::default(), 1);
    assert_eq!((newest.rows[0].seq(), newest.from, newest.more), (3, 2, false));
    assert_eq!(journal.newest_page(&ChangeFilter::default(), 9).from, 0);
}

#[test]
fn people_go_back_in_time_and_forth_again() {
    let mut published = Published::new();
    for version in ["1", "2", "3", "4"] {
        published.publish(&[("a", version, version, &[]), ("b", "1", "1", &[])]);
    }
    let journal = published.journal();
    let slug = Some("a".to_owned());
    for (filter, expected) in [
        (ChangeFilter::default(), vec![5, 4, 3, 2, 1]),
        (ChangeFilter { slug, ..ChangeFilter::default() }, vec![5, 4, 3, 1]),
    ] {
        let pages = |before: Option<u64>| journal.newest_first(0, before, &filter, 2);
        let (mut seen, mut before, mut starts) = (Vec::new(), None, vec![None]);
        loop {
            let page = pages(before);
            seen.extend(page.rows.iter().map(|row| row.seq()));
            let Some(older) = page.older else { break };
            before = Some(older);
            starts.push(before);
        }
        assert_eq!(seen, expected);
        assert_eq!(pages(None).newer, None);
        assert_eq!(pages(starts[1]).newer, Some(journal.newest() + 1));
        if let Some(last) = starts.get(2) {
            let newer = pages(*last).newer;
            let first = |before| pages(before).rows[0].seq();
            assert_eq!(first(newer), first(starts[1]), "back to the page before");
        }
    }
    let recent = journal.newest_first(3, None, &ChangeFilter::default(), 9);
    assert_eq!(recent.rows.iter().map(|row| row.seq()).collect::<Vec<_>>(), [5, 4]);
}

#[test]
fn a_position_is_read_in_every_form() {
    let mut published = Published::new();
    let first = published.publish(&[("a", "1", "1", &[])]);
    let second = published.publish(&[("a", "2", "2", &[])]);
    let journal = published.journal();
    let position = |since: &str| journal.position(since, now());
    assert_eq!(position("0"), Ok(0));
    assert_eq!(position(&journal.token(1)), Ok(1));
    assert_eq!(position("0123abcd-1"), Ok(1), "without the check");
    assert_eq!(position(&first), Ok(1));
    assert_eq!(position(&second), Ok(2));
    assert_eq!(position("empty"), Ok(0));
    assert_eq!(position("2020-01-01"), Ok(0), "there was nothing before");
    let at = journal.change(1).unwrap().at();
    assert_eq!(position(&at.to_string()), Ok(1));
    assert_eq!(position("2023-11-14T23:13:19+00:00"), Ok(0));
    assert_eq!(position("2023-11-14T23:13:20 00:00"), Ok(1), "a plus sign of a query");
    let days = (now().as_second() - at.as_second()) / 86_400;
    assert_eq!(position(&format!("{}d", days + 1)), Ok(0));
    assert_eq!(position(&format!("{days}d")), Ok(2));
    assert_eq!(position(&format!("{}H", (days + 1) * 24)), Ok(0));
    for recent in ["1h", "today", "Yesterday"] {
        assert_eq!(position(recent), Ok(2), "{recent}");
    }
    assert_eq!(
        position("2030-12-31T00:00:00Z"),
        Err(SinceError::Future("2030-12-31T00:00:00Z".into()))
    );
    assert!(matches!(position("99"), Err(SinceError::Future(_))));
    for gone in ["ffffffff-1", "0123abcd-1-123456", "0123abcd-99", "20200101T000000Z-0123456789ab"]
    {
        assert!(matches!(position(gone), Err(SinceError::Gone(_))), "{gone}");
    }
    for malformed in [
        "", "tomorrow", "d", "-2d", "2w", "87661h", "-1", "0123abcd-", "0123abcd-1-1", "1.5",
        "99999999999999999999", "\u{202e}",
    ] {
        assert!(matches!(position(malformed), Err(SinceError::Malformed(_))), "{malformed}");
    }
}

#[test]
fn the_token_of_the_catalog_is_always_up_to_date() {
    let mut published = Published::new();
    let older = published.publish(&[("a", "1", "1", &[])]);
    let token = published.publish(&[("a", "2", "2", &[])]);
    // As if the journal was damaged: it lists no revision.
    let lost = Journal::without_changes(&published.stored.head, None);
    let snapshot = published.snapshot.with_journal(lost);
    let changes = |since: &str| {
        let since = Some(since.to_owned());
        snapshot.changes(&ChangesRequest { since, limit: 9, ..ChangesRequest::default() }, now())
    };
    for since in [token.clone(), format!("W/\"{token}\"")] {
        let answer = changes(&since).unwrap();
        assert_eq!((answer.count, answer.next), (0, snapshot.journal().token(2)));
    }
    assert!(matches!(changes(&older), Err(SinceError::Gone(_))));
}

#[test]
fn squashed_pages_count_only_what_the_filter_wants() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[]), ("b", "1", "1", &[]), ("c", "1", "1", &[])]);
    published.publish(&[("a", "2", "2", &[]), ("b", "2", "2", &[]), ("c", "2", "2", &[])]);
    published.publish(&[("a", "3", "3", &[]), ("b", "3", "3", &[])]);
    let journal = published.journal();
    let slug = ChangeFilter { slug: Some("c".to_owned()), ..ChangeFilter::default() };
    let kind = ChangeFilter { kind: Some(ChangeKind::Removed), ..ChangeFilter::default() };
    let page = |after: u64, filter: &ChangeFilter| {
        let page = journal.squashed_page(after, filter, 1);
        let changes = page.changes.into_iter();
        (changes.map(|change| change.slug).collect::<Vec<_>>(), page.more)
    };
    assert_eq!(page(3, &slug), (vec!["c".to_owned()], false));
    assert_eq!(page(3, &kind), (vec!["c".to_owned()], false));
    assert_eq!(page(3, &ChangeFilter::default()), (vec!["a".to_owned()], true));
}

#[test]
fn a_squashed_page_covers_the_changes_that_undo_others() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[]), ("b", "1", "1", &[]), ("c", "1", "1", &[])]);
    published.publish(&[("a", "2", "2", &[]), ("b", "2", "2", &[]), ("c", "2", "2", &[])]);
    let all = ChangeFilter::default();
    let page = published.journal().squashed_page(3, &all, 1);
    assert_eq!((page.changes.len(), page.next, page.more), (1, 4, true));
    assert!(!page.is_final, "it covers more as soon as the changes are undone");
    published.publish(&[("a", "1", "1", &[]), ("b", "1", "1", &[]), ("c", "3", "3", &[])]);
    let page = published.journal().squashed_page(3, &all, 1);
    let slugs: Vec<_> = page.changes.iter().map(|change| change.slug.as_str()).collect();
    assert_eq!((slugs, page.next, page.more), (vec!["c"], published.journal().newest(), false));
    let page = published.journal().squashed_page(4, &all, 1);
    assert_eq!((page.changes.len(), page.more), (1, true));
}

#[test]
fn the_newest_squashed_changes_are_near_the_end() {
    let change = |seq: u64| appstitch_store::StoredChange {
        seq,
        revision: "20260305T060708Z-0123456789ab".to_owned(),
        at: now(),
        slug: format!("app-{seq}"),
        kind: "changed".to_owned(),
        vendor: None,
        fields: r#"{"current_version":{"from":"1","to":"2"}}"#.to_owned(),
    };
    let head = JournalHead { newest: 6_000, ..JournalHead::default() };
    let changes = (1..=6_000).map(change).collect();
    let journal =
        Journal::read(StoredJournal { head, changes, ..StoredJournal::default() }).unwrap();
    let filter = ChangeFilter { slug: Some("app-5990".to_owned()), ..ChangeFilter::default() };
    let from = journal.newest_squashed(&filter, 10);
    let page = journal.squashed_page(from, &filter, 10);
    assert_eq!((from, page.changes.len(), page.more), (1_000, 1, false));
    assert_eq!(journal.newest_squashed(&ChangeFilter::default(), 10), 5_990);
}

#[test]
fn pages_that_differ_have_different_tags() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[])]);
    let request = ChangesRequest { since: Some("0".into()), limit: 1, ..ChangesRequest::default() };
    let alone = published.snapshot.changes(&request, now()).unwrap();
    published.publish(&[("a", "2", "2", &[])]);
    let first = published.snapshot.changes(&request, now()).unwrap();
    assert_eq!((alone.more, first.more, &alone.next), (false, true, &first.next));
    assert_ne!(alone.tag, first.tag);
}

#[test]
fn old_changes_are_folded_to_the_last_of_each_app() {
    let mut published = Published::new();
    for version in ["1", "2", "3"] {
        published.publish(&[("a", version, "1", &[]), ("b", "1", "1", &[])]);
    }
    let old = published.journal().token(2);
    let first = published.snapshot.token().to_owned();
    published.hours += 402 * 24;
    published.publish(&[("a", "4", "1", &[]), ("b", "1", "1", &[])]);
    let journal = published.journal();
    let floor = journal.floor();
    let kept = kinds(journal, 0);
    let slugs: Vec<&str> = kept.iter().map(|row| row.2.as_str()).collect();
    assert_eq!(slugs, ["b", "a", "a"], "the last ones before, and the new one");
    assert!(kept[0].0 < kept[1].0 && kept[1].0 <= floor && kept[2].0 > floor, "{kept:?}");
    assert!(matches!(journal.position(&old, now()), Err(SinceError::Gone(_))));
    assert!(matches!(journal.position("0", now()), Err(SinceError::Gone(_))));
    assert!(matches!(journal.position("2020-01-01", now()), Err(SinceError::Gone(_))));
    assert_eq!(journal.position(&first, now()), Ok(floor));
    assert_eq!(journal.position(&journal.token(floor), now()), Ok(floor));
    assert_eq!(journal.page(floor, &ChangeFilter::default(), 9).rows.len(), 1);
    let again = Journal::read(published.stored.clone()).unwrap();
    assert_eq!(kinds(&again, 0), kept);
    assert_eq!(again.token(floor), journal.token(floor));
}

#[test]
fn an_unknown_catalog_starts_a_new_epoch() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[])]);
    let old = published.journal().token(1);
    let next = draft(&[("a", "2", "2", &[])]);
    let revision = next.new_revision(now());
    let comparison = next.compared_with(&Previous::Unknown).unwrap();
    let change = published.journal().next(comparison, &revision).unwrap();
    let journal = published.journal().with(&change, &revision).unwrap();
    assert_ne!(journal.epoch(), published.journal().epoch());
    assert!(journal.newest() >= published.journal().newest(), "no number is used twice");
    assert!(matches!(journal.position(&old, now()), Err(SinceError::Gone(_))));
    assert!(matches!(journal.position("empty", now()), Err(SinceError::Gone(_))));
    assert_eq!(journal.position(&revision.token, now()), Ok(journal.newest()));
}

#[test]
fn the_history_follows_new_names_and_ends_at_removal() {
    let mut published = Published::new();
    published.publish(&[("a", "1", "1", &[]), ("x", "1", "1", &[])]);
    published.publish(&[("a", "2", "2", &[]), ("x", "1", "1", &[])]);
    published.publish(&[("b", "3", "3", &["a"]), ("x", "1", "1", &[])]);
    published.publish(&[("a", "9", "9", &[]), ("b", "3", "3", &[]), ("x", "1", "1", &[])]);
    let versions = |slug: &str| {
        let history = published.snapshot.history(slug).unwrap();
        let all = history.versions.into_iter();
        all.map(|version| (version.version, version.until.is_some())).collect::<Vec<_>>()
    };
    let expected = |all: &[(&str, bool)]| {
        all.iter().map(|(version, ended)| ((*version).to_owned(), *ended)).collect::<Vec<_>>()
    };
    assert_eq!(versions("b"), expected(&[("3", false), ("2", true), ("1", true)]));
    assert_eq!(versions("x"), expected(&[("1", false)]));
    // Another app took the slug.
    assert_eq!(versions("a"), expected(&[("9", false)]));
    assert!(published.snapshot.history("nobody").is_err());
    let mut published = published;
    published.publish(&[("b", "3", "3", &[])]);
    let gone = published.snapshot.history("x").unwrap();
    assert!(gone.versions[0].until.is_some(), "{gone:?}");
}

#[test]
fn a_position_that_is_ahead_may_come() {
    let mut published = Published::new();
    let old = published.publish(&[("a", "1", "1", &[])]);
    let newest = published.publish(&[("a", "2", "2", &[])]);
    let position = published.journal().token(2);
    for (since, expected) in [
        (position.as_str(), false),
        ("2", false),
        (old.as_str(), false),
        (newest.as_str(), false),
        ("2023-11-14", false),
        ("nonsense", false),
        ("empty", false),
        // Of this store, but another change has the number.
        ("0123abcd-2-ffffff", false),
        ("0123abcd-3-ffffff", true),
        ("0123abcd-3", true),
        ("3", true),
        // Another server may have begun a new epoch.
        ("ffffffff-1-ffffff", true),
        ("20991231T000000Z-0123456789ab", true),
        ("W/\"20991231T000000Z-0123456789ab\"", true),
        // Older than what is served, and unknown.
        ("20200101T000000Z-0123456789ab", false),
    ] {
        assert_eq!(published.journal().may_come(since), expected, "{since}");
    }
}
