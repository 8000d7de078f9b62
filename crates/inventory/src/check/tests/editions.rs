//! Editions of the store, apps of Apple, former names, and versions as the record writes them.

use super::*;

/// An index of one app, given as its record and its payloads.
fn index_of(app: &Value, sources: &Value) -> InstalledIndex {
    let app: App = serde_json::from_value(app.clone()).unwrap();
    let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
    let mut index = InstalledIndex::default();
    index.push(&app, &(&sources).into(), &[], None);
    index.finish()
}

fn checked(index: &InstalledIndex, row: InstalledApp) -> CheckedApp {
    check_all(index, &[row], CheckOptions::default()).remove(0)
}

#[test]
fn an_edition_of_the_store_gets_the_link_of_the_store() {
    let store = "https://apps.apple.com/app/id1";
    let app = json!({"slug": "chat", "name": "Chat", "bundle_id": "com.example.chat",
        "current_version": "5.0", "download_url": "https://example.com/chat.dmg", "sources": []});
    let sources = json!({
        "store_listing": {"bundle_id": "com.example.chat", "store_url": store,
            "raw": {"kind": "mac-software", "version": "4.8.0"}},
        "cask_catalog": {"token": "chat", "entry_json": {"version": "5.0,77"}},
    });
    let index = index_of(&app, &sources);
    let answer = |origin, version: &str| {
        let row = InstalledApp { origin, ..row("Chat", "com.example.chat", version) };
        let CheckedApp { verdict, newest_version, download_url, .. } = checked(&index, row);
        (verdict, newest_version.unwrap(), download_url.map(|url| url.to_string()))
    };
    let of_store = |verdict| (verdict, "4.8.0".to_owned(), Some(store.to_owned()));
    assert_eq!(answer(InstalledFrom::Store, "4.7.0"), of_store(Verdict::Outdated));
    assert_eq!(answer(InstalledFrom::Store, "4.9.0"), of_store(Verdict::Store));
    assert_eq!(answer(InstalledFrom::Unknown, "4.8.0"), of_store(Verdict::Store));
    let package = Some("https://example.com/chat.dmg".to_owned());
    // The newest version is written as in the record, without the build.
    let outdated = (Verdict::Outdated, "5.0".to_owned(), package);
    assert_eq!(answer(InstalledFrom::Developer, "4.8.0"), outdated);
    assert_eq!(answer(InstalledFrom::Unknown, "5.0"), (Verdict::Current, "5.0".to_owned(), None));
}

#[test]
fn an_app_of_apple_among_other_apps_is_no_part_of_macos() {
    let at = |path: &str, id: &str| InstalledApp {
        path: (!path.is_empty()).then(|| path.to_owned()),
        ..row("", id, "1.0")
    };
    let system = |row| check(row).0 == Verdict::System;
    let xcode = "com.apple.dt.Xcode";
    assert_eq!(
        check(at("/Applications/Xcode.app", xcode)),
        judged(Verdict::Unmatched, "", CheckRule::UnknownBundleId)
    );
    assert!(!system(at("", xcode)));
    assert!(!system(at("/Applications/Pages.app", "com.apple.iWork.Pages")));
    assert!(system(at("/Applications/Safari.app", "com.apple.Safari")));
    assert!(system(at("", "com.apple.Pages")), "it cannot be known");
    assert!(system(at("/Users/anna/Library/Printers/HP.app", "com.apple.print.PrinterProxy")));
    let origin = InstalledFrom::System;
    let listed = |path| InstalledApp { origin, ..at(path, "") };
    assert!(!system(listed("/Applications/Xcode.app")));
    assert!(system(listed("/Applications/Safari.app")));
}

#[test]
fn a_former_name_leads_to_the_successor() {
    let app = json!({"slug": "oldmakerviewer", "name": "New Viewer", "sources": [],
        "bundle_id": "com.newmaker.viewer", "expected_team_id": "ABCDE12345"});
    let sources = json!({"cask_catalog": {"token": "new-viewer", "entry_json":
        {"version": "8.2", "old_tokens": ["oldmaker-remote"],
         "artifacts": [{"app": ["New Viewer.app"]}]}}});
    let index = index_of(&app, &sources);
    let answer = |row| {
        let checked = checked(&index, row);
        (checked.verdict, checked.slug.is_some())
    };
    assert_eq!(
        answer(row("OldMaker Viewer", "com.oldmaker.view", "8.1")),
        (Verdict::Outdated, true)
    );
    assert_eq!(
        answer(row("OldMaker Remote", "com.oldmaker.view", "8.2")),
        (Verdict::Current, true)
    );
    // It may be sold by itself.
    let other = (Verdict::NotComparable, true);
    assert_eq!(answer(row("OldMaker Viewer", "com.oldmaker.view", "5.1")), other);
    let unknown = (Verdict::Unmatched, false);
    assert_eq!(answer(row("OldMaker Viewer", "com.other.view", "8.1")), unknown);
    assert_eq!(answer(row("OldMaker Viewer", "", "8.1")), unknown);
}

#[test]
fn a_label_that_compares_builds_says_nothing_about_a_marketing_version() {
    let app = json!({"slug": "player", "name": "Player", "bundle_id": "com.example.player",
        "sources": []});
    let sources = json!({"label_tool": {"label_name": "player",
        "label_url": "https://example.com/l.sh",
        "raw": {"name": "Player", "appNewVersion": "90.0", "versionKey": "CFBundleVersion"}}});
    let index = index_of(&app, &sources);
    let verdict = |version| checked(&index, row("Player", "com.example.player", version)).verdict;
    assert_eq!(verdict("18.3"), Verdict::NotComparable);
    assert_eq!(verdict("89.1"), Verdict::Outdated);
    assert_eq!(verdict("90.0"), Verdict::Current);
}

#[test]
fn what_the_record_does_not_serve_makes_no_app_outdated() {
    let app = json!({"slug": "sample", "name": "Sample", "bundle_id": "com.example.sample",
        "current_version": "129.0.1", "sources": ["label_tool", "cask_catalog"]});
    let app: App = serde_json::from_value(app).unwrap();
    let checked = |url: &str, address: &str| {
        let sources = json!({
            "label_tool": {"label_name": "sample", "label_url": "https://example.com/s.sh",
                "raw": {"name": "Sample", "appNewVersion": "129.0.1", "downloadURL": address}},
            "cask_catalog": {"token": "sample",
                "entry_json": {"token": "sample", "version": "128.0.1", "url": url}},
            "mdm_installer": {"title": "Sample", "source": "External", "version": "128.0.1"},
        });
        let newer = sources.to_string().replace("128.0.1", "130.0.2");
        let [older, newer] = [sources.to_string(), newer].map(|sources| {
            let sources: AppSources = serde_json::from_str(&sources).unwrap();
            let mut index = InstalledIndex::default();
            index.push(&app, &(&sources).into(), &[], None);
            let row = row("Sample", "com.example.sample", "129.0.1");
            let checked = check_all(&index.finish(), &[row], CheckOptions::default()).remove(0);
            (checked.verdict, checked.newest_version)
        });
        (older, newer)
    };
    let plain = "https://example.com/Sample.dmg";
    let (_, newer) = checked(plain, plain);
    assert_eq!(newer, (Verdict::Outdated, Some("130.0.2".to_owned())));
    let (_, staged) = checked("https://example.com/5-percent/Sample.dmg", plain);
    assert_eq!(staged, (Verdict::Current, Some("129.0.1".to_owned())), "for some Macs only");
    let (older, _) = checked(plain, "https://example.com/Sample-128.0.1.dmg");
    assert_eq!(older, (Verdict::Newer, Some("128.0.1".to_owned())), "the file is older");
}

/// What a check says about a version of an app with a label and a cask.
fn stated(label: &str, cask: &str, installed: &str) -> (Verdict, CheckRule, String) {
    let app = json!({"slug": "sample", "name": "Sample", "bundle_id": "com.example.sample",
        "sources": []});
    let sources = json!({
        "label_tool": {"label_name": "sample", "label_url": "https://example.com/s.sh",
            "raw": {"name": "Sample", "appNewVersion": label,
                "downloadURL": "https://example.com/Sample.dmg"}},
        "cask_catalog": {"token": "sample", "entry_json": {"token": "sample", "version": cask,
            "url": "https://example.com/Sample.dmg"}},
    });
    let row = row("Sample", "com.example.sample", installed);
    let CheckedApp { verdict, rule, newest_version, .. } = checked(&index_of(&app, &sources), row);
    (verdict, rule, newest_version.unwrap())
}

#[test]
fn the_version_of_a_cask_that_is_behind_is_current_but_not_the_newest() {
    let newest = "11.30.6".to_owned();
    for (installed, verdict, rule) in [
        ("10.105.3", Verdict::Outdated, CheckRule::OlderVersion),
        ("10.105.4", Verdict::Current, CheckRule::CaskVersion),
        ("10.106.0", Verdict::NotComparable, CheckRule::SourcesDisagree),
        ("11.30.6", Verdict::Current, CheckRule::Equal),
    ] {
        let expected = (verdict, rule, newest.clone());
        assert_eq!(stated("11.30.6", "10.105.4,9", installed), expected, "{installed}");
    }
}

#[test]
fn a_label_that_lags_behind_a_wrapped_version_does_not_count_differently() {
    let cask = "2603-8.18.0-24230061568,AB_2603";
    for installed in ["8.15.0", "8.16.0", "8.17.0"] {
        let (verdict, rule, _) = stated("8.16.0", cask, installed);
        let older = (Verdict::Outdated, CheckRule::OlderVersion);
        assert_eq!((verdict, rule), older, "{installed}");
    }
    let (verdict, rule, _) = stated("8.16.0", cask, "8.18.0");
    assert_eq!((verdict, rule), (Verdict::SameReleaseOtherString, CheckRule::VersionInside));
    let (verdict, rule, _) = stated("53.1", "5.2", "5.2");
    assert_eq!((verdict, rule), (Verdict::Current, CheckRule::Equal), "another numbering");
}
