use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::App;

type Apps = BTreeMap<String, RecordFields>;

fn record(slug: &str, version: Option<&str>) -> RecordFields {
    let app = json!({"slug": slug, "name": slug, "current_version": version, "sources": []});
    let app: App = serde_json::from_value(app).unwrap();
    let Value::Object(fields) = serde_json::to_value(app).unwrap() else { panic!("an object") };
    fields
}

fn change(
    seq: u64,
    kind: ChangeKind,
    before: Option<&RecordFields>,
    after: Option<&RecordFields>,
) -> AppChange {
    let slug = after.or(before).and_then(|record| record["slug"].as_str()).unwrap();
    AppChange {
        seq,
        at: Timestamp::UNIX_EPOCH,
        revision: seq.to_string(),
        slug: slug.to_owned(),
        kind,
        fields: changed_fields(before, after),
    }
}

/// A record as it is served, whatever the order of its fields.
fn served(record: &RecordFields) -> String {
    let app: App = serde_json::from_value(Value::Object(record.clone())).unwrap();
    serde_json::to_string(&app).unwrap()
}

fn all_served(apps: &Apps) -> Vec<String> {
    apps.values().map(served).collect()
}

#[test]
fn the_fields_of_a_record_are_known_in_order() {
    assert_eq!(record("a", None).keys().collect::<Vec<_>>(), RECORD_FIELDS);
}

#[test]
fn values_are_compared_and_not_their_spelling() {
    let read = |text: &str| serde_json::from_str::<RecordFields>(text).unwrap();
    let old = read(r#"{"slug":"a","name":"A","vendor":null,"sources":["x"]}"#);
    let new = read(r#"{ "sources": ["x"], "name": "\u0041", "slug": "a", "added_later": null }"#);
    assert!(changed_fields(Some(&old), Some(&new)).is_empty());
    let changed =
        changed_fields(Some(&old), Some(&read(r#"{"slug":"a","name":"B","sources":[]}"#)));
    assert_eq!(
        serde_json::to_value(changed).unwrap(),
        json!({"name": {"from": "A", "to": "B"}, "sources": {"from": ["x"], "to": []}})
    );
}

#[test]
fn what_was_undone_disappears() {
    let (one, two) = (record("a", Some("1")), record("a", Some("2")));
    let mut squash = Squash::default();
    squash.push(change(1, ChangeKind::Changed, Some(&one), Some(&two)), [true; 3]);
    squash.push(change(2, ChangeKind::Changed, Some(&two), Some(&one)), [true; 3]);
    let new = record("b", None);
    squash.push(change(3, ChangeKind::Added, None, Some(&new)), [true; 3]);
    squash.push(change(4, ChangeKind::Removed, Some(&new), None), [true; 3]);
    assert_eq!((squash.len(), squash.matching()), (2, 0));
    assert_eq!(squash.finish(), []);
}

#[test]
fn each_condition_may_be_met_by_another_change() {
    let (one, two) = (record("a", Some("1")), record("a", Some("2")));
    let mut squash = Squash::default();
    let first = change(1, ChangeKind::Added, None, Some(&one));
    squash.push(first, [true, false, true]);
    assert_eq!(squash.matching(), 0);
    let second = change(2, ChangeKind::Changed, Some(&one), Some(&two));
    squash.push(second, [false, true, false]);
    assert_eq!((squash.matching(), squash.finish().len()), (1, 1));
}

#[test]
fn an_app_that_was_renamed_and_removed_leaves_under_its_first_name() {
    let (old, new) = (record("a", Some("1")), record("b", Some("2")));
    let mut squash = Squash::default();
    squash.push(change(1, ChangeKind::Renamed, Some(&old), Some(&new)), [true; 3]);
    squash.push(change(2, ChangeKind::Removed, Some(&new), None), [true; 3]);
    let squashed = squash.finish();
    assert_eq!(squashed.len(), 1);
    assert_eq!((squashed[0].slug.as_str(), squashed[0].kind), ("a", ChangeKind::Removed));
    assert_eq!(squashed[0].fields["current_version"].from, "1");
}

#[test]
fn apps_may_swap_their_slugs() {
    let start: Apps = [("a", "1"), ("b", "2")]
        .map(|(slug, version)| (slug.to_owned(), record(slug, Some(version))))
        .into();
    let steps = [("a", "c", "1"), ("b", "a", "2"), ("c", "b", "1")];
    let mut squash = Squash::default();
    let mut replayed = start.clone();
    for (seq, (from, to, version)) in (1..).zip(steps) {
        let (old, new) = (record(from, Some(version)), record(to, Some(version)));
        let change = change(seq, ChangeKind::Renamed, Some(&old), Some(&new));
        apply_change(&mut replayed, &change);
        squash.push(change, [true; 3]);
    }
    let mut squashed = start;
    apply_squashed(&mut squashed, &squash.finish());
    assert_eq!(all_served(&squashed), all_served(&replayed));
    assert_eq!(squashed["a"]["current_version"], "2");
}

/// One step of a made-up history: which slug, which version, and whether it takes another slug.
fn step() -> impl Strategy<Value = (u8, u8, Option<u8>)> {
    (0..5_u8, 0..4_u8, prop::option::weighted(0.3, 0..5_u8))
}

fn versions(number: u8) -> Option<String> {
    (number > 0).then(|| number.to_string())
}

/// Makes a step and tells it as a change, if it is one.
fn make(
    (slug, version, other): (u8, u8, Option<u8>),
    seq: u64,
    apps: &mut Apps,
) -> Option<AppChange> {
    let (slug, other) = (format!("app{slug}"), other.map(|other| format!("app{other}")));
    let version = versions(version);
    let before = apps.remove(&slug);
    let renamed =
        other.filter(|other| before.is_some() && *other != slug && !apps.contains_key(other));
    let removed = before.is_some() && version.is_none() && renamed.is_none();
    let after = (!removed).then(|| record(renamed.as_ref().unwrap_or(&slug), version.as_deref()));
    let kind = match (&before, &after) {
        (None, _) => ChangeKind::Added,
        (_, None) => ChangeKind::Removed,
        _ if renamed.is_some() => ChangeKind::Renamed,
        _ => ChangeKind::Changed,
    };
    let change = change(seq, kind, before.as_ref(), after.as_ref());
    if let Some(after) = after {
        apps.insert(change.slug.clone(), after);
    }
    (!change.fields.is_empty()).then_some(change)
}

proptest! {
    #[test]
    fn a_difference_applied_gives_the_other_record(
        before in "[a-z]{0,3}", after in "[a-z]{0,3}",
    ) {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (old, new) = (record("a", text(&before).as_deref()), record("a", text(&after).as_deref()));
        let mut apps = Apps::from([("a".to_owned(), old.clone())]);
        apply_change(&mut apps, &change(1, ChangeKind::Changed, Some(&old), Some(&new)));
        prop_assert_eq!(&apps["a"], &new);
    }

    #[test]
    fn replaying_and_squashing_give_the_same_catalog(
        steps in prop::collection::vec(step(), 0..40), start in 0..40_usize,
    ) {
        let mut apps = Apps::new();
        let mut replayed = Apps::new();
        let mut changes = Vec::new();
        for (seq, step) in (1..).zip(steps) {
            if changes.len() == start {
                replayed = apps.clone();
            }
            changes.extend(make(step, seq, &mut apps));
        }
        let later = changes.get(start..).unwrap_or_default();
        if later.is_empty() {
            return Ok(());
        }
        let mut squashed = replayed.clone();
        let mut squash = Squash::default();
        for change in later {
            apply_change(&mut replayed, change);
            squash.push(change.clone(), [true; 3]);
        }
        let net = squash.finish();
        apply_squashed(&mut squashed, &net);
        prop_assert_eq!(all_served(&replayed), all_served(&apps));
        prop_assert_eq!(all_served(&squashed), all_served(&apps));
        let before: BTreeSet<&str> = net.iter().map(slug_of).collect();
        prop_assert!(before.len() <= net.len());
    }
}

fn slug_of(change: &AppChange) -> &str {
    &change.slug
}
