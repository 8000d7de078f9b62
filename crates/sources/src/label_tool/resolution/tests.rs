use super::*;

fn at(time: &str) -> Timestamp {
    format!("2026-11-15T{time}Z").parse().unwrap()
}

fn run(url: Option<&str>, version: Option<&str>) -> RunValues {
    RunValues { download_url: url.map(str::to_owned), app_new_version: version.map(str::to_owned) }
}

fn version(text: &str) -> RunValues {
    run(None, Some(text))
}

/// A resolution after these runs: version and time.
fn after(runs: &[(&str, &str)]) -> (Resolution, Taken) {
    let mut resolution = Resolution::new("one", FoundBy::Run);
    let mut taken = Taken::Held;
    for (text, time) in runs {
        taken = resolution.take(version(text), None, at(time));
    }
    (resolution, taken)
}

#[test]
fn fingerprints_in_stores_stay_valid() {
    assert_eq!(fingerprint(""), "cbf29ce484222325-0");
    assert_eq!(fingerprint("foobar"), "85944171f73967e8-6", "a published test vector");
}

#[test]
fn a_resolution_holds_for_its_fragment_alone() {
    let resolution = Resolution::new("one", FoundBy::Posted);
    assert!(resolution.is_of("one") && !resolution.is_of("two"));
}

#[test]
fn documents_of_earlier_versions_are_read_without_times() {
    let stored =
        r#"{"fragment":"x-1","downloadURL":"https://example.com/a.dmg","appNewVersion":"1.0"}"#;
    let mut resolution: Resolution = serde_json::from_str(stored).unwrap();
    assert_eq!(resolution.found_by(), FoundBy::Posted);
    assert_eq!((resolution.version(), resolution.version_found_at()), (Some("1.0"), None));
    assert_eq!(resolution.take(version("1.0"), None, at("10:00:00")), Taken::Held);
    assert_eq!(resolution.version_found_at(), None, "when it was found first stays unknown");
    assert_eq!(resolution.version_seen_at(), Some(at("10:00:00")), "when last is known now");
    assert_eq!(resolution.take(version("1.1"), None, at("11:00:00")), Taken::Held);
    assert_eq!(resolution.version_found_at(), Some(at("11:00:00")));
}

#[test]
fn the_time_is_that_of_the_first_finding() {
    let (resolution, _) = after(&[("1.0", "10:00:00"), ("1.0", "12:00:00")]);
    assert_eq!(resolution.version_found_at(), Some(at("10:00:00")));
    assert_eq!(resolution.version_confirmed_at(), Some(at("10:00:00")));
    let (higher, _) = after(&[("1.0", "10:00:00"), ("1.1", "12:00:00")]);
    assert_eq!(higher.version_found_at(), Some(at("12:00:00")));
    assert_eq!(higher.version_confirmed_at(), None);
}

#[test]
fn a_lower_version_waits_until_it_is_found_again_an_hour_later() {
    let known = || "1.2".to_owned();
    let pending = Taken::Pending { known: known(), settles_at: at("12:00:00") };
    let (once, taken) = after(&[("1.2", "10:00:00"), ("1.1", "11:00:00")]);
    assert_eq!((once.version(), taken), (Some("1.2"), pending.clone()));
    let (soon, taken) = after(&[("1.2", "10:00:00"), ("1.1", "11:00:00"), ("1.1", "11:59:59")]);
    assert_eq!((soon.version(), taken), (Some("1.2"), pending));
    let (again, taken) = after(&[
        ("1.2", "10:00:00"),
        ("1.1", "11:00:00"),
        ("1.1", "11:30:00"),
        ("1.1", "12:00:00"),
    ]);
    assert_eq!((again.version(), taken), (Some("1.1"), Taken::Held));
    assert_eq!(again.version_found_at(), Some(at("11:00:00")));
    assert_eq!(again.version_confirmed_at(), Some(at("11:00:00")));
}

#[test]
fn another_finding_in_between_starts_the_wait_again() {
    for between in ["1.2", "1.0"] {
        let (resolution, taken) = after(&[
            ("1.2", "10:00:00"),
            ("1.1", "11:00:00"),
            (between, "11:30:00"),
            ("1.1", "12:30:00"),
        ]);
        assert_eq!(resolution.version(), Some("1.2"), "{between}");
        assert!(matches!(taken, Taken::Pending { .. }), "{between}");
    }
}

#[test]
fn a_version_without_an_order_is_held_at_once() {
    let (resolution, taken) = after(&[("1.2", "10:00:00"), ("2026-03-05", "11:00:00")]);
    assert_eq!((resolution.version(), taken), (Some("2026-03-05"), Taken::Held));
}

#[test]
fn an_older_run_that_arrives_late_changes_nothing() {
    let (resolution, taken) = after(&[("1.2", "10:00:00"), ("1.3", "09:00:00")]);
    assert_eq!((resolution.version(), taken), (Some("1.2"), Taken::Outdated));
}

#[test]
fn a_failed_part_keeps_the_earlier_one_of_the_same_release() {
    let mut plain = Resolution::new("one", FoundBy::Run);
    plain.take(run(Some("https://example.com/a.dmg"), Some("1.0")), None, at("10:00:00"));
    plain.take(version("2.0"), None, at("11:00:00"));
    assert_eq!(plain.download_url(), Some("https://example.com/a.dmg"));

    let mut naming = Resolution::new("one", FoundBy::Run);
    naming.take(run(Some("https://example.com/a-1.0.dmg"), Some("1.0")), None, at("10:00:00"));
    let mut other = naming.clone();
    naming.take(version("2.0"), None, at("11:00:00"));
    assert_eq!((naming.download_url(), naming.version()), (None, Some("2.0")));
    other.take(run(Some("https://example.com/a-2.0.dmg"), None), None, at("11:00:00"));
    assert_eq!(other.version(), None, "the URL is of another release");
}

#[test]
fn the_address_of_a_lower_version_waits_with_it() {
    let mut resolution = Resolution::new("one", FoundBy::Run);
    let new = run(Some("https://example.com/a-1.2.dmg"), Some("1.2"));
    let old = run(Some("https://example.com/a-1.1.dmg"), Some("1.1"));
    resolution.take(new, None, at("10:00:00"));
    resolution.take(old.clone(), None, at("11:00:00"));
    assert_eq!(resolution.download_url(), Some("https://example.com/a-1.2.dmg"));
    resolution.take(old, None, at("12:00:00"));
    assert_eq!(resolution.download_url(), Some("https://example.com/a-1.1.dmg"));
}

#[test]
fn the_values_of_an_intel_mac_belong_to_their_run() {
    let mut resolution = Resolution::new("one", FoundBy::Run);
    resolution.take(version("1.0"), Some(version("0.9")), at("10:00:00"));
    resolution.take(version("1.0"), None, at("11:00:00"));
    assert_eq!(resolution.intel(), Some(&version("0.9")), "the same version");
    resolution.take(version("1.1"), None, at("12:00:00"));
    assert_eq!(resolution.intel(), None, "another version");
}
