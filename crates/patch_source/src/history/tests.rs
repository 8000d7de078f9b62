use super::*;

const TITLE: Title = Title { app: 0, by_file: false };

fn time(day: i8) -> Timestamp {
    let day = jiff::civil::date(2026, 3, day);
    day.to_zoned(TimeZone::UTC).unwrap().timestamp()
}

fn app(version: &str) -> Candidate {
    Candidate {
        slug: "sample".to_owned(),
        name: "Sample".to_owned(),
        bundle_id: Some("com.example.sample".to_owned()),
        version: Some(version.to_owned()),
        ..Candidate::default()
    }
}

fn seen(version: &str, day: i8) -> SeenVersion {
    SeenVersion { version: version.to_owned(), at: time(day) }
}

fn versions(history: &TitleHistory) -> Vec<&str> {
    history.versions.iter().map(|known| known.version.as_str()).collect()
}

fn after(known: Option<&TitleHistory>, app: &Candidate, day: i8) -> Option<TitleHistory> {
    TitleHistory::after(known, app, TITLE, &[], time(day))
}

#[test]
fn versions_are_kept_newest_first_whatever_their_order_in_time() {
    let mut history = after(None, &app("5.0.2"), 1).unwrap();
    for (version, day) in [("5.0.4", 2), ("5.0.3", 3), ("5.0.10", 4)] {
        history = after(Some(&history), &app(version), day).unwrap();
    }
    assert_eq!(versions(&history), ["5.0.10", "5.0.4", "5.0.3", "5.0.2"]);
    assert_eq!((history.modified, history.versions[2].released), (time(4), time(3)));
    let back = after(Some(&history), &app("5.0.3"), 5).unwrap();
    assert_eq!(versions(&back), versions(&history), "a version that comes back is known");
    assert_eq!((back.modified, back.versions[2].released), (time(5), time(3)));
}

#[test]
fn nothing_moves_unless_the_definition_differs() {
    let first = after(None, &app("1.0"), 1).unwrap();
    assert_eq!(after(Some(&first), &app("1.0"), 2), None);
    let vendor = Candidate { vendor: Some("Acme".to_owned()), ..app("1.0") };
    let second = after(Some(&first), &vendor, 3).unwrap();
    assert_eq!((second.modified, &second.versions), (time(3), &first.versions));
    let standing = Candidate {
        standing: crate::Standing { lacks_label: true, ..vendor.standing.clone() },
        ..vendor
    };
    assert_eq!(after(Some(&second), &standing, 4), None, "it is not served");
    let by_file = Title { by_file: true, ..TITLE };
    let with_file = Candidate { app_file: Some("Sample.app".to_owned()), ..app("1.0") };
    let alone = after(None, &with_file, 1).unwrap();
    assert!(TitleHistory::after(Some(&alone), &with_file, by_file, &[], time(2)).is_some());
}

#[test]
fn the_past_of_the_journal_and_of_a_source_is_taken_over() {
    let candidate = Candidate {
        seen: vec![seen("1.1", 2), seen("20260303", 3), seen("v1.2", 3), seen("1.3", 4)],
        ..app("1.3")
    };
    let earlier = [seen("1.0", 1), seen("1.2", 3)];
    let history = TitleHistory::after(None, &candidate, TITLE, &earlier, time(9)).unwrap();
    assert_eq!(versions(&history), ["1.3", "1.2", "1.1", "1.0"]);
    assert_eq!(history.versions[0].released, time(4), "it was seen before this revision");
}

#[test]
fn the_requirement_and_the_release_date_belong_to_the_version() {
    let needs = |version: &str, minimum: &str| Candidate {
        minimum_macos: Some(minimum.to_owned()),
        released: Some(jiff::civil::date(2026, 2, 1)),
        ..app(version)
    };
    let first = after(None, &needs("1.0", "11"), 1).unwrap();
    let second = after(Some(&first), &needs("2.0", "14"), 2).unwrap();
    let minimums: Vec<_> =
        second.versions.iter().map(|known| known.minimum_macos.as_deref()).collect();
    assert_eq!(minimums, [Some("14"), Some("11")]);
    assert_eq!(second.versions[0].released.to_string(), "2026-02-01T00:00:00Z");
}

#[test]
fn the_oldest_versions_are_dropped_but_never_the_current_one() {
    let earlier: Vec<SeenVersion> = (1..=150).map(|minor| seen(&format!("2.{minor}"), 1)).collect();
    let history = TitleHistory::after(None, &app("1.0"), TITLE, &earlier, time(2)).unwrap();
    assert_eq!(history.versions.len(), MOST_VERSIONS);
    assert_eq!((versions(&history)[0], versions(&history)[99]), ("2.150", "1.0"));
    let next = after(Some(&history), &app("2.151"), 3).unwrap();
    assert_eq!((versions(&next)[0], versions(&next)[99]), ("2.151", "2.52"));
}

#[test]
fn a_history_comes_back_from_the_store() {
    let history = after(None, &app("1.0"), 1).unwrap();
    let text = serde_json::to_string(&history).unwrap();
    assert_eq!(serde_json::from_str::<TitleHistory>(&text).unwrap(), history);
}

#[test]
fn versions_keep_the_identifier_that_they_had() {
    let first = after(None, &app("1.0"), 1).unwrap();
    let renamed =
        |id: &str, version: &str| Candidate { bundle_id: Some(id.to_owned()), ..app(version) };
    let other = renamed("com.example.other", "2.0");
    let second = after(Some(&first), &other, 2).unwrap();
    let definition = Definition::new(&other, TITLE, &second, DEFAULT_MINIMUM);
    let ids = |criteria: &[crate::definition::Criterion]| {
        criteria.iter().map(|one| (one.value.clone(), one.and)).collect::<Vec<_>>()
    };
    let (new, old) = ("com.example.other".to_owned(), "com.example.sample".to_owned());
    assert_eq!(ids(&definition.requirements), [(new.clone(), true), (old.clone(), false)]);
    let patches: Vec<_> =
        definition.patches.iter().map(|patch| ids(&patch.components[0].criteria)).collect();
    let version = |version: &str| (version.to_owned(), true);
    assert_eq!(patches, [[(new, true), version("2.0")], [(old, true), version("1.0")]]);
    let spelled = after(Some(&second), &renamed("com.example.Other", "2.0"), 3).unwrap();
    assert_eq!(spelled.versions[1].bundle_id.as_deref(), Some("com.example.sample"));
    assert_eq!(spelled.versions[0].bundle_id, None, "Jamf does not mind the case");
    let back = after(Some(&spelled), &app("2.1"), 4).unwrap();
    let had: Vec<_> = back.versions.iter().map(|known| known.bundle_id.as_deref()).collect();
    assert_eq!(had, [None, Some("com.example.Other"), None]);
}

#[test]
fn an_identifier_that_changes_within_a_release_was_wrong() {
    let named =
        |id: &str, version: &str| Candidate { bundle_id: Some(id.to_owned()), ..app(version) };
    let ids = |history: &TitleHistory| {
        let ids = history.versions.iter().map(|known| known.bundle_id.clone());
        ids.collect::<Vec<_>>()
    };
    let first = after(None, &named("com.example.engine", "1.0"), 1).unwrap();
    let second = after(Some(&first), &named("com.example.engine", "2.0"), 2).unwrap();
    let corrected = named("com.example.sample", "2.0");
    let third = after(Some(&second), &corrected, 3).unwrap();
    assert_eq!(ids(&third), [None, None], "no version ever had the engine's");
    let definition = Definition::new(&corrected, TITLE, &third, DEFAULT_MINIMUM);
    assert_eq!(definition.requirements.len(), 1);

    let renamed = after(Some(&third), &named("com.example.other", "3.0"), 4).unwrap();
    let sample = Some("com.example.sample".to_owned());
    assert_eq!(ids(&renamed), [None, sample.clone(), sample]);
    let back = after(Some(&renamed), &named("com.example.sample", "2.0"), 5).unwrap();
    let other = Some("com.example.other".to_owned());
    assert_eq!(ids(&back), [other, None, None], "the older release had it before");
}

#[test]
fn a_title_keeps_its_last_version_while_a_newer_one_is_in_doubt() {
    let needs = |version: &str, minimum: &str| Candidate {
        minimum_macos: Some(minimum.to_owned()),
        released: Some(jiff::civil::date(2026, 2, 1)),
        ..app(version)
    };
    let first = after(None, &needs("2.0", "11"), 1).unwrap();
    let downgraded = after(Some(&first), &needs("1.9", "12"), 2).unwrap();
    let other =
        crate::OtherVersion { source: "store_listing".to_owned(), version: "21".to_owned() };
    for doubtful in [
        Candidate { version: None, ..needs("", "14") },
        Candidate { other_version: Some(other), ..needs("2.1", "14") },
        needs("2.1-77", "14"),
    ] {
        let held = doubtful.held(&downgraded).unwrap();
        assert_eq!(held.version.as_deref(), Some("1.9"), "the current one, not the newest one");
        assert_eq!(after(Some(&downgraded), &held, 3), None, "nothing is published anew");
    }
    assert_eq!(needs("2.1", "14").held(&downgraded), None, "nothing is in doubt");
    let builds = Candidate { counts_builds: true, ..needs("2100", "14") };
    assert_eq!(builds.held(&downgraded), None, "what was published is in doubt as well");
    let renamed =
        Candidate { bundle_id: Some("com.example.other".to_owned()), ..needs("2.1-77", "14") };
    let held = renamed.held(&downgraded).unwrap();
    assert_eq!(after(Some(&downgraded), &held, 3), None, "1.9 has the identifier that it had");
    let unnamed = TitleHistory { current: None, ..first };
    let held = Candidate { version: None, ..app("") }.held(&unnamed).unwrap();
    assert_eq!(held.version.as_deref(), Some("2.0"), "kept by an earlier version of the program");
}
