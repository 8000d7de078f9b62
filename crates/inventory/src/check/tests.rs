//! Whole checks against a small catalog.

use std::sync::{Arc, atomic::AtomicBool};

use appstitch_budget::{Budget, Exceeded, Limits};
use appstitch_types::{
    App, AppSources,
    inventory::{CheckRule, CheckedApp, InventoryReport, InventoryTotals, Verdict},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{InstalledApp, InstalledFrom};

mod editions;

/// An app with a cask: slug, bundle identifier, Team ID, version, file name, main record.
type Given<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, Option<&'a str>);

fn index(apps: &[Given<'_>]) -> InstalledIndex {
    let mut index = InstalledIndex::default();
    for (slug, id, team, version, file, main) in apps {
        let text = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
        let app = json!({"slug": slug, "name": file, "bundle_id": text(id),
            "expected_team_id": text(team), "download_url": "https://example.com/a.dmg",
            "sources": []});
        let app: App = serde_json::from_value(app).unwrap();
        let entry = json!({"token": slug, "name": [file], "version": version,
            "artifacts": [{"app": [format!("{file}.app")]}]});
        let sources = json!({"cask_catalog": {"token": slug, "entry_json": entry}}).to_string();
        let sources: AppSources = serde_json::from_str(&sources).unwrap();
        index.push(&app, &(&sources).into(), &[], *main);
    }
    index.finish()
}

fn catalog() -> InstalledIndex {
    let main = Some("sample");
    index(&[
        ("sample", "com.example.sample", "ABCDE12345", "6.2.1", "Sample", main),
        ("sample@beta", "com.example.sample", "", "7.0", "Sample", main),
        ("sample@4", "com.example.sample", "", "4.8", "Sample", main),
        ("sample@preview", "", "", "7.1", "Sample Beta", main),
        ("other", "org.example.other", "ZZZZZ12345", "1.2", "Other", None),
        ("twin", "net.one.twin", "", "2.0", "Twin", None),
        ("twin-two", "net.two.twin", "", "3.0", "Twin", None),
        ("nameless", "", "", "1.0", "Nameless", None),
        ("bird", "org.example.bird", "BBBBB12345", "154.0", "Bird", Some("bird")),
        ("bird@esr", "", "BBBBB12345", "140.14.1", "Bird", Some("bird")),
    ])
}

fn row(name: &str, id: &str, version: &str) -> InstalledApp {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    InstalledApp {
        name: given(name),
        bundle_id: given(id),
        short_version: given(version),
        path: given(name).map(|name| format!("/Applications/{name}.app")),
        ..InstalledApp::default()
    }
}

fn check_all(
    index: &InstalledIndex,
    rows: &[InstalledApp],
    options: CheckOptions,
) -> Vec<CheckedApp> {
    let checked = index.check_all(rows.to_vec(), options, &mut Budget::new(Limits::NONE)).unwrap();
    let (count, totals) = (checked.len(), checked.totals());
    let apps: Vec<CheckedApp> = checked.into_iter().collect();
    assert_eq!((apps.len(), InventoryTotals::of(&apps)), (count, totals));
    apps
}

fn check(row: InstalledApp) -> (Verdict, Option<String>, CheckRule) {
    let checked = check_all(&catalog(), &[row], CheckOptions::default()).remove(0);
    (checked.verdict, checked.slug, checked.rule)
}

fn judged(verdict: Verdict, slug: &str, rule: CheckRule) -> (Verdict, Option<String>, CheckRule) {
    (verdict, (!slug.is_empty()).then(|| slug.to_owned()), rule)
}

#[test]
fn what_a_browser_or_an_updater_keeps_is_ignored() {
    let at = |path: &str| InstalledApp { path: Some(path.to_owned()), ..row("Other", "", "1.0") };
    for (row, rule) in [
        (at("/Users/anna/Applications/Chrome Apps.localized/Other.app"), CheckRule::WebApp),
        (
            row("Other", "com.google.Chrome.app.aghbiahbpaijignceidepookljebhfak", "1.0"),
            CheckRule::WebApp,
        ),
        (row("Other", "com.apple.Safari.WebApp.0F1D", "1.0"), CheckRule::WebApp),
        (
            at("/Users/anna/Library/Caches/org.example.other.ShipIt/update.abc/Other.app"),
            CheckRule::NotInstalled,
        ),
    ] {
        assert_eq!(check(row), judged(Verdict::Ignored, "", rule));
    }
}

#[test]
fn an_app_from_setapp_is_updated_by_setapp() {
    let id = "com.example.sample-setapp";
    let setapp = |version: &str| InstalledApp {
        path: Some("/Applications/Setapp/Sample.app".to_owned()),
        team_id: Some("ABCDE12345".to_owned()),
        ..row("Sample", id, version)
    };
    assert_eq!(check(setapp("6.1.0")), judged(Verdict::Store, "sample", CheckRule::NoStoreListing));
    assert_eq!(check(setapp("6.2.1")), judged(Verdict::Current, "sample", CheckRule::Equal));
}

#[test]
fn a_number_in_the_name_tells_a_major_version_that_is_sold_by_itself() {
    let index = index(&[
        ("editor", "com.example.editor", "", "26.0.2", "Editor", None),
        ("camera2025", "com.example.camera2025", "", "2026.2.0", "Camera", None),
    ]);
    let verdict = |row: InstalledApp| {
        let checked = check_all(&index, &[row], CheckOptions::default()).remove(0);
        (checked.verdict, checked.rule)
    };
    let at = |path: &str, version: &str| InstalledApp {
        path: Some(path.to_owned()),
        ..row("Editor", "com.example.editor", version)
    };
    let other = (Verdict::NotComparable, CheckRule::OtherMajor);
    let older = (Verdict::Outdated, CheckRule::OlderVersion);
    assert_eq!(verdict(at("/Applications/Editor 19.app", "19.6.3")), other);
    assert_eq!(verdict(at("/Applications/Editor 2020/Editor.app", "20.5.1")), other);
    assert_eq!(verdict(at("/Applications/Editor.app", "19.6.3")), older);
    assert_eq!(verdict(at("/Applications/Editor 18.app", "19.6.3")), older);
    assert_eq!(verdict(row("Camera", "com.example.camera2025", "2025.2.3")), other);
    assert_eq!(verdict(row("Camera", "com.example.camera2025", "2026.1.3")), older);
}

#[test]
fn a_vendor_that_begins_like_an_app_is_another_one() {
    // The record has no identifier, and its web site is not known.
    let checked = check(row("Nameless", "com.namelesslabs.desktop", "0.3"));
    assert_eq!(checked, judged(Verdict::Unmatched, "", CheckRule::OtherIdentity));
    let checked = check(row("Nameless", "com.nameless.desktop", "0.3"));
    assert_eq!(checked, judged(Verdict::Outdated, "nameless", CheckRule::OlderVersion));
}

#[test]
fn a_bundle_identifier_leads_to_the_fitting_record() {
    use CheckRule::{Equal, NewerVersion, OlderVersion, OtherMajor};
    for (version, expected) in [
        ("6.2.1", judged(Verdict::Current, "sample", Equal)),
        ("6.1.0", judged(Verdict::Outdated, "sample", OlderVersion)),
        ("6.3.0", judged(Verdict::Newer, "sample", NewerVersion)),
        ("7.0", judged(Verdict::Current, "sample@beta", Equal)),
        ("4.8", judged(Verdict::Current, "sample@4", Equal)),
        ("4.7", judged(Verdict::Outdated, "sample@4", OlderVersion)),
        ("3.1", judged(Verdict::NotComparable, "sample", OtherMajor)),
    ] {
        assert_eq!(check(row("Sample", "COM.example.Sample", version)), expected, "{version}");
    }
}

#[test]
fn a_channel_without_an_identifier_is_found_by_its_product() {
    let found = |version: &str| check(row("Bird", "org.example.bird", version));
    assert_eq!(found("154.0"), judged(Verdict::Current, "bird", CheckRule::Equal));
    assert_eq!(found("140.14.1"), judged(Verdict::Current, "bird@esr", CheckRule::Equal));
    assert_eq!(found("140.13.0"), judged(Verdict::Outdated, "bird@esr", CheckRule::OlderVersion));
    assert_eq!(found("153.0"), judged(Verdict::Outdated, "bird", CheckRule::OlderVersion));
    // Releases have no second number but zero.
    assert_eq!(found("128.14.0"), judged(Verdict::Outdated, "bird@esr", CheckRule::OlderVersion));
    assert_eq!(found("128.0.3"), judged(Verdict::Outdated, "bird", CheckRule::OlderVersion));
    assert_eq!(found("145.2.0"), judged(Verdict::Outdated, "bird", CheckRule::OlderVersion));
}

#[test]
fn a_name_needs_a_team_id_or_must_be_the_only_one() {
    let signed = |name: &str, id: &str, team: &str| InstalledApp {
        team_id: Some(team.to_owned()),
        ..row(name, id, "1.0.0")
    };
    let unmatched = |rule| judged(Verdict::Unmatched, "", rule);
    let outdated = |slug| judged(Verdict::Outdated, slug, CheckRule::OlderVersion);
    assert_eq!(check(signed("Other", "", "ZZZZZ12345")), outdated("other"));
    assert_eq!(check(signed("Other", "", "YYYYY12345")), unmatched(CheckRule::OtherIdentity));
    // The Team ID of the main record is also that of the channels.
    let beta = signed("Sample Beta", "com.example.sample-beta", "ABCDE12345");
    assert_eq!(check(beta), outdated("sample@preview"));
    let beta = signed("Sample Beta", "", "YYYYY12345");
    assert_eq!(check(beta), unmatched(CheckRule::OtherIdentity));
    // Nor is it a channel of that product, although its record has no Team ID.
    assert_eq!(check(signed("Sample", "", "YYYYY12345")), unmatched(CheckRule::OtherIdentity));
    assert_eq!(check(row("Other", "", "1.0.0")), outdated("other"));
    assert_eq!(
        check(row("Other", "com.somebody.other", "1.0")),
        unmatched(CheckRule::OtherIdentity)
    );
    assert_eq!(check(row("Nameless", "org.nameless.app", "1.0")).1.as_deref(), Some("nameless"));
    assert_eq!(check(row("Nameless", "com.other.x", "1.0")), unmatched(CheckRule::OtherIdentity));
    assert_eq!(
        check(row("Twin", "", "1.0")),
        judged(Verdict::Ambiguous, "", CheckRule::SeveralApps)
    );
    assert_eq!(check(row("Nobody", "", "1.0")), unmatched(CheckRule::UnknownName));
    assert_eq!(check(row("Mail", "", "16.0")), judged(Verdict::System, "", CheckRule::AppleName));
    assert_eq!(check(row("Mail", "org.x.mail", "16.0")), unmatched(CheckRule::UnknownBundleId));
    assert_eq!(check(row("", "", "1.0")), unmatched(CheckRule::NoIdentity));
}

#[test]
fn a_short_name_or_one_of_another_file_is_not_enough() {
    let index =
        index(&[("ice", "", "", "2.0", "Ice", None), ("other", "", "", "2.0", "Other", None)]);
    let rule = |name: &str, path: &str| {
        let path = (!path.is_empty()).then(|| path.to_owned());
        let row = InstalledApp { path, ..row(name, "", "1.0") };
        let checked = check_all(&index, &[row], CheckOptions::default()).remove(0);
        (checked.slug, checked.rule)
    };
    let other = Some("other".to_owned());
    let long = "/Applications/Ice Cream Stock Manager.app";
    assert_eq!(rule("Ice", long), (None, CheckRule::ShortName));
    assert_eq!(rule("Ice", ""), (None, CheckRule::ShortName));
    let ice = Some("ice".to_owned());
    assert_eq!(rule("Ice", "/Applications/Ice.app"), (ice, CheckRule::OlderVersion));
    assert_eq!(rule("Other", "/Applications/Other Reader.app"), (None, CheckRule::OtherIdentity));
    assert_eq!(rule("Other", "/Applications/Other.app"), (other.clone(), CheckRule::OlderVersion));
    assert_eq!(rule("Other", ""), (other, CheckRule::OlderVersion));
}

#[test]
fn the_receipt_of_an_app_that_updates_itself_is_never_outdated() {
    let mut index = InstalledIndex::default();
    for (slug, updates_itself) in [("own", json!(true)), ("manual", Value::Null)] {
        let app = json!({"slug": slug, "name": slug, "sources": []});
        let app: App = serde_json::from_value(app).unwrap();
        let entry = json!({"token": slug, "version": "2.0", "auto_updates": updates_itself});
        let sources = json!({"cask_catalog": {"token": slug, "entry_json": entry}}).to_string();
        let sources: AppSources = serde_json::from_str(&sources).unwrap();
        index.push(&app, &(&sources).into(), &[], None);
    }
    let index = index.finish();
    let row = |slug: &str, version: &str, version_from_receipt: bool| InstalledApp {
        token: Some(slug.to_owned()),
        short_version: Some(version.to_owned()),
        version_from_receipt,
        ..InstalledApp::default()
    };
    let rows = [
        row("own", "1.0", true),
        row("own", "1.0", false),
        row("own", "2.0", true),
        row("manual", "1.0", true),
    ];
    let checked = check_all(&index, &rows, CheckOptions::default());
    let verdicts: Vec<_> = checked.iter().map(|checked| (checked.verdict, checked.rule)).collect();
    let expected = [
        (Verdict::NotComparable, CheckRule::SelfUpdating),
        (Verdict::Outdated, CheckRule::OlderVersion),
        (Verdict::Current, CheckRule::Equal),
        (Verdict::Outdated, CheckRule::OlderVersion),
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn an_app_of_the_store_is_never_compared_with_another_edition() {
    let store =
        InstalledApp { origin: InstalledFrom::Store, ..row("Sample", "com.example.sample", "1.0") };
    assert_eq!(check(store), judged(Verdict::Store, "sample", CheckRule::NoStoreListing));
    let other = InstalledApp { origin: InstalledFrom::Store, ..row("Sample", "com.x.y", "1.0") };
    assert_eq!(check(other), judged(Verdict::Store, "", CheckRule::NoStoreListing));
    let apples = |origin| InstalledApp { origin, ..row("Notes", "com.apple.notes", "1.0") };
    let sold = judged(Verdict::Store, "", CheckRule::NoStoreListing);
    assert_eq!(check(apples(InstalledFrom::Store)), sold);
    let built_in = judged(Verdict::System, "", CheckRule::AppleBundleId);
    assert_eq!(check(apples(InstalledFrom::Unknown)), built_in);
}

#[test]
fn a_listing_can_be_older_than_what_the_store_sells() {
    let app = json!({"slug": "chat", "name": "Chat", "bundle_id": "com.example.chat",
        "sources": []});
    let app: App = serde_json::from_value(app).unwrap();
    let listing = json!({"store_listing": {"bundle_id": "com.example.chat",
        "raw": {"kind": "mac-software", "version": "4.8.0"}}});
    let sources: AppSources = serde_json::from_str(&listing.to_string()).unwrap();
    let mut index = InstalledIndex::default();
    index.push(&app, &(&sources).into(), &[], None);
    let index = index.finish();
    let verdict = |version: &str| {
        let row = row("Chat", "com.example.chat", version);
        let row = InstalledApp { origin: InstalledFrom::Store, ..row };
        let checked = check_all(&index, &[row], CheckOptions::default()).remove(0);
        (checked.verdict, checked.rule)
    };
    assert_eq!(verdict("4.8.0"), (Verdict::Current, CheckRule::Equal));
    assert_eq!(verdict("4.7.0"), (Verdict::Outdated, CheckRule::OlderVersion));
    assert_eq!(verdict("4.51.1"), (Verdict::Store, CheckRule::NoStoreListing));
}

#[test]
fn only_the_newest_copy_on_a_mac_counts() {
    let copy = |host: Option<&str>, path: &str, version: &str| InstalledApp {
        host: host.map(str::to_owned),
        path: Some(path.to_owned()),
        ..row("Other", "org.example.other", version)
    };
    let verdicts = |rows: &[InstalledApp]| -> Vec<Verdict> {
        let checked = check_all(&catalog(), rows, CheckOptions::default());
        checked.iter().map(|checked| checked.verdict).collect()
    };
    let (here, there) = ("/Applications/Other.app", "/Applications/Other 2.app");
    let pair = |host| [copy(host, here, "1.2"), copy(host, there, "1.1")];
    assert_eq!(verdicts(&pair(Some("a"))), [Verdict::Current, Verdict::Ignored]);
    assert_eq!(verdicts(&pair(None)), [Verdict::Current, Verdict::Ignored]);
    let macs = [copy(Some("a"), here, "1.2"), copy(Some("b"), here, "1.1")];
    assert_eq!(verdicts(&macs), [Verdict::Current, Verdict::Outdated]);
    let unnamed = [copy(None, here, "1.2"), copy(None, here, "1.1")];
    assert_eq!(verdicts(&unnamed), [Verdict::Current, Verdict::Outdated], "of two Macs");
}

#[test]
fn similar_names_are_suggested_on_request_only() {
    let rows = [row("Sample Reader", "", "1.0")];
    let suggested = check_all(&catalog(), &rows, CheckOptions { suggest: true }).remove(0);
    assert_eq!(suggested.did_you_mean.first().map(String::as_str), Some("sample"));
    let plain = check_all(&catalog(), &rows, CheckOptions::default()).remove(0);
    assert!(plain.did_you_mean.is_empty());
}

#[test]
fn totals_count_every_verdict() {
    let rows = [
        row("Sample", "com.example.sample", "6.2.1"),
        row("Nobody", "", "1.0"),
        InstalledApp { path: Some("/System/A.app".to_owned()), ..row("A", "", "1") },
    ];
    let report = InventoryReport::new(None, check_all(&catalog(), &rows, CheckOptions::default()));
    assert_eq!((report.totals.rows, report.totals.matched), (3, 1));
    assert_eq!(report.totals.coverage, Some(0.5));
    for verdict in [Verdict::Current, Verdict::Unmatched, Verdict::System] {
        assert_eq!(report.totals.count(verdict), 1, "{verdict:?}");
    }
}

/// Many rows of an app with many records, which each have to be compared.
fn costly() -> (InstalledIndex, Vec<InstalledApp>) {
    let slugs: Vec<String> = (0..200).map(|number| format!("app@{number}")).collect();
    let apps: Vec<Given<'_>> = slugs
        .iter()
        .map(|slug| (slug.as_str(), "com.example.app", "", "2.0", "App", None))
        .collect();
    let rows = (0..100).map(|number| row("App", "com.example.app", &format!("1.{number}")));
    (index(&apps), rows.collect())
}

#[test]
fn the_work_of_a_check_is_limited() {
    let (index, rows) = costly();
    let check = |rows: &[InstalledApp], budget: Budget| {
        let checked = index.check_all(rows.to_vec(), CheckOptions::default(), &mut { budget });
        checked.map(|checked| checked.len())
    };
    assert_eq!(check(&rows, Budget::new(Limits::NONE)), Ok(100));
    let steps = Limits { steps: 1_000_000, ..Limits::NONE };
    assert_eq!(check(&rows, Budget::new(steps)), Err(Exceeded::Steps(1_000_000)));
    assert_eq!(check(&rows[..10], Budget::new(steps)), Ok(10));
    let stop = Arc::new(AtomicBool::new(true));
    let stopped = Budget::new(Limits::NONE).stopped_by(stop);
    assert_eq!(check(&rows[..10], stopped), Err(Exceeded::Time));
}

#[test]
fn the_memory_of_the_answers_is_limited() {
    let rows = (0..1000).map(|number| row("Twin", "", &format!("1.{number}")));
    let rows: Vec<InstalledApp> = rows.collect();
    let bytes = Limits { bytes: 100_000, ..Limits::NONE };
    let check = |rows: &[InstalledApp]| {
        let mut budget = Budget::new(bytes);
        let checked = catalog().check_all(rows.to_vec(), CheckOptions::default(), &mut budget);
        checked.map(|all| all.len())
    };
    assert_eq!(check(&rows), Err(Exceeded::Bytes(100_000)));
    assert_eq!(check(&rows[..10]), Ok(10));
}

fn any_row() -> impl Strategy<Value = InstalledApp> {
    let name = prop_oneof![
        Just("Sample".to_owned()),
        Just("Other".to_owned()),
        Just("Twin".to_owned()),
        ".{0,12}"
    ];
    let id = prop_oneof![
        Just("com.example.sample".to_owned()),
        Just("org.example.other".to_owned()),
        Just(String::new()),
        ".{0,16}"
    ];
    let version = prop_oneof!["[0-8]\\.[0-9](\\.[0-9])?", ".{0,10}"];
    (name, id, version, "[ab]?", "[12]?").prop_map(|(name, id, version, host, copy)| InstalledApp {
        host: (!host.is_empty()).then_some(host),
        path: Some(format!("/Applications/{name}{copy}.app")),
        ..row(&name, &id, &version)
    })
}

proptest! {
    #[test]
    fn the_order_of_rows_does_not_matter(rows in prop::collection::vec(any_row(), 0..8)) {
        let index = catalog();
        let sorted = |rows: &[InstalledApp]| {
            let checked = check_all(&index, rows, CheckOptions { suggest: true });
            let mut lines: Vec<String> =
                checked.iter().map(|checked| serde_json::to_string(checked).unwrap()).collect();
            lines.sort();
            lines
        };
        let mut reversed = rows.clone();
        reversed.reverse();
        prop_assert_eq!(sorted(&rows), sorted(&reversed));
    }

    #[test]
    fn an_app_in_the_catalogs_version_is_never_outdated(
        version in "[0-9]{1,4}(\\.[0-9]{1,4}){0,3}(,[0-9]{1,6})?",
    ) {
        let index = index(&[("a", "com.example.a", "", &version, "A", None)]);
        let short = version.split(',').next().unwrap_or_default();
        let checked = check_all(&index, &[row("A", "com.example.a", short)], CheckOptions::default());
        prop_assert_ne!(checked[0].verdict, Verdict::Outdated);
    }
}
