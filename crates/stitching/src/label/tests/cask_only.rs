//! What a cask alone gives for a label.

use super::*;

fn of_cask(entry: Value) -> GeneratedLabel {
    generate(json!({"cask_catalog": cask(entry)}))
}

fn warns(label: &GeneratedLabel, beginning: &str) -> bool {
    label.warnings.iter().any(|warning| warning.starts_with(beginning))
}

#[test]
fn the_team_id_of_a_publisher_whose_apps_agree_is_used_with_a_warning() {
    let mut publishers = crate::publishers::directory().publishers().iter();
    let known = publishers.find(|one| one.signer().is_some() && !one.domains.is_empty()).unwrap();
    let mut entry = json!({"version": "1", "url": "https://downloads.example/a-1.zip",
        "homepage": format!("https://{}/", known.domains[0]),
        "artifacts": [{"app": ["Sample.app"]}]});
    let label = of_cask(entry.clone());
    assert_eq!(label.content["expectedTeamID"], known.signer().unwrap().as_str());
    let warning = format!("expectedTeamID: other apps of {} are signed with it; check", known.name);
    assert!(warns(&label, &warning), "{:?}", label.warnings);
    entry["deprecated"] = json!(true);
    entry["deprecation_reason"] = json!("fails_gatekeeper_check");
    let label = of_cask(entry);
    assert!(!label.content.contains_key("expectedTeamID"), "it may not be signed at all");
    assert!(label.warnings[0].contains("Gatekeeper"), "{:?}", label.warnings);
}

#[test]
fn a_package_without_a_known_app_has_the_casks_name() {
    let mut entry = json!({"version": "1", "url": "https://e.com/a-1.pkg",
        "name": ["Sample/Driver", "Sample Driver"], "artifacts": [{"pkg": ["a.pkg"]}]});
    let label = of_cask(entry.clone());
    assert_eq!(label.content["name"], "Sample Driver");
    assert!(warns(&label, "name: "), "{:?}", label.warnings);
    entry["artifacts"][0]["uninstall"] = json!([{"pkgutil": "com.example.driver"}]);
    assert!(!warns(&of_cask(entry), "name: "), "the receipt tells what is installed");
    let apps = json!({"version": "1", "url": "https://e.com/a-1.dmg", "name": ["Sample"],
        "artifacts": [{"app": ["A.app"]}, {"app": ["B.app"]}]});
    assert!(!of_cask(apps).content.contains_key("name"), "the tool looks for this app");
}

#[test]
fn the_request_of_the_cask_is_repeated() {
    let entry = json!({"version": "1", "url": "https://e.com/a-1.zip",
        "url_specs": {"referer": "https://e.com/"}, "artifacts": [{"app": ["Sample.app"]}]});
    assert_eq!(of_cask(entry).content["curlOptions"], json!(["-H", "Referer: https://e.com/"]));
}

#[test]
fn the_stated_container_is_the_type_of_a_url_without_an_extension() {
    let kind = |container: &str, artifact: Value| {
        let entry = json!({"version": "1", "url": "https://e.com/get/1",
            "container": {"type": container}, "artifacts": [artifact]});
        of_cask(entry).content.get("type").cloned()
    };
    assert_eq!(kind("zip", json!({"app": ["Sample.app"]})), Some(json!("zip")));
    assert_eq!(kind("naked", json!({"pkg": ["a.pkg"]})), Some(json!("pkg")));
    assert_eq!(kind("naked", json!({"binary": ["sample"]})), None);
}

#[test]
fn what_no_label_can_install_is_told() {
    let warning = |url: &str, artifact: Value| {
        let label = of_cask(json!({"version": "1", "url": url, "artifacts": [artifact]}));
        label.warnings.into_iter().find(|warning| warning.starts_with("type: ")).unwrap()
    };
    for (artifact, words) in [
        (json!({"binary": ["sample"]}), "a command"),
        (json!({"screen_saver": ["A.saver"]}), "a screen saver"),
        (json!({"suite": ["Sample"]}), "a folder"),
        (json!({"installer": [{"manual": "Setup.app"}]}), "needs a user"),
        (json!({"pkg": ["a.pkg"]}), "cannot unpack"),
        (json!({"app": ["A.app"], "pkg": ["a.pkg"]}), "an app and a package"),
    ] {
        let warning = warning("https://e.com/a.tar.gz", artifact);
        assert!(warning.contains(words), "{warning}");
    }
    let unknown = warning("https://e.com/get", json!({"app": ["Sample.app"]}));
    assert_eq!(unknown, "type: package format unknown; download the file to check it");
}

#[test]
fn a_version_that_may_not_be_the_apps_own_is_told() {
    let entry = |version: &str| {
        json!({"version": version, "url": "https://e.com/a.zip",
            "artifacts": [{"app": ["Sample.app"]}]})
    };
    let label = of_cask(entry("11.1.0-win7"));
    assert_eq!(label.content["appNewVersion"], "11.1.0");
    assert!(warns(&label, "appNewVersion: the cask states 11.1.0-win7"), "{:?}", label.warnings);
    assert!(!warns(&of_cask(entry("11.1.0")), "appNewVersion"));
}
