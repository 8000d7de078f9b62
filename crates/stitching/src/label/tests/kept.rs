//! What a label keeps although the download comes from the cask, and what is told if it does not.

use super::*;

fn with_cask(raw: Value, entry: Value) -> GeneratedLabel {
    generate(json!({"label_tool": label(raw), "cask_catalog": cask(entry)}))
}

#[test]
fn no_receipt_is_added_to_a_label() {
    let raw = json!({"name": "Sample", "type": "pkg", "downloadURL": "$(curl x)"});
    let entry = json!({"version": "1", "url": "https://e.com/a-1.pkg",
        "artifacts": [{"pkg": ["a.pkg"]}, {"uninstall": [{"pkgutil": "com.example.a"}]}]});
    let label = with_cask(raw, entry);
    assert_eq!(label.content["type"], "pkg");
    assert!(!label.content.contains_key("packageID"), "{:?}", label.content);
}

#[test]
fn the_number_of_the_version_key_is_kept() {
    let raw = json!({"name": "Sample", "type": "dmg", "downloadURL": "$(curl x)",
        "versionKey": "CFBundleVersion", "appNewVersion": "193.138"});
    let entry = json!({"version": "1.93.138.0", "url": "https://e.com/193.138/Sample.dmg",
        "artifacts": [{"app": ["Sample.app"]}]});
    assert_eq!(with_cask(raw, entry).content["appNewVersion"], "193.138");
}

#[test]
fn an_installer_and_a_folder_in_the_same_download_are_kept() {
    let raw = json!({"name": "Sample", "type": "dmg", "downloadURL": "$(curl x)",
        "CLIInstaller": "/Sample.app/Contents/Resources/installer", "CLIArguments": "259"});
    let entry = json!({"version": "1", "url": "https://e.com/a-1.dmg",
        "artifacts": [{"app": ["Sample.app"]}]});
    let label = with_cask(raw, entry);
    assert_eq!(label.content["CLIArguments"], "259");
    assert!(label.content.contains_key("CLIInstaller"));
    let folder = |path: &str| {
        let raw = json!({"name": "Sample", "type": "dmg", "downloadURL": "$(curl x)",
            "folderName": "Suite", "appName": "Suite/Sample.app"});
        let entry = json!({"version": "1", "url": "https://e.com/a-1.dmg",
            "artifacts": [{"app": [path]}]});
        with_cask(raw, entry).content.contains_key("folderName")
    };
    assert!(folder("Suite/Sample.app"));
    assert!(!folder("Other/Sample.app"));
}

#[test]
fn every_departure_is_told() {
    let raw = json!({"name": "Sample", "type": "pkg", "appNewVersion": "1.0",
        "downloadURL": "https://e.com/Sample-1.0.pkg", "packageID": "com.example.a",
        "curlOptions": ["-H", "Accept: */*"], "expectedTeamID": "ABCDE12345"});
    let entry = json!({"version": "2.0", "url": "https://e.com/Sample-2.0.dmg",
        "artifacts": [{"app": ["Sample.app"]}]});
    assert_eq!(
        with_cask(raw.clone(), entry).warnings,
        [
            "type: the app's own label has pkg",
            "packageID: the app's own label has com.example.a, for another download",
            "downloadURL: the app's own label has https://e.com/Sample-1.0.pkg",
            "appNewVersion: the app's own label has 1.0",
            "curlOptions: the app's own label has -H Accept: */*, for another download",
        ]
    );
    let alone = generate(json!({"label_tool": label(raw)}));
    assert_eq!(alone.warnings, [""; 0], "nothing departs");
}

fn fragment(raw: Value, entry: Value) -> String {
    let sources = json!({"label_tool": label(raw), "cask_catalog": cask(entry)}).to_string();
    let sources: AppSources = serde_json::from_str(&sources).unwrap();
    generate_label_fragment(&sample(None), &ParsedSources::of(&sources))
}

#[test]
fn an_intel_mac_exits_where_the_label_does() {
    let entry = json!({"version": "2.0", "url": "https://e.com/Sample-2.0.zip",
        "artifacts": [{"app": ["Sample.app"]}],
        "variations": {"tahoe": {"url": "https://e.com/Sample-2.0-x64.zip"}}});
    let text = |url: Value| {
        let raw = json!({"name": "Sample", "type": "dmg", "downloadURL": url,
            "resolved": {"appNewVersion": "2.0"}, "resolved_intel": {"downloadURL": null}});
        fragment(raw, entry.clone())
    };
    let exits = text(json!("https://e.com/latest.dmg"));
    assert!(exits.contains("cleanupAndExit 95"), "{exits}");
    let differs = text(json!(["https://e.com/arm.dmg", "https://e.com/intel.dmg"]));
    assert!(!differs.contains("cleanupAndExit 95"), "{differs}");
}

#[test]
fn a_universal_file_has_one_version() {
    let entry = json!({"version": "1.93.138.0", "url": "https://e.com/universal.pkg",
        "artifacts": [{"pkg": ["a.pkg"]}]});
    let raw = json!({"name": "Sample", "type": "pkg", "downloadURL": "https://e.com/universal.pkg",
        "versionKey": "CFBundleVersion", "resolved": {"appNewVersion": "193.138"},
        "resolved_intel": {"appNewVersion": null}});
    let text = fragment(raw, entry);
    assert!(text.contains(r#"appNewVersion="193.138""#), "{text}");
    assert!(!text.contains("$(arch)"), "{text}");
}
