//! Which of the stated versions is served.

use appstitch_types::RawObject;
use serde_json::json;

use super::*;

fn raw(value: &serde_json::Value) -> RawObject {
    serde_json::from_str(&value.to_string()).unwrap()
}

fn cask_facts(token: &str, version: &str) -> CaskFacts {
    CaskFacts::read(&raw(&json!({"token": token, "version": version})))
}

fn title(version: &str) -> MdmInstallerSource {
    serde_json::from_value(json!({"title": "Sample", "source": "Jamf", "version": version}))
        .unwrap()
}

/// The chosen version and the reason; an empty text stands for a source without a version.
fn chosen(label: (&str, &str), cask: (&str, &str), of_title: &str) -> (String, Option<String>) {
    let literals = Literals::read(&raw(&json!({"appNewVersion": label.1})));
    let cask = cask_facts(cask.0, cask.1);
    let title = title(of_title);
    let sources = VersionedSources::new(Some((label.0, &literals)), Some(&cask), Some(&title));
    let newest = Newest::choose(sources).expect("a version");
    (newest.chosen.version.to_owned(), newest.reason())
}

fn newest(label: &str, cask: &str, title: &str) -> String {
    chosen(("sample", label), ("sample", cask), title).0
}

#[test]
fn the_newest_version_wins_whoever_states_it() {
    assert_eq!(newest("7.1.0", "7.1.5", "7.1.0"), "7.1.5");
    assert_eq!(newest("7.2", "7.1.5", "7.1.0"), "7.2");
    assert_eq!(newest("7.1.0", "7.1.5", "7.10"), "7.10");
    assert_eq!(newest("", "7.1.5,8368", "7.1.4"), "7.1.5", "the build is not served");
}

#[test]
fn equal_versions_keep_the_order_label_cask_title() {
    assert_eq!(newest("16.112", "16.112.26081720", "16.112.0"), "16.112");
    assert_eq!(newest("", "2.0,17", "2.0.0"), "2.0");
}

#[test]
fn a_text_that_cannot_be_ordered_loses_to_a_version() {
    assert_eq!(newest("R-2026 agent", "12.0", ""), "12.0");
    assert_eq!(newest("2026-03-05", "1.10", ""), "1.10");
    assert_eq!(newest("2026-03-05", "", ""), "2026-03-05", "unless there is no other");
}

#[test]
fn words_and_parts_of_urls_are_no_versions() {
    for text in ["agent", "/bin/17", "https://example.com/2.0"] {
        let literals = Literals::read(&raw(&json!({"appNewVersion": text})));
        let sources = VersionedSources::new(Some(("sample", &literals)), None, None);
        assert!(Newest::choose(sources).is_none(), "{text}");
    }
}

#[test]
fn a_version_of_another_scheme_does_not_win_by_its_size() {
    assert_eq!(newest("26.0.1", "2026.1", ""), "26.0.1", "the label goes first");
    assert_eq!(newest("193.138", "1.93.138", "1.93.138"), "1.93.138", "most sources go first");
    assert_eq!(newest("2681", "26.8.1", ""), "26.8.1", "the separators are missing");
    assert_eq!(newest("768", "26.9.10,768", ""), "26.9.10", "a build is no version");
    assert_eq!(newest("2681", "26.9.1", ""), "26.9.1", "another release without separators");
    assert_eq!(newest("2691", "26.8.1", ""), "26.8.1", "even a newer one");
    assert_eq!(newest("4.0.641", "4.0.5b40", ""), "4.0.5b40");
    assert_eq!(newest("4.0.6", "4.0.5b40", ""), "4.0.6", "a separate release");
    assert_eq!(newest("193.136", "1.93.138.0", ""), "1.93.138.0");
    assert_eq!(newest("0.5.1", "2.0.5.1", ""), "2.0.5.1", "the first part is missing");
}

#[test]
fn the_same_release_is_served_in_the_most_regular_notation() {
    assert_eq!(newest("Build 4200", "4200", ""), "4200");
    assert_eq!(newest("8.0.47.CE", "8.0.47", ""), "8.0.47");
    assert_eq!(newest("2026.2.1.", "2026.2.1", ""), "2026.2.1");
    assert_eq!(newest("3.24 R0004", "3.24,R0004", ""), "3.24");
    assert_eq!(newest("7.0.7-50095", "7.0.7,50095", ""), "7.0.7");
    assert_eq!(newest("8u502-b07", "8,502,07", ""), "8u502-b07", "8 alone says too little");
    assert_eq!(newest("8.34", "8.34.26223.11002", ""), "8.34.26223.11002", "more is stated");
    assert_eq!(newest("7.3", "7.30", ""), "7.30");
    assert_eq!(newest("2026.8.19-latest", "2026.8.19", ""), "2026.8.19");
    assert_eq!(newest("15.80.4", "15", ""), "15.80.4");
    assert_eq!(newest("15", "15.80.4", ""), "15.80.4");
}

#[test]
fn the_title_of_the_plain_app_says_nothing_about_its_editions() {
    assert_eq!(chosen(("sample", ""), ("sample@4", "4.6"), "5.8").0, "4.6");
    assert_eq!(chosen(("sample", ""), ("sample@beta", "6.0b1"), "6.0").0, "6.0b1");
}

#[test]
fn a_label_for_one_release_keeps_it() {
    assert_eq!(chosen(("sample3", "3.15"), ("sample", "4.8"), "4.8").0, "3.15");
    assert_eq!(chosen(("sample3", "3.15"), ("sample", "3.16"), "4.8").0, "3.16");
    assert_eq!(chosen(("sample7", "18.4"), ("sample", "21.4"), "").0, "21.4", "7 is only a name");
    assert_eq!(chosen(("sample-deferred", "26.78"), ("sample", "26.139"), "").0, "26.78");
}

#[test]
fn the_reason_names_every_version_and_what_kept_it_from_competing() {
    let reason = |label, cask, title| chosen(("sample", label), ("sample", cask), title).1;
    assert_eq!(
        reason("7.1.0", "7.1.5,8", "7.1.4").as_deref(),
        Some("newest of 3: cask_catalog 7.1.5,8, label_tool 7.1.0, mdm_installer 7.1.4")
    );
    assert_eq!(
        reason("2026-03-05", "12.0,7", "12.0").as_deref(),
        Some(
            "same release: cask_catalog 12.0,7, mdm_installer 12.0; label_tool 2026-03-05 cannot be ordered"
        )
    );
    assert_eq!(
        reason("193.1", "1.93", "").as_deref(),
        Some("label_tool 193.1; cask_catalog 1.93 is counted differently")
    );
    assert_eq!(
        reason("2681", "26.8.1", "26.8.0").as_deref(),
        Some(
            "newest of 3: cask_catalog 26.8.1, label_tool 2681 (lacks separators), mdm_installer 26.8.0"
        )
    );
    assert_eq!(
        reason("Build 4200", "4200", "").as_deref(),
        Some("same release: cask_catalog 4200, label_tool Build 4200")
    );
    assert_eq!(
        reason("3.15", "3.15.6", "3.15.6").as_deref(),
        Some(
            "same release: cask_catalog 3.15.6, mdm_installer 3.15.6; label_tool 3.15 is only the beginning"
        )
    );
    assert_eq!(reason("R1 x", "R1 x", ""), None, "the same text");
    assert_eq!(reason("2.0", "2.0,345", "2"), None, "all sources agree");
    assert_eq!(reason("2.0", "", ""), None, "there is only one source");
}
