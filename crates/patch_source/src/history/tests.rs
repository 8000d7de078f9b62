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
