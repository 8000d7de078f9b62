//! Which changes are in which feed, and what days do to archives.

use appstitch_store::{JournalHead, StoredChange, StoredJournal};
use appstitch_types::RECORD_FIELDS;
use serde_json::{Value, json};

use super::*;
use crate::{Draft, Journal};

/// A catalog of these apps with these changes: time, slug, kind, vendor, fields.
fn snapshot(apps: &[(&str, &str, &str)], changes: &[(&str, &str, &str, &str, Value)]) -> Snapshot {
    folded_snapshot(apps, changes, (0, None))
}

/// The same with changes that are folded up to a number, or with an epoch that began at a time.
fn folded_snapshot(
    apps: &[(&str, &str, &str)],
    changes: &[(&str, &str, &str, &str, Value)],
    (floor, floor_at): (u64, Option<&str>),
) -> Snapshot {
    let draft = Draft::of_records(apps.iter().map(|(slug, name, vendor)| {
        let app = json!({"slug": slug, "name": name, "vendor": vendor, "sources": []});
        json!({"app": app, "sources": null})
    }));
    let changes: Vec<StoredChange> = (1..)
        .zip(changes)
        .map(|(seq, (at, slug, kind, vendor, fields))| StoredChange {
            seq,
            revision: "r".to_owned(),
            at: at.parse().unwrap(),
            slug: (*slug).to_owned(),
            kind: (*kind).to_owned(),
            vendor: Some((*vendor).to_owned()),
            fields: fields.to_string(),
        })
        .collect();
    let newest = changes.len() as u64;
    let floor_at = floor_at.map(|at| at.parse().unwrap());
    let head = JournalHead { epoch: "e1".to_owned(), newest, floor, floor_at };
    let stored = StoredJournal { head, changes, ..StoredJournal::default() };
    draft.into_snapshot(None).unwrap().with_journal(Journal::read(stored).unwrap())
}

fn version(from: &str, to: &str) -> Value {
    json!({"current_version": {"from": from, "to": to}})
}

fn feed(snapshot: &Snapshot, scope: FeedScope, all: bool) -> Feed {
    let request = FeedRequest { scope, format: FeedFormat::Atom, all };
    snapshot.feed(&snapshot.find_feed(request).unwrap().request)
}

fn text(snapshot: &Snapshot, scope: FeedScope) -> String {
    let request = FeedRequest { scope, format: FeedFormat::Atom, all: true };
    let found = snapshot.find_feed(request).unwrap();
    String::from_utf8(snapshot.feed_body(&found, &Links::default()).concat()).unwrap()
}

/// The titles of the entries, newest first.
fn titles(snapshot: &Snapshot, scope: FeedScope) -> Vec<String> {
    let text = text(snapshot, scope);
    let parts = text.split("<title>").skip(2);
    parts.map(|part| part.split("</title>").next().unwrap().to_owned()).collect()
}

#[test]
fn the_fields_are_where_they_are_expected() {
    assert_eq!((RECORD_FIELDS[NAME], RECORD_FIELDS[CURRENT_VERSION]), ("name", "current_version"));
}

#[test]
fn a_feed_has_at_least_so_many_and_everything_of_two_days() {
    let at = |day: usize| format!("2026-08-{day:02}T12:00:00Z");
    let many = |days: &[usize]| {
        let times: Vec<String> = days.iter().map(|day| at(*day)).collect();
        let changes: Vec<_> =
            times.iter().map(|at| (at.as_str(), "a", "changed", "V", version("1", "2"))).collect();
        let snapshot = snapshot(&[("a", "A", "V")], &changes);
        [FeedScope::Everything, FeedScope::Vendor("v".into()), FeedScope::App("a".into())]
            .map(|scope| feed(&snapshot, scope, false).entries.len())
    };
    assert_eq!(many(&[1; 5]), [5, 5, 5]);
    assert_eq!(many(&[&[1; 300][..], &[9; 10]].concat()), [100, 100, 20]);
    assert_eq!(many(&[&[1; 300][..], &[7; 150], &[9; 10]].concat()), [160, 160, 160]);
    assert_eq!(many(&vec![9; 2500]), [2000, 2000, 2000]);
}

#[test]
fn many_apps_that_were_added_at_once_are_one_entry() {
    let slugs: Vec<String> = (0..101).map(|number| format!("app{number:03}")).collect();
    let at = "2026-08-01T12:00:00Z";
    let added = |count: usize| {
        let added = slugs.iter().take(count);
        let mut changes: Vec<_> =
            added.map(|slug| (at, slug.as_str(), "added", "V", json!({}))).collect();
        changes.insert(50, (at, "b", "changed", "V", version("1", "2")));
        snapshot(&[("b", "B", "V")], &changes)
    };
    let few = added(100);
    assert_eq!(titles(&few, FeedScope::Everything).len(), 101);
    let many = added(101);
    assert_eq!(titles(&many, FeedScope::Everything), ["101 apps added", "B 1 → 2"]);
    assert_eq!(titles(&many, FeedScope::Vendor("v".into())).len(), 2);
    let day = ArchivePart::read("2026-08-01").unwrap();
    assert_eq!(titles(&many, FeedScope::Archive(day)).len(), 102, "an archive is whole");
    let text = text(&many, FeedScope::Everything);
    assert!(text.contains("href=\"/changes?kind=added\""), "{text}");
}

#[test]
fn an_app_with_a_new_vendor_is_in_the_feeds_of_both() {
    let vendor = json!({"vendor": {"from": "Old Corp", "to": "New Corp"}});
    let snapshot = snapshot(
        &[("a", "A", "New Corp")],
        &[
            ("2026-08-01T00:00:00Z", "a", "changed", "Old Corp", version("1", "2")),
            ("2026-08-02T00:00:00Z", "a", "changed", "New Corp", vendor),
        ],
    );
    let titles = |vendor: &str| titles(&snapshot, FeedScope::Vendor(vendor.to_owned()));
    assert_eq!(titles("OLD corp"), ["A: vendor changed", "A 1 → 2"]);
    assert_eq!(titles("new corp"), ["A: vendor changed"]);
    let unknown = FeedScope::Vendor("nobody".to_owned());
    let request = FeedRequest { scope: unknown, format: FeedFormat::Json, all: false };
    let error = snapshot.find_feed(request).err();
    assert_eq!(error, Some(ReadError::UnknownVendor("nobody".to_owned())));
}

#[test]
fn names_follow_the_journal_back() {
    let name = |from: &str, to: &str| json!({"name": {"from": from, "to": to}});
    let snapshot = snapshot(
        &[("new-slug", "Third", "V"), ("other", "Other", "V")],
        &[
            ("2026-08-01T00:00:00Z", "old-slug", "changed", "V", version("1", "2")),
            ("2026-08-02T00:00:00Z", "old-slug", "changed", "V", name("First", "Second")),
            ("2026-08-03T00:00:00Z", "old-slug", "changed", "V", version("2", "3")),
            (
                "2026-08-04T00:00:00Z",
                "new-slug",
                "renamed",
                "V",
                json!({"slug": {"from": "old-slug", "to": "new-slug"}}),
            ),
            ("2026-08-05T00:00:00Z", "new-slug", "changed", "V", name("Second", "Third")),
            ("2026-08-06T00:00:00Z", "other", "changed", "V", version("1", "2")),
        ],
    );
    let expected = [
        "Other 1 → 2",
        "Second is now called Third",
        "Second: old-slug is now new-slug",
        "Second 2 → 3",
        "First is now called Second",
        "First 1 → 2",
    ];
    assert_eq!(titles(&snapshot, FeedScope::Everything), expected);
    assert_eq!(titles(&snapshot, FeedScope::App("new-slug".into())), expected[1..3]);
    // A subscriber of the old slug sees where the app went.
    assert_eq!(titles(&snapshot, FeedScope::App("old-slug".into()))[0], expected[2]);
}

#[test]
fn an_archive_is_the_same_whatever_follows() {
    let name = json!({"name": {"from": "A", "to": "B"}});
    let mut changes = vec![
        ("2026-08-01T23:00:00Z", "a", "changed", "V", version("1", "2")),
        ("2026-08-02T01:00:00Z", "a", "changed", "V", version("2", "3")),
        ("2026-08-04T00:00:00Z", "a", "changed", "V", version("3", "4")),
    ];
    let day = |text: &str| FeedScope::Archive(ArchivePart::read(text).unwrap());
    let before = snapshot(&[("a", "A", "V")], &changes);
    let second = text(&before, day("2026-08-02"));
    assert!(second.contains("A 2 → 3") && second.contains("/feed/archive/2026-08-01.atom?all=1"));
    let newest = text(&before, FeedScope::Everything);
    assert!(newest.contains("prev-archive") && newest.contains("/feed/archive/2026-08-02.atom"));
    changes.push(("2026-08-05T00:00:00Z", "a", "changed", "V", name));
    let after = snapshot(&[("a", "B", "V")], &changes);
    assert_eq!(text(&after, day("2026-08-02")), second);
    let find = |snapshot: &Snapshot, scope| {
        let request = FeedRequest { scope, format: FeedFormat::Atom, all: true };
        snapshot.find_feed(request).map(|found| found.is_final())
    };
    assert_eq!(find(&before, day("2026-08-04")), Ok(false));
    assert_eq!(find(&after, day("2026-08-04")), Ok(true));
    assert_eq!(find(&after, day("2026-08-03")), Err(ReadError::NoArchive("2026-08-03".to_owned())));
}

#[test]
fn a_day_with_folded_changes_has_no_archive() {
    let changes = [
        ("2026-08-01T01:00:00Z", "a", "changed", "V", version("1", "2")),
        ("2026-08-02T01:00:00Z", "a", "changed", "V", version("2", "3")),
        ("2026-08-02T02:00:00Z", "a", "changed", "V", version("3", "4")),
        ("2026-08-03T01:00:00Z", "a", "changed", "V", version("4", "5")),
    ];
    let snapshot = folded_snapshot(&[("a", "A", "V")], &changes, (2, None));
    let known = |snapshot: &Snapshot| {
        ["2026-08-01", "2026-08-02", "2026-08-03"].map(|day| {
            let scope = FeedScope::Archive(ArchivePart::read(day).unwrap());
            snapshot.find_feed(FeedRequest { scope, format: FeedFormat::Atom, all: false }).is_ok()
        })
    };
    assert_eq!(known(&snapshot), [false, false, true]);
    let began = Some("2026-08-01T00:30:00Z");
    let new_epoch = folded_snapshot(&[("a", "A", "V")], &changes, (0, began));
    assert_eq!(known(&new_epoch), [false, true, true]);
    assert_eq!(feed(&snapshot, FeedScope::App("a".into()), false).entries.len(), 4);
}
