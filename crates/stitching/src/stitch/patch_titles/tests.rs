use serde_json::{Value, json};

use super::*;
use crate::{
    documents::Documents,
    stitch::tests::{all, cask, label, title},
};

fn patch(code: &str, name: &str, publisher: &str, version: &str) -> PatchTitle {
    PatchTitle {
        code: code.to_owned(),
        name: name.to_owned(),
        publisher: Some(publisher.to_owned()).filter(|name| !name.is_empty()),
        version: Some(version.to_owned()).filter(|version| !version.is_empty()),
        covers_all_versions: false,
    }
}

fn combined(code: &str, name: &str, publisher: &str, version: &str) -> PatchTitle {
    PatchTitle { covers_all_versions: true, ..patch(code, name, publisher, version) }
}

/// A cask; the host of the home page tells its maker.
fn made(token: &str, name: &str, version: &str, host: &str) -> appstitch_types::CaskCatalogSource {
    let entry: Value = json!({"token": token, "name": [name], "version": version,
        "url": format!("https://files.example/{token}-{version}.dmg"),
        "homepage": format!("https://{host}/"),
        "artifacts": [{"app": [format!("{name}.app")]}]});
    cask(token, entry)
}

fn documents(titles: Vec<PatchTitle>) -> Documents {
    Documents {
        casks: vec![
            made("google-chrome", "Google Chrome", "151.0.1", "www.google.com"),
            made("google-chrome@beta", "Google Chrome", "152.0.1", "www.google.com"),
            made("microsoft-word", "Microsoft Word", "16.112.1", "www.microsoft.com"),
            made("parallels", "Parallels Desktop", "26.4.1", "parallels.com"),
            made("parallels@19", "Parallels Desktop", "19.4.3", "parallels.com"),
            made("transmit", "Transmit", "5.11.6", "panic.com"),
            made("sync", "Sync", "2.2.61", "sync.example"),
        ],
        patch_titles: titles,
        ..Documents::default()
    }
}

/// The codes and the slugs that they lead to.
fn found(documents: &Documents) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = all(documents)
        .into_iter()
        .flat_map(|stitched| {
            let slug = stitched.record.app.slug.to_string();
            stitched.provenance.title_codes.into_iter().map(move |title| (title.code, slug.clone()))
        })
        .collect();
    found.sort();
    found
}

fn slug_of(titles: Vec<PatchTitle>, code: &str) -> Option<String> {
    let found = found(&documents(titles));
    found.into_iter().find(|(found, _)| found == code).map(|(_, slug)| slug)
}

#[test]
fn a_name_leads_to_the_plain_app_and_not_to_another_channel() {
    let chrome = patch("2C3", "Google Chrome", "Google", "151.0.7");
    assert_eq!(slug_of(vec![chrome], "2C3").as_deref(), Some("google-chrome"));
    let beta = patch("2C4", "Google Chrome Beta", "Google", "152.0.1");
    assert_eq!(slug_of(vec![beta], "2C4").as_deref(), Some("google-chrome@beta"));
}

#[test]
fn a_number_in_the_name_is_the_major_version_of_the_app() {
    let titles = || {
        vec![
            combined("3D9", "Microsoft Word", "Microsoft", "16.112.1"),
            patch("3DA", "Microsoft Word 2016", "Microsoft", "16.16.27"),
            patch("3DC", "Microsoft Word 2019", "Microsoft", "16.78.1"),
            patch("3DB", "Microsoft Word 365", "Microsoft", "16.111.5"),
            combined("479", "Parallels Desktop", "Parallels", "26.4.1"),
            patch("483", "Parallels Desktop 19", "Parallels", "19.4.3"),
            patch("484", "Parallels Desktop 20", "Parallels", "20.4.1"),
            patch("485", "Parallels Desktop 26", "Parallels", "26.4.1"),
        ]
    };
    let slug = |code: &str| slug_of(titles(), code);
    assert_eq!(slug("3D9").as_deref(), Some("microsoft-word"));
    assert_eq!(slug("3DB").as_deref(), Some("microsoft-word"));
    assert_eq!((slug("3DA"), slug("3DC")), (None, None), "older ones");
    assert_eq!(slug("479").as_deref(), Some("parallels"));
    assert_eq!(slug("483").as_deref(), Some("parallels@19"));
    assert_eq!(slug("484"), None);
    assert_eq!(slug("485").as_deref(), Some("parallels"));
}

#[test]
fn a_maker_in_the_name_must_be_the_vendor() {
    let panic = patch("46C", "Panic Transmit 5", "Panic", "5.2.0");
    assert_eq!(slug_of(vec![panic], "46C").as_deref(), Some("transmit"));
    let other = patch("46D", "Acme Transmit", "Acme", "5.11.6");
    assert_eq!(slug_of(vec![other], "46D"), None);
    let jamf = patch("32A", "Jamf Sync", "Jamf", "2.2.61");
    assert_eq!(slug_of(vec![jamf], "32A"), None);
}

#[test]
fn a_short_name_needs_the_publisher_or_the_version() {
    let same = patch("512", "Sync", "", "2.2.61");
    assert_eq!(slug_of(vec![same], "512").as_deref(), Some("sync"));
    for other in [patch("512", "Sync", "", "7.1"), patch("512", "Sync", "", "")] {
        assert_eq!(slug_of(vec![other], "512"), None);
    }
    let other_maker = patch("512", "Sync", "Microsoft", "7.1");
    assert_eq!(slug_of(vec![other_maker], "512"), None);
}

#[test]
fn a_title_beside_the_one_for_all_versions_must_have_the_version() {
    let all_versions = combined("1", "Microsoft Word", "Microsoft", "16.112.1");
    let old = patch("2", "Microsoft Word", "Microsoft", "1.0");
    let current = patch("3", "Microsoft Word", "Microsoft", "16.112.1");
    let found = found(&documents(vec![all_versions, old, current]));
    let codes: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
    assert_eq!(codes, ["1", "3"]);
}

#[test]
fn a_name_of_two_products_leads_nowhere_unless_more_evidence_decides() {
    let documents = |version: &str| Documents {
        casks: vec![
            made("one-notes", "Sample Notes", "3.1", "one.example"),
            made("other-notes", "Sample Notes", "7.2", "two.example"),
        ],
        patch_titles: vec![patch("0A1", "Sample Notes", "", version)],
        ..Documents::default()
    };
    assert_eq!(found(&documents("9.0")), []);
    assert_eq!(found(&documents("7.2")), [("0A1".to_owned(), "other-notes".to_owned())]);
}

#[test]
fn the_installer_title_with_the_code_decides() {
    let mut given = documents(vec![patch("0F5", "Parallels Desktop", "Parallels", "26.4.1")]);
    given.labels = vec![label("sample", json!({"name": "Sample"}))];
    given.titles = vec![title("Sample", None, "1")];
    assert_eq!(found(&given), [], "it is the code of the title that is attached to another app");
}

#[test]
fn very_many_titles_of_one_name_do_not_pile_up_in_an_app() {
    let titles = (0..CODES_PER_APP + 50)
        .map(|number| patch(&format!("{number:05}"), "Google Chrome", "Google", "151.0.7"));
    let given = documents(titles.collect());
    let found = found(&given);
    assert_eq!(found.len(), CODES_PER_APP);
    assert_eq!(found[0].0, "00000");
}
