use serde_json::{Value, json};

use super::*;

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

fn history(findings: &[(&str, &str)]) -> String {
    let entry = |(version, time): &(&str, &str)| {
        json!({"label": "sample", "appNewVersion": version, "downloadURL": "https://example.com/a",
            "timeStamp": format!("2026-11-15T{time}Z"), "type": "dmg"})
    };
    findings.iter().map(entry).collect::<Value>().to_string()
}

fn received_at() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

/// Reads an archive of one label, whose newest time is 12:00 because of another label.
fn read_one(text: &str) -> ParsedFile {
    let other = history(&[("1.0", "12:00:00")]);
    let files = [
        ("main/TrackedLabelDetails/other.json", other.as_str()),
        ("main/TrackedLabelDetails/sample.json", text),
    ];
    let mut parsed =
        read(&mut &archive(&files)[..], received_at(), &mut Budget::default()).unwrap();
    assert_eq!(parsed.entries.remove(0).key, "other");
    parsed
}

fn stored(parsed: &ParsedFile) -> TrackedVersion {
    serde_json::from_slice(&parsed.entries[0].body).unwrap()
}

#[test]
fn the_newest_version_is_kept_with_its_time_and_its_address() {
    let parsed =
        read_one(&history(&[("1.1", "10:00:00"), (" 1.2\r", "11:30:00"), ("1.0", "09:00:00")]));
    let [entry] = &parsed.entries[..] else { panic!("{parsed:?}") };
    assert_eq!(entry.key, "sample");
    let body: Value = serde_json::from_slice(&entry.body).unwrap();
    assert_eq!(
        body,
        json!({
            "appNewVersion": "1.2",
            "found_at": "2026-11-15T11:30:00Z",
            "is_settled": false,
            "downloadURL": "https://example.com/a",
            "seen": [
                {"version": "1.0", "at": "2026-11-15T09:00:00Z"},
                {"version": "1.1", "at": "2026-11-15T10:00:00Z"},
                {"version": "1.2", "at": "2026-11-15T11:30:00Z"},
            ],
        })
    );
    assert!(parsed.refused.is_empty() && parsed.notes.is_empty());
}

#[test]
fn junk_is_rejected_and_the_version_before_is_not_taken_instead() {
    for junk in ["and", "/bin/205", "https://example.com/1.2.dmg", "<b>1</b>", ""] {
        let parsed = read_one(&history(&[("1.1", "10:00:00"), (junk, "11:00:00")]));
        assert_eq!(parsed.entries, [], "{junk}");
        assert_eq!(parsed.refused.len(), 1, "{junk}");
        assert!(parsed.refused[0].why.contains("is not a version"), "{parsed:?}");
    }
    let recovered =
        read_one(&history(&[("1.1", "10:00:00"), ("and", "10:30:00"), ("1.2", "11:00:00")]));
    assert_eq!(stored(&recovered).app_new_version, "1.2");
}

#[test]
fn a_version_before_junk_is_kept_if_its_address_names_it() {
    let entry = |version: &str, address: &str, time: &str| {
        json!({"label": "sample", "appNewVersion": version, "downloadURL": address,
            "timeStamp": format!("2026-11-15T{time}Z"), "type": "dmg"})
    };
    let with = |address: &str| {
        let junk = entry("<b>", "https://example.com/<b>.dmg", "11:00:00");
        read_one(&json!([entry("1.1", address, "10:00:00"), junk]).to_string())
    };
    let kept = with("https://example.com/Sample-1.1.dmg");
    assert_eq!(stored(&kept).app_new_version, "1.1");
    assert!(kept.notes[0].why.contains("1.1 is kept"), "{:?}", kept.notes);
    for address in ["https://example.com/Sample.dmg", "https://example.com/1.1", "1.1.dmg"] {
        assert_eq!(with(address).entries, [], "{address}");
    }
}

#[test]
fn a_lower_version_counts_once_the_archive_is_an_hour_newer() {
    let settled = read_one(&history(&[("1.2", "10:00:00"), ("1.1", "11:00:00")]));
    assert_eq!(stored(&settled).app_new_version, "1.1");
    assert!(stored(&settled).is_settled && settled.notes.is_empty());
    let waiting = read_one(&history(&[("1.2", "10:00:00"), ("1.1", "11:00:01")]));
    assert_eq!(stored(&waiting).app_new_version, "1.2");
    assert_eq!(stored(&waiting).found_at.to_string(), "2026-11-15T10:00:00Z");
    assert!(waiting.notes[0].why.starts_with("version 1.1 is lower than the known 1.2"));
    assert_eq!(waiting.refused, []);
}

#[test]
fn a_malformed_file_is_rejected_and_the_others_are_kept() {
    let no_time = r#"[{"appNewVersion":"1.0"}]"#;
    let no_text = r#"[{"appNewVersion":1,"timeStamp":"2026-11-15T10:00:00Z"}]"#;
    let bad_time = r#"[{"appNewVersion":"1","timeStamp":"yesterday"}]"#;
    for text in ["", "no json", "{}", "[]", "[1]", no_time, no_text, bad_time] {
        let parsed = read_one(text);
        assert_eq!((parsed.entries.len(), parsed.refused.len()), (0, 1), "{text}");
    }
}

#[test]
fn a_label_that_occurs_twice_or_has_no_valid_name_is_rejected() {
    let text = history(&[("1.0", "10:00:00")]);
    let long = " ".repeat((1 << 20) + 1);
    let files = [
        ("a/TrackedLabelDetails/twice.json", text.as_str()),
        ("b/TrackedLabelDetails/twice.json", &text),
        ("a/TrackedLabelDetails/._hidden.json", &text),
        ("a/TrackedLabelDetails/long.json", &long),
        ("a/TrackedLabelDetails/good.json", &text),
        ("a/TrackedLabelDetails/readme.md", &text),
        ("a/Elsewhere/other.json", &text),
    ];
    let parsed = read(&mut &archive(&files)[..], received_at(), &mut Budget::default()).unwrap();
    let keys: Vec<&str> = parsed.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["good"]);
    assert_eq!(parsed.refused.len(), 3, "{:?}", parsed.refused);
}

#[test]
fn a_file_that_is_no_such_archive_is_unreadable() {
    let elsewhere = archive(&[("main/Labels/sample.json", "[]")]);
    assert!(
        read(&mut &elsewhere[..], received_at(), &mut Budget::default())
            .unwrap_err()
            .to_string()
            .contains("TrackedLabelDetails")
    );
    assert!(
        read(&mut &b"not a tar archive at all"[..], received_at(), &mut Budget::default()).is_err()
    );
    let whole = archive(&[("a/TrackedLabelDetails/a.json", &history(&[("1.0", "10:00:00")]))]);
    assert!(read(&mut &whole[..600], received_at(), &mut Budget::default()).is_err(), "cut off");
}

#[test]
fn another_name_counts_unless_it_is_the_main_name_of_another_label() {
    let body = |version: &str, time: &str| {
        format!(
            r#"{{"appNewVersion":"{version}","found_at":"2026-11-15T{time}Z","is_settled":true}}"#
        )
    };
    let (main, other) = (body("1.0", "10:00:00"), body("2.0", "11:00:00"));
    let documents = [("main", main.as_bytes()), ("other", other.as_bytes()), ("bad", b"{}")];
    let versions = TrackedVersions::decode(documents);
    let names = ["main".to_owned(), "other".to_owned()];
    let version =
        |is_main: bool| versions.of_label(&names, |_| is_main).unwrap().app_new_version.clone();
    assert_eq!(version(false), "2.0");
    assert_eq!(version(true), "1.0");
    assert_eq!(versions.of_label(&["bad".to_owned()], |_| false), None);
}

#[test]
fn findings_in_the_future_are_ignored_and_settle_nothing() {
    let future = history(&[("1.0", "08:00:00"), ("9.0", "12:05:01")]);
    let ahead = history(&[("1.0", "12:05:01")]);
    let tolerated = history(&[("1.0", "08:00:00"), ("9.0", "12:05:00")]);
    // It settles an hour after 11:30, which no other finding is.
    let waiting = history(&[("1.2", "10:00:00"), ("1.1", "11:30:00")]);
    let read = |second: &str| {
        let files = [
            ("a/TrackedLabelDetails/a.json", waiting.as_str()),
            ("a/TrackedLabelDetails/b.json", second),
        ];
        read(&mut &archive(&files)[..], received_at(), &mut Budget::default()).unwrap()
    };
    let versions = |parsed: &ParsedFile| -> Vec<String> {
        let version = |entry: &UpstreamEntry| {
            serde_json::from_slice::<TrackedVersion>(&entry.body).unwrap().app_new_version
        };
        parsed.entries.iter().map(version).collect()
    };
    let far = future.replace("2026-11-15T12:05:01Z", "2099-01-01T00:00:00Z");
    for text in [&future, &far] {
        let parsed = read(text);
        assert_eq!(versions(&parsed), ["1.2", "1.0"]);
        assert_eq!(parsed.notes[0].what, "b");
        assert!(parsed.notes[0].why.contains("in the future"), "{:?}", parsed.notes);
    }
    let nothing_else = read(&ahead);
    assert_eq!(versions(&nothing_else), ["1.2"]);
    assert!(nothing_else.refused[0].why.contains("in the future"), "{nothing_else:?}");
    assert_eq!(versions(&read(&tolerated)), ["1.2", "9.0"]);
}
