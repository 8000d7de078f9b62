use super::*;
use crate::label_tool::RunValues;

fn at(time: &str) -> Timestamp {
    format!("2026-11-15T{time}Z").parse().unwrap()
}

fn found(found_by: FoundBy, url: Option<&str>, version: &str, times: &[&str]) -> Resolution {
    let mut resolution = Resolution::new("one", found_by);
    for time in times {
        let run = RunValues {
            download_url: url.map(str::to_owned),
            app_new_version: Some(version.to_owned()),
        };
        resolution.take(run, None, at(time));
    }
    resolution
}

fn tracked(version: &str, time: &str, is_settled: bool) -> TrackedVersion {
    let json = serde_json::json!({
        "appNewVersion": version, "found_at": at(time), "is_settled": is_settled
    });
    serde_json::from_value(json).unwrap()
}

fn version(resolutions: &[Resolution], tracked: Option<&TrackedVersion>) -> (String, FoundBy) {
    let held = HeldValues::choose(resolutions, tracked, "").version.unwrap();
    (held.value, held.finding.found_by)
}

#[test]
fn the_newest_finding_holds_in_any_order() {
    let run = found(FoundBy::Run, None, "1.1", &["11:00:00"]);
    let posted = found(FoundBy::Posted, None, "1.2", &["12:00:00"]);
    let newer = tracked("1.3", "13:00:00", false);
    let older = tracked("1.0", "10:00:00", true);
    for resolutions in [[run.clone(), posted.clone()], [posted, run]] {
        assert_eq!(version(&resolutions, None), ("1.2".to_owned(), FoundBy::Posted));
        assert_eq!(version(&resolutions, Some(&newer)), ("1.3".to_owned(), FoundBy::Tracker));
        assert_eq!(version(&resolutions, Some(&older)), ("1.2".to_owned(), FoundBy::Posted));
    }
}

#[test]
fn a_finding_is_as_new_as_the_last_time_it_was_found() {
    let resolutions = [found(FoundBy::Run, None, "1.2", &["10:00:00", "14:00:00"])];
    let later = tracked("1.1", "12:00:00", true);
    assert_eq!(version(&resolutions, Some(&later)), ("1.2".to_owned(), FoundBy::Run));
}

#[test]
fn a_finding_of_unknown_age_is_older_than_all_others() {
    let stored = r#"{"fragment":"x","appNewVersion":"9.0-beta"}"#;
    let unknown: Resolution = serde_json::from_str(stored).unwrap();
    let resolutions = [unknown];
    assert_eq!(version(&resolutions, None).0, "9.0-beta");
    assert_eq!(version(&resolutions, Some(&tracked("9.0", "10:00:00", false))).0, "9.0");
}

#[test]
fn a_newer_but_lower_version_must_be_settled() {
    let higher = tracked("1.2", "10:00:00", true);
    let once = [found(FoundBy::Run, None, "1.1", &["12:00:00"])];
    assert_eq!(version(&once, Some(&higher)), ("1.2".to_owned(), FoundBy::Tracker));
    let twice = [found(FoundBy::Run, None, "1.1", &["12:00:00", "13:00:00"])];
    assert_eq!(version(&twice, Some(&higher)), ("1.1".to_owned(), FoundBy::Run));

    let resolutions = [found(FoundBy::Run, None, "1.2", &["10:00:00"])];
    assert_eq!(version(&resolutions, Some(&tracked("1.1", "12:00:00", false))).0, "1.2");
    assert_eq!(version(&resolutions, Some(&tracked("1.1", "12:00:00", true))).0, "1.1");
}

#[test]
fn an_address_that_names_another_version_does_not_mix() {
    let naming = [found(FoundBy::Run, Some("https://example.com/a-1.1.dmg"), "1.1", &["10:00:00"])];
    let newer = tracked("1.2", "12:00:00", true);
    assert!(HeldValues::choose(&naming, None, "").download_url.is_some());
    assert_eq!(HeldValues::choose(&naming, Some(&newer), "").download_url, None);
    let plain = [found(FoundBy::Run, Some("https://example.com/a.dmg"), "1.1", &["10:00:00"])];
    let held = HeldValues::choose(&plain, Some(&newer), "");
    assert_eq!(held.download_url.unwrap().finding.found_by, FoundBy::Run);
    assert_eq!(held.version.unwrap().value, "1.2");
}

#[test]
fn junk_in_the_store_is_not_served() {
    let stored = r#"{"fragment":"x","appNewVersion":"and","downloadURL":"https://github.com"}"#;
    let junk: Resolution = serde_json::from_str(stored).unwrap();
    assert_eq!(HeldValues::choose(&[junk], None, ""), HeldValues::default());
}

#[test]
fn a_lower_version_is_found_twice_since_the_higher_one() {
    let higher = tracked("1.2", "10:00:00", true);
    let for_long = ["01:00:00", "05:00:00", "09:30:00"];
    let after = |runs: &[&str]| {
        let resolutions = [found(FoundBy::Run, None, "1.1", &[&for_long, runs].concat())];
        version(&resolutions, Some(&higher)).0
    };
    assert_eq!(after(&[]), "1.2");
    assert_eq!(after(&["11:00:00"]), "1.2", "one stale mirror");
    assert_eq!(after(&["11:00:00", "11:59:59"]), "1.2");
    assert_eq!(after(&["11:00:00", "12:00:00"]), "1.1");
    assert_eq!(after(&["11:00:00", "11:30:00", "12:10:00"]), "1.1");
}

#[test]
fn a_value_of_unknown_age_counts_from_when_it_is_found_again() {
    let stored = r#"{"fragment":"x","appNewVersion":"1.2"}"#;
    let mut resolutions: Resolution = serde_json::from_str(stored).unwrap();
    let older = tracked("1.1", "10:00:00", true);
    assert_eq!(version(std::slice::from_ref(&resolutions), Some(&older)).0, "1.1");
    let again = RunValues { app_new_version: Some("1.2".to_owned()), download_url: None };
    resolutions.take(again, None, at("11:00:00"));
    let held = HeldValues::choose(&[resolutions], Some(&older), "").version.unwrap();
    assert_eq!((held.value.as_str(), held.finding.found_at), ("1.2", None));
}

#[test]
fn finders_that_agree_in_turn_give_no_news() {
    let url = Some("https://example.com/a.dmg");
    let run = |times: &[&str]| found(FoundBy::Run, url, "1.2", times);
    let posted = |times: &[&str]| found(FoundBy::Posted, url, "1.2", times);
    let first = HeldValues::choose(&[run(&["10:00:00"])], None, "");
    for resolutions in [
        [run(&["10:00:00"]), posted(&["11:00:00"])],
        [posted(&["11:00:00"]), run(&["10:00:00", "12:00:00"])],
        [run(&["10:00:00", "12:00:00"]), posted(&["11:00:00", "13:00:00"])],
    ] {
        let held = HeldValues::choose(&resolutions, Some(&tracked("1.2", "10:30:00", true)), "");
        let findings = |values: &HeldValues| {
            let finding = |held: &Option<HeldValue>| held.as_ref().unwrap().finding;
            (finding(&values.version), finding(&values.download_url))
        };
        assert_eq!(findings(&held), findings(&first));
    }
}

#[test]
fn what_an_intel_mac_gets_is_kept_if_another_finder_was_first() {
    let mut run = Resolution::new("one", FoundBy::Run);
    let values =
        |version: &str| RunValues { app_new_version: Some(version.to_owned()), download_url: None };
    run.take(values("1.2"), Some(values("1.1")), at("11:00:00"));
    let held = HeldValues::choose(&[run], Some(&tracked("1.2", "10:00:00", true)), "");
    let version = held.version.unwrap();
    assert_eq!(version.finding.found_by, FoundBy::Run);
    assert_eq!(version.intel.as_deref(), Some("1.1"));
    assert_eq!(version.seen_at, Some(at("11:00:00")));
    assert!(!version.is_only_tracked);
}

fn tracked_with(version: &str, url: &str) -> TrackedVersion {
    let json = serde_json::json!({
        "appNewVersion": version,
        "found_at": at("10:00:00"),
        "is_settled": true,
        "downloadURL": url,
        "downloadURLi386": format!("{url}?x86"),
    });
    serde_json::from_value(json).unwrap()
}

#[test]
fn the_trackers_address_holds_with_its_version() {
    let url = "https://example.com/a-1.2.dmg";
    let tracked = tracked_with("1.2", url);
    let held = HeldValues::choose(&[], Some(&tracked), "").download_url.unwrap();
    assert_eq!((held.value.as_str(), held.finding.found_by), (url, FoundBy::Tracker));
    assert_eq!(held.intel.as_deref(), Some("https://example.com/a-1.2.dmg?x86"));

    let newer = [found(FoundBy::Run, None, "1.3", &["12:00:00"])];
    assert_eq!(HeldValues::choose(&newer, Some(&tracked), "").download_url, None);
    let direct = Some("https://example.com/latest");
    let run = [found(FoundBy::Run, direct, "1.2", &["09:00:00"])];
    let held = HeldValues::choose(&run, Some(&tracked), "").download_url.unwrap();
    assert_eq!(held.finding.found_by, FoundBy::Run, "it was found before the redirects");
    let junk = tracked_with("1.2", "https://example.com/a.exe?a=1&amp;os=mac");
    assert_eq!(HeldValues::choose(&[], Some(&junk), "").download_url, None);
}
