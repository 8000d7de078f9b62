//! The data file keeps its rules.

use std::collections::BTreeSet;

use appstitch_text::served;

use super::{names::without_legal_form, *};

/// Parsing also rejects a key or a name that two entries have, and malformed Team IDs.
fn real() -> Directory {
    Directory::parse(DATA).unwrap_or_else(|broken| panic!("{broken}"))
}

#[test]
fn the_data_file_is_valid_and_large() {
    assert!(real().publishers().len() > 1_000, "only {} entries", real().publishers().len());
    assert_eq!(directory().publishers(), real().publishers());
}

#[test]
fn entries_and_keys_are_sorted() {
    let real = real();
    let names: Vec<String> =
        real.publishers().iter().map(|publisher| publisher.name.to_lowercase()).collect();
    assert!(names.is_sorted(), "out of order: {:?}", first_out_of_order(&names));
    for publisher in real.publishers() {
        for kind in KeyKind::ALL {
            let keys = publisher.keys().filter(|(other, _)| *other == kind).map(|(_, key)| key);
            assert!(keys.is_sorted(), "sort the {} of {}", kind.list(), publisher.name);
        }
    }
}

fn first_out_of_order(names: &[String]) -> Option<&String> {
    names.windows(2).find(|pair| pair[0] > pair[1]).map(|pair| &pair[1])
}

#[test]
fn names_are_served_as_they_are() {
    for publisher in real().publishers() {
        let name = &publisher.name;
        assert_eq!(served::check_text("vendor", name), Ok(()), "{name}");
        assert_eq!(without_legal_form(name), name, "a legal form");
        assert!(publisher.keys().next().is_some(), "{name} has no key");
    }
}

#[test]
fn keys_are_well_formed() {
    let is_plain = |text: &str, others: &[u8]| {
        let allowed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || others.contains(&byte);
        !text.is_empty() && text.bytes().all(allowed)
    };
    for publisher in real().publishers() {
        for (kind, key) in publisher.keys() {
            let parts = key.split('.').count();
            let has_parts = parts >= 2 && key.split('.').all(|part| !part.is_empty());
            let is_right = match kind {
                KeyKind::TeamId => true,
                KeyKind::Domain => is_plain(key, b".-") && has_parts && !key.starts_with("www."),
                KeyKind::BundleIdPrefix => is_plain(key, b".-_") && has_parts,
                KeyKind::RepositoryOwner => is_plain(key, b"-_"),
            };
            assert!(is_right, "{}: {key} in {}", publisher.name, kind.list());
        }
    }
}

#[test]
fn no_key_is_shared_by_everyone() {
    for publisher in real().publishers() {
        for (kind, key) in publisher.keys() {
            assert!(!is_shared(kind, key), "{}: {key} is shared", publisher.name);
        }
    }
}

#[test]
fn a_key_or_a_name_of_two_entries_is_rejected() {
    let entries = |first: &str, second: &str| Directory::parse(&format!("{first}\n{second}\n"));
    let same_key = entries(
        r#"{"name": "A", "domains": ["a.example"]}"#,
        r#"{"name": "B", "domains": ["a.example"]}"#,
    );
    assert_eq!(same_key.unwrap_err().to_string(), "A and B both have a.example in their domains");
    let same_name = entries(r#"{"name": "The Sample"}"#, r#"{"name": "Sample, Inc."}"#);
    assert!(matches!(same_name, Err(Broken::SharedName { .. })));
    for malformed in [r#"{"name": "B", "color": 1}"#, r#"{"name": "B", "team_ids": ["short"]}"#, ""]
    {
        let broken = entries(r#"{"name": "A"}"#, malformed);
        assert!(matches!(broken, Err(Broken::Format { line: 2, .. })), "{malformed}");
    }
}

#[test]
fn a_shared_host_below_a_publishers_own_identifies_nobody() {
    let text = r#"{"name": "A", "domains": ["desktop.github.com", "google.com"], "bundle_id_prefixes": ["com.github.a"]}"#;
    let directory = Directory::parse(text).unwrap();
    let found = |kind, value: &str| {
        directory.key_of(&Clue { kind, value: value.to_owned() }).map(|(key, _)| key.to_owned())
    };
    assert_eq!(found(KeyKind::Domain, "earth.google.com").as_deref(), Some("google.com"));
    assert_eq!(found(KeyKind::Domain, "sites.google.com"), None);
    assert_eq!(found(KeyKind::Domain, "desktop.github.com").as_deref(), Some("desktop.github.com"));
    assert_eq!(found(KeyKind::Domain, "github.com"), None);
    assert_eq!(found(KeyKind::BundleIdPrefix, "com.github.a.b").as_deref(), Some("com.github.a"));
    assert_eq!(found(KeyKind::BundleIdPrefix, "com.github.b"), None);
}

#[test]
fn evidence_is_read_from_payloads() {
    let sources: appstitch_types::AppSources = serde_json::from_str(
        r#"{"label_tool": {"label_name": "a", "label_url": "https://example.com/a.sh",
            "raw": {"expectedTeamID": "ABCDE12345", "packageID": "com.Example.pkg",
                "downloadURL": "https://cdn.example.com/a.pkg"}}}"#,
    )
    .unwrap();
    let evidence = Evidence::read(&sources);
    let clues = evidence.clues().iter().flat_map(|clues| &clues.all);
    let values: BTreeSet<&str> = clues.map(|clue| clue.value.as_str()).collect();
    assert_eq!(
        values.into_iter().collect::<Vec<_>>(),
        ["ABCDE12345", "cdn.example.com", "com.example.pkg"]
    );
}
