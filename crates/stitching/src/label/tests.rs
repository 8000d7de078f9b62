//! The contents of generated labels.

mod cask_only;
mod kept;

use serde_json::{Value, json};

use super::*;

fn generate(sources: Value) -> GeneratedLabel {
    generate_signed(sources, None)
}

fn generate_signed(sources: Value, team_id: Option<&str>) -> GeneratedLabel {
    let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
    generate_label(&sample(team_id), &ParsedSources::of(&sources))
}

fn sample(team_id: Option<&str>) -> App {
    let app = json!({"slug": "sample", "bundle_id": null, "name": "Sample", "vendor": null,
        "current_version": null, "latest_release_date": null, "download_url": null,
        "install_method": null, "expected_team_id": team_id, "sha256": null, "sources": []});
    serde_json::from_value(app).unwrap()
}

#[test]
fn the_team_id_of_the_record_is_used_with_a_warning() {
    let signed = generate_signed(json!({"cask_catalog": full_cask()}), Some("43AQ936H96"));
    assert_eq!(signed.content["expectedTeamID"], "43AQ936H96");
    let warning = "expectedTeamID: no label states it; check it with codesign -dv";
    assert!(signed.warnings.iter().any(|text| text == warning), "{:?}", signed.warnings);
    let stated = json!({"label_tool": label(json!({"expectedTeamID": "ABCDE12345"}))});
    let stated = generate_signed(stated, Some("ABCDE12345"));
    assert!(!stated.warnings.iter().any(|text| text == warning), "{:?}", stated.warnings);
}

fn label(raw: Value) -> Value {
    json!({"label_name":"sample","label_url":"https://example.com/sample.sh","raw":raw})
}

fn cask(entry: Value) -> Value {
    json!({"token":"sample","entry_json":entry})
}

fn full_cask() -> Value {
    cask(json!({
        "version": "2.0,345",
        "url": "https://example.com/Sample-2.0.dmg",
        "artifacts": [{"app": ["Sample 2.app"], "target": "/Applications/Sample.app"}],
    }))
}

#[test]
fn keys_stand_in_the_decided_order_and_extras_follow() {
    let generated = generate(json!({"label_tool": label(json!({
        "blockingProcesses": ["Sample", "Helper"],
        "expectedTeamID": "ABCDE12345",
        "appNewVersion": "1.0",
        "downloadURL": "https://example.com/sample.pkg",
        "packageID": "com.example.sample",
        "type": "pkg",
        "archiveName": "sample.pkg",
        "name": "Sample",
    }))}));
    let keys: Vec<_> = generated.content.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "name", "type", "packageID", "downloadURL", "appNewVersion", "expectedTeamID",
            "blockingProcesses", "archiveName"
        ]
    );
    assert_eq!(generated.sources_used, ["label_tool"]);
    assert_eq!(generated.warnings, Vec::<String>::new());
    assert_eq!(generated.label_name, "sample");
}

#[test]
fn a_cask_alone_gives_all_but_the_team_id() {
    let generated = generate(json!({"cask_catalog": full_cask()}));
    assert_eq!(
        Value::Object(generated.content),
        json!({"name":"Sample 2","type":"dmg","downloadURL":"https://example.com/Sample-2.0.dmg",
               "appNewVersion":"2.0"}),
        "Installomator does not rename the app in the download as the cask does"
    );
    assert_eq!(generated.sources_used, ["cask_catalog"]);
    let warned: Vec<_> = generated.warnings.iter().filter_map(|w| w.split(':').next()).collect();
    assert_eq!(warned, ["expectedTeamID", "name"], "{:?}", generated.warnings);
}

#[test]
fn a_label_whose_address_needs_a_shell_takes_the_whole_download_from_the_cask() {
    let generated = generate(json!({
        "label_tool": label(json!({
            "name": "Sample", "type": "pkg", "archiveName": "Sample.pkg",
            "downloadURL": "$(curl -s https://example.com)", "appNewVersion": "$(date)",
            "expectedTeamID": "ABCDE12345",
        })),
        "cask_catalog": full_cask(),
    }));
    assert_eq!(
        Value::Object(generated.content),
        json!({"name":"Sample","type":"dmg","downloadURL":"https://example.com/Sample-2.0.dmg",
               "appNewVersion":"2.0","expectedTeamID":"ABCDE12345","appName":"Sample 2.app"})
    );
    assert_eq!(generated.sources_used, ["label_tool", "cask_catalog"]);
}

#[test]
fn a_label_that_contradicts_itself_gives_no_download() {
    let generated = generate(json!({"label_tool": label(json!({
        "name": "Sample", "type": "pkg", "downloadURL": "https://example.com/sample.dmg",
    }))}));
    assert!(!generated.content.contains_key("type"));
    assert!(!generated.content.contains_key("downloadURL"));
    let missing: Vec<_> = generated.warnings.iter().filter_map(|w| w.split(':').next()).collect();
    assert_eq!(missing, ["type", "downloadURL", "appNewVersion", "expectedTeamID"]);
}

#[test]
fn a_url_with_markup_is_no_url() {
    let generated = generate(json!({"label_tool": label(json!({"name": "Sample", "type": "dmg",
        "downloadURL": "https://example.com/sample.dmg%3C/td%3E"}))}));
    assert!(!generated.content.contains_key("downloadURL"), "{:?}", generated.content);
}

#[test]
fn only_an_external_installer_title_lends_its_address() {
    let title = |source: &str| {
        json!({"mdm_installer": {"title":"Sample","source":source,"version":"3.1",
               "download_url":"https://example.com/sample-3.1.pkg"}})
    };
    let external = generate(title("External"));
    assert_eq!(external.content["type"], "pkg");
    assert_eq!(external.content["appNewVersion"], "3.1");
    let repackaged = generate(title("Jamf"));
    assert_eq!(repackaged.content, Map::new());
    assert_eq!(repackaged.sources_used, Vec::<String>::new());
}

#[test]
fn packing_is_read_from_extension_and_contents_together() {
    let method = |url: &str, artifacts: Value, container: Value| {
        let entry = json!({"url": url, "artifacts": artifacts, "container": container});
        generate(json!({"cask_catalog": cask(entry)})).content.get("type").cloned()
    };
    let app = || json!([{"app": ["A.app"]}]);
    let pkg = || json!([{"pkg": ["A.pkg"]}]);
    let none = Value::Null;
    assert_eq!(method("https://e.com/a.dmg", pkg(), none.clone()), Some(json!("pkgInDmg")));
    assert_eq!(method("https://e.com/a.zip", pkg(), none.clone()), Some(json!("pkgInZip")));
    assert_eq!(method("https://e.com/a.zip", app(), none.clone()), Some(json!("zip")));
    assert_eq!(
        method("https://e.com/a.zip", app(), json!({"nested":"a.dmg"})),
        Some(json!("appInDmgInZip"))
    );
    assert_eq!(method("https://e.com/a.tar.bz2", app(), none.clone()), Some(json!("tbz")));
    assert_eq!(method("https://e.com/a.pkg", pkg(), none.clone()), Some(json!("pkg")));
    assert_eq!(method("https://e.com/download", app(), none.clone()), None);
    assert_eq!(
        method("https://e.com/a.zip", json!([{"app":["A.app"]},{"pkg":["B.pkg"]}]), none),
        None
    );
}

#[test]
fn a_receipt_is_used_only_when_there_is_one_and_it_is_no_pattern() {
    let package_id = |pkgutil: Value| {
        let entry = json!({"url":"https://e.com/a.pkg","artifacts":[{"pkg":["a.pkg"]},{"uninstall":[{"pkgutil":pkgutil}]}]});
        generate(json!({"cask_catalog": cask(entry)})).content.get("packageID").cloned()
    };
    assert_eq!(package_id(json!("com.example.a")), Some(json!("com.example.a")));
    assert_eq!(package_id(json!(["com.example.a"])), Some(json!("com.example.a")));
    assert_eq!(package_id(json!(["com.example.a", "com.example.b"])), None);
    assert_eq!(package_id(json!("com.example.*")), None);
}

#[test]
fn the_name_is_a_file_name_without_its_ending_and_a_foreign_archive_stays_behind() {
    let generated = generate(json!({"label_tool": label(json!({
        "name": "Sample.app", "type": "dmg", "downloadURL": "https://example.com/sample.dmg",
        "archiveName": "sample.zip",
    }))}));
    assert_eq!(generated.content["name"], "Sample");
    assert!(!generated.content.contains_key("archiveName"));
}

#[test]
fn the_download_is_that_of_the_newest_version() {
    let parts = |says: Value| {
        let mut raw = json!({"name": "Sample", "type": "dmg", "appNewVersion": "$(curl x)"});
        raw.as_object_mut().unwrap().extend(says.as_object().unwrap().clone());
        let generated = generate(json!({"label_tool": label(raw), "cask_catalog": full_cask()}));
        (generated.content["downloadURL"].clone(), generated.content["appNewVersion"].clone())
    };
    let casks = || (json!("https://example.com/Sample-2.0.dmg"), json!("2.0"));
    let at = |url: &str| parts(json!({"downloadURL": url}));
    assert_eq!(at("https://example.com/Sample-1.0.dmg"), casks(), "1.0 is older");
    let url = json!("https://example.com/mac/Sample_2_0.dmg");
    assert_eq!(at(url.as_str().unwrap()), (url, json!("2.0")));
    let moving = json!("https://example.com/latest/Sample.dmg");
    assert_eq!(at(moving.as_str().unwrap()), (moving.clone(), json!("2.0")));
    let old = json!({"downloadURL": moving, "appNewVersion": "1.9"});
    assert_eq!(parts(old), casks(), "the label gives an older one");
    let counted = json!({"downloadURL": moving, "appNewVersion": "345"});
    assert_eq!(parts(counted), (moving.clone(), json!("345")), "the build is what it compares");
    let joined = json!({"downloadURL": moving, "appNewVersion": "2345",
        "versionKey": "CFBundleVersion"});
    assert_eq!(parts(joined.clone()), (moving.clone(), json!("2345")), "its key fits its version");
}

#[test]
fn a_label_installs_an_older_version_if_the_newest_cannot_be_installed() {
    let entry = json!({"version": "2.0", "url": "https://example.com/get/2.0",
        "artifacts": [{"installer": [{"manual": "Setup.app"}]}]});
    let raw = json!({"name": "Sample", "type": "pkg", "appNewVersion": "1.0",
        "downloadURL": "https://example.com/Sample-1.0.pkg"});
    let generated = generate(json!({"label_tool": label(raw), "cask_catalog": cask(entry)}));
    assert_eq!(generated.content["downloadURL"], "https://example.com/Sample-1.0.pkg");
    assert_eq!(generated.content["appNewVersion"], "1.0", "the version of that file");
    assert!(
        generated.warnings.iter().any(|warning| warning.starts_with("appNewVersion: ")),
        "{:?}",
        generated.warnings
    );
}

#[test]
fn a_package_is_named_by_the_app_that_uninstalling_removes() {
    let name = |delete: Value| {
        let entry = json!({"url":"https://e.com/a.pkg","version":"1","artifacts":[{"pkg":["a.pkg"]},{"uninstall":[{"delete":delete}]}]});
        generate(json!({"cask_catalog": cask(entry)})).content.get("name").cloned()
    };
    assert_eq!(name(json!("/Applications/Sample App.app")), Some(json!("Sample App")));
    assert_eq!(name(json!(["/Applications/A.app", "/Library/a"])), Some(json!("A")));
    assert_eq!(name(json!(["/Applications/A.app", "/Applications/B.app"])), None);
    assert_eq!(name(json!("/Applications/A*.app")), None);
    assert_eq!(name(json!("/Applications/Utilities/A.app")), None);
    let entry = json!({"url":"https://e.com/a.pkg","version":"1","artifacts":[{"pkg":["a.pkg"]},
        {"uninstall":[{"script":{"executable":"/Applications/A B.app/Contents/uninstall"}}]}]});
    assert_eq!(generate(json!({"cask_catalog": cask(entry)})).content["name"], "A B");
}

#[test]
fn the_app_is_the_one_that_the_download_brings() {
    let generated = |app: Value, label_says: Value| {
        let entry = json!({"url":"https://e.com/a.dmg","version":"1","artifacts":[{"app":app}]});
        let mut raw =
            json!({"downloadURL": "$(curl x)", "type": "dmg", "versionKey": "CFBundleVersion"});
        raw.as_object_mut().unwrap().extend(label_says.as_object().unwrap().clone());
        generate(json!({"label_tool": label(raw), "cask_catalog": cask(entry)}))
    };
    let same = generated(json!(["Sample.app"]), json!({"name": "sample"}));
    assert_eq!(same.content["name"], "Sample", "the file is spelled like this");
    let other = generated(
        json!(["Sample Desktop.app"]),
        json!({"name": "Sample", "appName": "Sample Old.app"}),
    );
    assert_eq!(other.content["name"], "Sample Desktop");
    assert!(!other.content.contains_key("appName"), "{:?}", other.content);
    let deep = generated(json!(["Folder 1.2/Sample.app"]), json!({"name": "Sample"}));
    assert!(deep.warnings.iter().any(|w| w.starts_with("appName: ") && w.contains("'Folder 1.2'")));
    assert_eq!(deep.content["appName"], "Folder 1.2/Sample.app");
}

#[test]
fn an_intel_mac_gets_the_casks_download_where_the_label_does_not_know_one() {
    let sources = |variations: Value, depends: Value| -> AppSources {
        let entry = json!({"url": "https://e.com/arm.dmg", "version": "2.0", "variations": variations,
            "depends_on": depends, "artifacts": [{"app": ["Sample.app"]}]});
        let raw = json!({"name": "Sample", "type": "dmg", "downloadURL": "$(curl x)",
            "resolved": {"downloadURL": "https://e.com/found.dmg", "appNewVersion": "2.1"},
            "resolved_intel": {"downloadURL": null, "appNewVersion": null}});
        let sources = json!({"label_tool": label(raw), "cask_catalog": cask(entry)});
        serde_json::from_str(&sources.to_string()).unwrap()
    };
    let app = sample(None);
    let both = sources(json!({"tahoe": {"url": "https://e.com/intel.dmg"}}), json!({}));
    let fragment = generate_label_fragment(&app, &ParsedSources::of(&both));
    let (silicon, intel) = fragment.split_once("else").expect("a branch");
    assert!(
        silicon.contains("https://e.com/found.dmg") && silicon.contains("\"2.1\""),
        "{fragment}"
    );
    assert!(intel.contains("https://e.com/intel.dmg") && intel.contains("\"2.0\""), "{fragment}");
    let arm_only = sources(json!({}), json!({"arch": [{"type": "arm", "bits": 64}]}));
    let fragment = generate_label_fragment(&app, &ParsedSources::of(&arm_only));
    assert!(fragment.contains("cleanupAndExit") && !fragment.contains("else"), "{fragment}");
}

#[test]
fn what_would_change_the_shell_or_the_tool_is_not_carried_over() {
    let generated = generate(json!({"label_tool": label(json!({
        "name": "Sample", "type": "pkg", "downloadURL": "https://example.com/sample.pkg",
        "IFS": ":", "PPID": "1", "DEBUG": "0", "tmpDir": "/", "label": "x", "options": "y",
        "folderName": "kept", "CLIInstaller": "kept",
    }))}));
    let keys: Vec<_> = generated.content.keys().map(String::as_str).collect();
    assert_eq!(keys, ["name", "type", "downloadURL", "folderName", "CLIInstaller"]);
}

#[test]
fn what_describes_the_labels_own_download_stays_behind_with_it() {
    let generated = generate(json!({
        "label_tool": label(json!({"name": "Sample", "type": "pkg", "downloadURL": "$(curl x)",
            "packageID": "com.example.pkg", "CLIInstaller": "i", "CLIArguments": ["-a"],
            "installerTool": "t", "expectedTeamID": "Software Update", "versionKey": "CFBundleVersion"})),
        "cask_catalog": full_cask(),
    }));
    let keys: Vec<_> = generated.content.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["name", "type", "downloadURL", "appNewVersion", "expectedTeamID", "appName", "versionKey"]
    );
    assert_eq!(generated.content["expectedTeamID"], "Software Update");
}

#[test]
fn a_name_in_another_case_is_spelled_like_the_file() {
    let names = |raw: Value, artifacts: Value| {
        let entry = json!({"version": "1", "url": "https://e.com/a-1.zip", "artifacts": artifacts});
        let content =
            generate(json!({"label_tool": label(raw), "cask_catalog": cask(entry)})).content;
        (content["name"].clone(), content.get("appName").cloned())
    };
    let label = |more: Value| {
        let mut raw =
            json!({"name": "SAMPLE", "type": "dmg", "downloadURL": "https://e.com/latest.dmg"});
        raw.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        raw
    };
    let app = || json!([{"app": ["Sample.app"]}]);
    assert_eq!(names(label(json!({})), app()), (json!("Sample"), None));
    assert_eq!(
        names(label(json!({"name": "Other", "appName": "sample.app"})), app()),
        (json!("Other"), Some(json!("Sample.app")))
    );
    let removed =
        json!([{"pkg": ["a.pkg"]}, {"uninstall": [{"delete": "/Applications/Sample.app"}]}]);
    assert_eq!(names(label(json!({})), removed), (json!("Sample"), None));
    let both = json!([{"app": ["Sample.app"]}, {"app": ["SAMPLE.app"]}]);
    assert_eq!(names(label(json!({})), both), (json!("SAMPLE"), None), "this is a file, too");
}

#[test]
fn the_installer_of_the_label_is_kept_if_the_casks_download_contains_it() {
    let keys = |kind: &str, installer: &str| {
        let raw = json!({"name": "Sample", "type": kind, "downloadURL": "$(curl x)",
            "CLIInstaller": installer, "CLIArguments": ["--quiet"], "curlOptions": "-x"});
        let entry = json!({"version": "1", "url": "https://e.com/a-1.dmg",
            "artifacts": [{"app": ["Sample.app"]}]});
        let content =
            generate(json!({"label_tool": label(raw), "cask_catalog": cask(entry)})).content;
        let mut keys: Vec<String> = content.keys().cloned().collect();
        keys.retain(|key| key.starts_with("CLI") || key.starts_with("curl"));
        keys
    };
    assert_eq!(keys("dmg", "Sample.app/Contents/MacOS/install"), ["CLIInstaller", "CLIArguments"]);
    assert_eq!(keys("dmg", "Setup.app/Contents/MacOS/install"), Vec::<String>::new());
    assert_eq!(keys("zip", "Sample.app/Contents/MacOS/install"), Vec::<String>::new());
}

#[test]
fn arguments_that_need_a_shell_are_missed_with_a_warning() {
    let warnings = |arguments: Value| {
        let raw = json!({"name": "Sample", "type": "dmg", "expectedTeamID": "ABCDE12345",
            "downloadURL": "https://e.com/a.dmg", "appNewVersion": "1",
            "CLIInstaller": "Sample.app/install", "CLIArguments": arguments});
        generate(json!({"label_tool": label(raw)})).warnings
    };
    assert_eq!(warnings(json!(["--quiet"])), Vec::<String>::new());
    let missed = warnings(json!(["--user", "${currentUser}"]));
    assert!(missed.len() == 1 && missed[0].starts_with("CLIArguments: "), "{missed:?}");
}

#[test]
fn an_installer_program_of_the_cask_is_run() {
    let script = json!({"executable": "Setup.app/Contents/MacOS/setup", "args": ["--quiet"]});
    let entry = json!({"version": "1", "url": "https://e.com/a-1.zip", "artifacts": [
        {"installer": [{"script": script}]}, {"uninstall": [{"delete": "/Applications/Sample.app"}]}]});
    let generated = generate(json!({"cask_catalog": cask(entry)}));
    assert_eq!(
        Value::Object(generated.content),
        json!({"name": "Sample", "type": "zip", "downloadURL": "https://e.com/a-1.zip",
            "appNewVersion": "1", "installerTool": "Setup.app",
            "CLIInstaller": "Setup.app/Contents/MacOS/setup", "CLIArguments": ["--quiet"]})
    );
}

#[test]
fn the_package_in_the_download_is_named() {
    let generated = |url: &str, artifacts: Value| {
        let entry = json!({"version": "1.2", "url": url, "artifacts": artifacts});
        generate(json!({"cask_catalog": cask(entry)}))
    };
    let fixed = "https://e.com/a-1.2.dmg";
    let named = generated(fixed, json!([{"pkg": ["Folder/A 1.2.pkg"]}]));
    assert_eq!(named.content["type"], "pkgInDmg");
    assert_eq!(named.content["pkgName"], "Folder/A 1.2.pkg");
    let manual =
        generated("https://e.com/a-1.2.zip", json!([{"installer": [{"manual": "A.pkg"}]}]));
    assert_eq!(
        (&manual.content["type"], &manual.content["pkgName"]),
        (&json!("pkgInZip"), &json!("A.pkg"))
    );
    let moving = generated("https://e.com/a.dmg", json!([{"pkg": ["A 1.2.pkg"]}]));
    assert!(!moving.content.contains_key("pkgName"), "the next version has another name");
    let two = generated(fixed, json!([{"pkg": ["A.pkg"]}, {"pkg": ["B.pkg"]}]));
    assert_eq!(two.content["pkgName"], "A.pkg");
    assert!(two.warnings.iter().any(|warning| warning.starts_with("pkgName: ")), "{two:?}");
    let plain = generated("https://e.com/a-1.2.pkg", json!([{"pkg": ["a-1.2.pkg"]}]));
    assert!(!plain.content.contains_key("pkgName"), "the file itself is the package");
}

#[test]
fn a_url_without_an_extension_has_the_labels_type_if_the_contents_agree() {
    let kind = |of_label: &str, artifacts: Value| {
        let raw = json!({"name": "Sample", "type": of_label, "downloadURL": "$(curl x)"});
        let entry =
            json!({"version": "1", "url": "https://e.com/download?os=mac", "artifacts": artifacts});
        let generated = generate(json!({"label_tool": label(raw), "cask_catalog": cask(entry)}));
        generated.content.get("type").cloned()
    };
    let app = || json!([{"app": ["Sample.app"]}]);
    assert_eq!(kind("dmg", app()), Some(json!("dmg")));
    assert_eq!(kind("bz2", app()), Some(json!("tbz")));
    assert_eq!(kind("pkg", app()), None);
    assert_eq!(kind("pkg", json!([{"pkg": ["a.pkg"]}])), Some(json!("pkg")));
    assert_eq!(kind("dmg", json!([{"binary": ["sample"]}])), None);
}

#[test]
fn a_deprecated_cask_is_told_with_its_reason() {
    let entry = json!({"version": "1", "url": "https://e.com/a-1.zip", "deprecated": true,
        "deprecation_date": "2025-06-11", "deprecation_reason": "discontinued",
        "artifacts": [{"app": ["Sample.app"]}]});
    let warnings = generate(json!({"cask_catalog": cask(entry)})).warnings;
    let expected = "downloadURL: the cask has been deprecated since 2025-06-11: it is discontinued";
    assert!(warnings.iter().any(|warning| warning == expected), "{warnings:?}");
}

#[test]
fn other_team_ids_of_the_publisher_are_a_hint_and_no_value() {
    let app = sample(None);
    let generated = |homepage: &str, quit: &str| {
        let entry = json!({"version": "1", "url": "https://downloads.example/a-1.zip",
            "homepage": homepage,
            "artifacts": [{"app": ["Sample.app"]}, {"uninstall": [{"quit": quit}]}]});
        let sources = json!({"cask_catalog": cask(entry)}).to_string();
        let sources: AppSources = serde_json::from_str(&sources).unwrap();
        (
            generate_label(&app, &ParsedSources::of(&sources)),
            generate_label_fragment(&app, &ParsedSources::of(&sources)),
        )
    };
    // Any publisher with a site, a bundle identifier and a Team ID that is not that of two apps.
    let mut publishers = crate::publishers::directory().publishers().iter();
    let known = publishers.find(|one| {
        let has_keys = !one.domains.is_empty() && !one.bundle_id_prefixes.is_empty();
        !one.team_ids.is_empty() && one.signer().is_none() && has_keys
    });
    let known = known.unwrap();
    let site = format!("https://{}/", known.domains[0]);
    let id = format!("{}.sample", known.bundle_id_prefixes[0]);
    for (homepage, quit) in [(&*site, ""), ("https://nobody.example/", &id)] {
        let (label, fragment) = generated(homepage, quit);
        assert!(!label.content.contains_key("expectedTeamID"));
        let warning = label.warnings.iter().find(|warning| warning.starts_with("expectedTeamID: "));
        let hint =
            format!("other apps of this publisher are signed with {}", known.team_ids[0].as_str());
        assert!(warning.unwrap().contains(&hint), "{warning:?}");
        assert!(fragment.contains(&hint), "{fragment}");
    }
    let (unknown, _) = generated("https://nobody.example/", "");
    assert!(unknown.warnings.iter().all(|warning| !warning.contains("signed with")));
}

#[test]
fn a_version_function_that_needs_more_than_the_label_sets_is_omitted() {
    let written = |body: &str| {
        let raw = json!({"name": "Sample", "type": "pkg", "packageID": "com.example.sample",
            "shortVersion": "$(curl x)", "appCustomVersion()": format!("appCustomVersion() {{ {body} }}")});
        let sources = json!({"label_tool": label(raw)});
        let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
        let app = sample(None);
        let warned = generate_label(&app, &ParsedSources::of(&sources)).warnings;
        let fragment = generate_label_fragment(&app, &ParsedSources::of(&sources));
        (fragment.contains(body), warned.iter().any(|text| text.starts_with("appCustomVersion: ")))
    };
    assert_eq!(written("pkgutil --pkg-info $packageID"), (true, false));
    assert_eq!(written("cat /Library/$shortVersion/version"), (false, true));
}

#[test]
fn of_several_apps_the_one_with_the_casks_name_is_installed() {
    let generated = |name: &str| {
        let entry = json!({"version": "1", "url": "https://e.com/a-1.dmg", "name": [name],
            "artifacts": [{"app": ["Suite/Helper.app"]}, {"app": ["Suite/Sample.app"]}]});
        generate(json!({"cask_catalog": cask(entry)}))
    };
    let named = generated("sample");
    assert_eq!(named.content["name"], "Sample");
    assert_eq!(named.content["appName"], "Suite/Sample.app");
    let warning = "name: the cask installs 2 apps, this label only Sample";
    assert!(named.warnings.iter().any(|text| text == warning), "{:?}", named.warnings);
    assert!(!generated("Other").content.contains_key("name"));
}

#[test]
fn a_fragment_reads_no_variable() {
    let raw = json!({
        "name": "Sample", "type": "dmg", "expectedTeamID": "ABCDE12345",
        "downloadURL": "https://example.com/$name.dmg", "appNewVersion": "${version}",
        "blockingProcesses": ["Sample", "$helper"], "CLIInstaller": "$installer/install",
        "CLIArguments": ["--user", "${currentUser}"], "folderName": "`date`",
        "versionKey": "CFBundleVersion", "resolved": {"appNewVersion": "$2.0"},
        "appCustomVersion()": "appCustomVersion() { cat \"$somewhere/version\" }",
    });
    let sources = json!({"label_tool": label(raw), "cask_catalog": full_cask()});
    let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
    let fragment = generate_label_fragment(&sample(None), &ParsedSources::of(&sources));
    let is_code = |line: &&str| !line.trim_start().starts_with('#');
    let code: Vec<&str> = fragment.lines().filter(is_code).collect();
    assert!(!code.iter().any(|line| line.contains(['$', '`'])), "{fragment}");
    assert!(fragment.contains("versionKey=\"CFBundleVersion\""), "{fragment}");
}

#[test]
fn a_version_that_lost_its_separators_is_replaced_unless_the_label_has_its_own_key() {
    let version = |says: Value| {
        let mut raw = json!({"name": "Sample", "type": "dmg", "appNewVersion": "2681",
            "downloadURL": "https://e.com/latest.dmg"});
        raw.as_object_mut().unwrap().extend(says.as_object().unwrap().clone());
        let entry = json!({"version": "26.8.1", "url": "https://e.com/a-26.8.1.dmg",
            "artifacts": [{"app": ["Sample.app"]}]});
        let generated = generate(json!({"label_tool": label(raw), "cask_catalog": cask(entry)}));
        generated.content["appNewVersion"].clone()
    };
    assert_eq!(version(json!({})), "26.8.1");
    assert_eq!(version(json!({"versionKey": "CFBundleVersion"})), "2681");
    assert_eq!(version(json!({"appNewVersion": "enterprise"})), "26.8.1", "this is only a word");
}
