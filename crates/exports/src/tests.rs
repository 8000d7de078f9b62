use std::{fs, process::Command};

use plist::{Dictionary, Value as Plist};
use proptest::prelude::*;
use rusqlite::{Connection, functions::FunctionFlags};
use serde_json::{Value, json};

use super::*;
use crate::sample::{Sample, label};

fn pkginfo(sample: &Sample) -> Dictionary {
    let text = sample.text(ExportFormat::Munki);
    Plist::from_reader_xml(text.as_bytes()).unwrap().into_dictionary().unwrap()
}

fn text<'a>(dictionary: &'a Dictionary, key: &str) -> &'a str {
    dictionary.get(key).and_then(Plist::as_string).unwrap_or_default()
}

fn first<'a>(dictionary: &'a Dictionary, key: &str) -> &'a Dictionary {
    dictionary[key].as_array().unwrap()[0].as_dictionary().unwrap()
}

#[test]
fn a_disk_image_is_copied_and_found_by_its_bundle() {
    let info = pkginfo(&Sample::default());
    let expected = [
        ("name", "sample"),
        ("version", "2.1"),
        ("developer", "Example"),
        ("description", "App for tests"),
        ("installer_type", "copy_from_dmg"),
        ("installer_item_location", "sample-2.1.dmg"),
        ("PackageCompleteURL", "https://example.com/Sample-2.1.dmg"),
        ("minimum_os_version", "13"),
    ];
    for (key, value) in expected {
        assert_eq!(text(&info, key), value, "{key}");
    }
    assert_eq!(text(&info, "installer_item_hash"), "ab".repeat(32));
    let item = first(&info, "items_to_copy");
    assert_eq!(
        (text(item, "source_item"), text(item, "destination_path")),
        ("Sample.app", "/Applications")
    );
    let installs = first(&info, "installs");
    assert_eq!(text(installs, "path"), "/Applications/Sample.app");
    assert_eq!(text(installs, "CFBundleShortVersionString"), "2.1");
    assert_eq!(text(installs, "version_comparison_key"), "CFBundleShortVersionString");
    let metadata: Vec<&String> = info["_metadata"].as_dictionary().unwrap().keys().collect();
    let expected = ["created_by", "app"];
    assert_eq!(metadata[..2], expected, "nothing that changes with every revision");
    assert!(metadata[2..].iter().all(|key| key.ends_with("_from")), "{metadata:?}");
    assert!(info.get("notes").is_none());
}

#[test]
fn the_version_is_compared_as_the_label_compares_it() {
    let with = |raw: Value| Sample::default().with_source("label_tool", label(&raw));
    let key = json!({"name": "Sample", "type": "dmg", "appNewVersion": "2.1", "versionKey": "CFBundleVersion"});
    let installs = pkginfo(&with(key.clone()));
    assert_eq!(text(first(&installs, "installs"), "CFBundleVersion"), "2.1");
    assert!(
        with(key.clone())
            .text(ExportFormat::Osquery)
            .contains("version_compare(bundle_version, '2.1')")
    );
    let reasons = with(key.clone()).reasons(ExportFormat::Intune);
    assert_eq!(reasons, [Reason::OtherVersionKey], "Intune compares the short version");
    let mut other = key.clone();
    other["versionKey"] = "BuildVersion".into();
    assert_eq!(with(other).reasons(ExportFormat::Munki), [Reason::OtherVersionKey]);
    let mut function = key.clone();
    function["appCustomVersion()"] = "echo 1".into();
    assert_eq!(with(function).reasons(ExportFormat::Osquery), [Reason::FoundByFunction]);
    // Of the version of the cask, nobody says where the app has it.
    let mut behind = key;
    behind["appNewVersion"] = "2.0".into();
    assert_eq!(with(behind.clone()).reasons(ExportFormat::Osquery), [Reason::ComparedElsewhere]);
    behind.as_object_mut().unwrap().remove("versionKey");
    assert!(with(behind).text(ExportFormat::Osquery).contains("bundle_short_version"));
}

#[test]
fn a_package_is_found_by_its_receipt_if_the_label_asks_for_it() {
    let raw = json!({"name": "Sample", "type": "pkg", "appNewVersion": "2.1", "packageID": "com.example.pkg"});
    let sample = Sample::default()
        .with_source("label_tool", label(&raw))
        .with("install_method", "pkg".into())
        .with("download_url", "https://example.com/Sample-2.1.pkg".into())
        .with("bundle_id", Value::Null);
    let info = pkginfo(&sample);
    let receipt = first(&info, "receipts");
    assert_eq!((text(receipt, "packageid"), text(receipt, "version")), ("com.example.pkg", "2.1"));
    assert!(info.get("installs").is_none() && info.get("installer_type").is_none());
    assert!(sample.text(ExportFormat::Osquery).contains("FROM package_receipts"));
    let reasons = sample.reasons(ExportFormat::Intune);
    assert_eq!(reasons, [Reason::VersionOfPackage("com.example.pkg".to_owned())]);
}

#[test]
fn every_missing_fact_is_named_and_no_file_is_made() {
    let null = || Value::Null;
    for (key, format, reason) in [
        ("bundle_id", ExportFormat::Osquery, Reason::NoBundleId),
        ("current_version", ExportFormat::Osquery, Reason::NoVersion),
        ("current_version", ExportFormat::FleetPolicy, Reason::NoVersion),
        ("expected_team_id", ExportFormat::AutoPkgDownload, Reason::NoTeamId),
        ("download_url", ExportFormat::AutoPkgDownload, Reason::NoAddress),
    ] {
        assert_eq!(Sample::default().with(key, null()).reasons(format), [reason], "{key}");
    }
    let zip = Sample::default()
        .with("install_method", "zip".into())
        .with("sha256", null())
        .with_cask("url", null());
    let zip_reasons = [Reason::Method(appstitch_types::InstallMethod::Zip), Reason::NoSha256];
    assert_eq!(zip.reasons(ExportFormat::Munki), zip_reasons);
    let odd = Sample::default().with("current_version", "stable".into());
    assert_eq!(odd.reasons(ExportFormat::Osquery), [Reason::OddVersion("stable".to_owned())]);
    let built = Sample::default().with("current_version", "1.2,345".into());
    assert!(built.reasons(ExportFormat::Osquery)[0].to_string().contains("has a comma"));
    for version in ["2.1-5", "20260326", "2.1_3"] {
        let shown_otherwise = Sample::default().with("current_version", version.into());
        let reasons = [Reason::NotShown(version.to_owned())];
        assert_eq!(shown_otherwise.reasons(ExportFormat::Munki), reasons);
        assert_eq!(shown_otherwise.reasons(ExportFormat::FleetPolicy), reasons);
    }
    assert_eq!(Sample::default().reasons(ExportFormat::AutoPkg), [Reason::NoRecipe]);
    assert_eq!(Sample::default().reasons(ExportFormat::IntunePreinstall), [Reason::NoLabel]);
    let headers = Sample::default().with_cask("url_specs", json!({"user_agent": ":fake"}));
    assert_eq!(headers.reasons(ExportFormat::Munki), [Reason::NeedsRequestFields]);
}

#[test]
fn an_address_that_redirects_is_replaced_by_that_of_the_cask() {
    let sample = Sample::default().with("download_url", "https://example.com/latest?os=mac".into());
    let info = pkginfo(&sample);
    assert_eq!(text(&info, "PackageCompleteURL"), "https://example.com/Sample-2.1.dmg");
    let older = sample.with_cask("version", "2.0".into());
    let made = older.export(ExportFormat::Munki).unwrap();
    assert_eq!(made.warnings.len(), 2, "{:?}", made.warnings);
    let notes = text(&pkginfo(&older), "notes").to_owned();
    assert_eq!(notes, made.warnings.join("\n"));
    let year = Sample::default()
        .with("current_version", "1.2".into())
        .with("download_url", "https://example.com/2012/App.dmg".into());
    let made = year.export(ExportFormat::Munki).unwrap();
    assert!(made.warnings[0].contains("no version in it"), "2012 is not 1.2: {:?}", made.warnings);
}

#[test]
fn a_file_of_the_cask_stands_only_for_the_same_download() {
    let redirecting =
        || Sample::default().with("download_url", "https://example.com/latest?os=mac".into());
    let info = pkginfo(&redirecting());
    let metadata = info["_metadata"].as_dictionary().unwrap();
    assert_eq!(text(metadata, "download_from"), "cask_catalog");
    assert_eq!(text(metadata, "checksum_from"), "cask_catalog");
    let package = redirecting().with("install_method", "pkg".into());
    assert_eq!(text(&pkginfo(&package), "PackageCompleteURL"), "https://example.com/latest?os=mac");
}

#[test]
fn versions_that_the_app_may_not_show_are_refused() {
    let with = |raw: Value| Sample::default().with_source("label_tool", label(&raw));
    let behind = json!({"name": "Sample", "type": "dmg", "appNewVersion": "2.0",
        "appCustomVersion()": "echo 1"});
    assert_eq!(with(behind).reasons(ExportFormat::Osquery), [Reason::ComparedElsewhere]);
    let own = json!({"name": "Sample", "type": "dmg", "appNewVersion": "2.1.345"});
    let longer =
        with(own).with("current_version", "2.1.345".into()).with_cask("version", "2.1,345".into());
    let [reason] = &longer.reasons(ExportFormat::Munki)[..] else { panic!("one reason") };
    assert_eq!(reason.code(), "other_version");
    assert!(reason.to_string().starts_with("Homebrew Cask writes the version as 2.1,"), "{reason}");
}

#[test]
fn a_label_that_names_the_short_version_is_compared_like_one_that_names_none() {
    for key in [json!({}), json!({"versionKey": "CFBundleShortVersionString"})] {
        let mut raw = key.clone();
        raw.as_object_mut().unwrap().extend([
            ("name".to_owned(), json!("Sample")),
            ("type".to_owned(), json!("dmg")),
            ("appNewVersion".to_owned(), json!("2.1")),
        ]);
        let sample = Sample::default()
            .with("current_version", "2.1.0".into())
            .with_cask("version", "2.1.0".into())
            .with_source("label_tool", label(&raw));
        let [reason] = &sample.reasons(ExportFormat::Osquery)[..] else { panic!("one: {key}") };
        assert_eq!(reason.code(), "other_version", "{key}");
        assert!(reason.to_string().starts_with("Installomator writes the version as 2.1,"));
    }
}

#[test]
fn what_is_not_the_app_itself_is_neither_copied_nor_looked_for() {
    let app = json!({"app": ["Sample.app"], "target": "/Applications/Sample.app"});
    let suite = json!({"suite": ["Sample"]});
    let installer = json!({"installer": [{"manual": "Install.app"}]});
    for artifacts in
        [json!([suite]), json!([installer]), json!([app, suite]), json!([installer, app])]
    {
        let raw = json!({"name": "Sample", "type": "pkg"});
        let sample = Sample::default().with_cask("artifacts", artifacts.clone());
        assert_eq!(sample.reasons(ExportFormat::Munki), [Reason::UnknownApps], "{artifacts}");
        assert_eq!(sample.reasons(ExportFormat::AutoPkgDownload), [Reason::UnknownApps]);
        let labeled = sample.with_source("label_tool", label(&raw));
        assert_eq!(labeled.reasons(ExportFormat::IntunePostinstall), [Reason::UnknownApps]);
    }
    let raw = json!({"name": "Sample", "type": "dmg", "installerTool": "Install.app"});
    let installer = Sample::default().with_source("label_tool", label(&raw));
    assert_eq!(installer.reasons(ExportFormat::Munki), [Reason::UnknownApps]);
    let package = |artifacts: Value| {
        Sample::default()
            .with("install_method", "pkg".into())
            .with("download_url", "https://example.com/Sample-2.1.pkg".into())
            .with_cask("artifacts", artifacts)
    };
    let traces = json!([{"pkg": ["Sample.pkg"]},
        {"zap": [{"trash": "~/Library/Preferences/org.maker.engine.plist"}]}]);
    let traced = || package(traces.clone()).with("bundle_id", "org.maker.engine".into());
    let raw = json!({"name": "Sample", "type": "pkg"});
    for format in [
        ExportFormat::Munki,
        ExportFormat::Osquery,
        ExportFormat::OsqueryPack,
        ExportFormat::FleetPolicy,
        ExportFormat::Intune,
    ] {
        let labeled = traced().with_source("label_tool", label(&raw));
        assert_eq!(labeled.reasons(format), [Reason::UnsureBundleId], "{}", format.name());
    }
    let recipe = Sample::default()
        .with("bundle_id", "org.maker.engine".into())
        .with_cask("artifacts", json!([{"app": ["Sample.app"]}, traces[1]]));
    assert_eq!(recipe.reasons(ExportFormat::AutoPkgDownload), [Reason::UnsureBundleId]);
    let info = pkginfo(&recipe);
    assert!(first(&info, "installs").get("CFBundleIdentifier").is_none(), "its path is known");
    let title = json!({"title": "Sample", "source": "Jamf", "bundle_id": "org.maker.Engine"});
    let confirmed = traced().with_source("mdm_installer", title);
    assert!(confirmed.text(ExportFormat::Osquery).contains("org.maker.engine"), "a title has it");
}

#[test]
fn munki_installs_unattended_only_if_it_knows_what_blocks() {
    let blocking = |sample: &Sample| -> Option<Vec<String>> {
        let info = pkginfo(sample);
        let apps = info.get("blocking_applications")?.as_array().unwrap();
        assert_eq!(info.get("unattended_install").and_then(Plist::as_boolean), Some(true));
        Some(apps.iter().map(|app| app.as_string().unwrap().to_owned()).collect())
    };
    let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    let package = |artifacts: Value| {
        Sample::default()
            .with("install_method", "pkg".into())
            .with("download_url", "https://example.com/Sample-2.1.pkg".into())
            .with_cask("artifacts", artifacts)
    };
    let two = json!([{"app": ["Sample.app"]}, {"app": ["Sub/Other.app"]}]);
    let image = Sample::default().with_cask("artifacts", two);
    assert_eq!(blocking(&image), names(&["Sample.app", "Other.app"]));
    let bare = || package(json!([{"pkg": ["Sample.pkg"]}]));
    assert_eq!(blocking(&bare()), None);
    assert!(pkginfo(&bare()).get("unattended_install").is_none());
    let removed = json!([{"uninstall": [{"delete": "/Applications/Sample.app"}]}]);
    assert_eq!(blocking(&package(removed)), names(&["Sample.app"]));
    let mut raw = json!({"name": "Sample 2", "type": "pkg"});
    let labeled = bare().with_source("label_tool", label(&raw));
    assert_eq!(blocking(&labeled), names(&["Sample 2"]));
    raw["blockingProcesses"] = json!(["NONE"]);
    let unblocked = bare().with_source("label_tool", label(&raw));
    assert_eq!(blocking(&unblocked), names(&[]), "the label says so");
}

#[test]
fn only_a_receipt_of_the_whole_app_is_looked_for_and_removed() {
    let package = |receipt: &str, receipts: Value| {
        let raw =
            json!({"name": "Sample", "type": "pkg", "appNewVersion": "2.1", "packageID": receipt});
        Sample::default()
            .with_source("label_tool", label(&raw))
            .with("install_method", "pkg".into())
            .with("download_url", "https://example.com/Sample-2.1.pkg".into())
            .with_cask("artifacts", json!([{"uninstall": [{"pkgutil": receipts}]}]))
            .with_cask("depends_on", json!({"cask": ["other"]}))
    };
    let info = pkginfo(&package("com.example.pkg", json!("com.example.pkg")));
    assert_eq!(text(&info, "uninstall_method"), "removepackages");
    assert!(text(&info, "notes").contains("Homebrew installs this first: other."));
    let several = package("com.example.pkg", json!(["com.example.pkg", "com.example.extra"]));
    assert!(pkginfo(&several).get("uninstall_method").is_none());
    let part = package("com.example.licensing", json!("com.example.licensing"));
    let reason = Reason::ReceiptOfPart("com.example.licensing".to_owned());
    for format in [
        ExportFormat::Munki,
        ExportFormat::Osquery,
        ExportFormat::OsqueryPack,
        ExportFormat::FleetPolicy,
    ] {
        assert_eq!(part.reasons(format), std::slice::from_ref(&reason), "{}", format.name());
    }
}

#[test]
fn a_file_for_apple_silicon_is_not_for_intel() {
    let other = json!({"tahoe": {"url": "https://example.com/Sample-2.1-intel.dmg", "sha256": "cd".repeat(32)}});
    let info = pkginfo(&Sample::default().with_cask("variations", other));
    let architectures = info["supported_architectures"].as_array().unwrap();
    assert_eq!(architectures, &vec![Plist::from("arm64")]);
}

#[test]
fn munki_finds_an_app_that_it_copies_by_its_path() {
    let unknown = || Sample::default().with("bundle_id", Value::Null);
    let info = pkginfo(&unknown());
    let item = first(&info, "installs");
    assert_eq!(text(item, "path"), "/Applications/Sample.app");
    assert!(item.get("CFBundleIdentifier").is_none());
    let two = json!([{"app": ["Sample.app"]}, {"app": ["Other.app"]}]);
    let reasons = [Reason::NoBundleId];
    assert_eq!(unknown().with_cask("artifacts", two).reasons(ExportFormat::Munki), reasons);
    let package = unknown()
        .with("install_method", "pkg".into())
        .with("download_url", "https://example.com/Sample-2.1.pkg".into());
    assert_eq!(package.reasons(ExportFormat::Munki), reasons, "nobody knows what it installs");
}

#[test]
fn munki_does_not_take_the_end_of_a_name_for_a_version() {
    let name = |slug: &str| {
        text(&pkginfo(&Sample::default().with("slug", slug.into())), "name").to_owned()
    };
    assert_eq!(name("sample-app"), "sample-app");
    assert_eq!(name("sample-3"), "sample_3");
    assert_eq!(name("sample-3-4"), "sample_3_4");
}

#[test]
fn recipes_are_listed_with_what_to_do_first() {
    let recipe = |identifier: &str, kind: &str, repo: &str| {
        json!({"identifier": identifier, "name": "Sample", "shortname": null, "repo": repo,
            "path": format!("Sample/Sample.{kind}.recipe.yaml"), "parent_identifier": null, "inferred_type": kind})
    };
    let recipes = json!({"recipes": [
        recipe("com.a.download.Sample", "download", "a/recipes"),
        recipe("com.b.munki.Sample", "munki", "b/recipes"),
        recipe("com.c.other.Sample", "check", "c/recipes"),
    ]});
    let text = Sample::default().with_source("recipe_index", recipes).text(ExportFormat::AutoPkg);
    let run: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert_eq!(run, ["Sample.munki"], "the override has this name, and another identifier");
    assert!(text.contains("autopkg repo-add b/recipes\n"));
    assert!(text.contains("autopkg make-override --pull com.b.munki.Sample\n"));
    assert!(text.contains("# Sample.download (com.a.download.Sample, a/recipes)"));
    assert!(!text.contains("com.c"));
}

#[test]
fn a_download_recipe_checks_the_signature() {
    let text = Sample::default().text(ExportFormat::AutoPkgDownload);
    let recipe = Plist::from_reader_xml(text.as_bytes()).unwrap().into_dictionary().unwrap();
    let steps = recipe["Process"].as_array().unwrap();
    let names: Vec<&str> =
        steps.iter().map(|step| self::text(step.as_dictionary().unwrap(), "Processor")).collect();
    assert_eq!(names, ["URLDownloader", "EndOfCheckPhase", "CodeSignatureVerifier"]);
    assert!(
        text.contains("leaf[subject.OU] = \"ABCDE12345\"")
            || text.contains("&quot;ABCDE12345&quot;")
    );
    let odd = Sample::default().with("download_url", "https://example.com/%AA%BB.dmg".into());
    let reasons = odd.reasons(ExportFormat::AutoPkgDownload);
    assert!(matches!(&*reasons, [Reason::LooksLikeVariable(_)]), "{reasons:?}");
    let two = json!([{"app": ["Sample.app"]}, {"app": ["Other.app"]}]);
    let two = Sample::default().with_cask("artifacts", two);
    assert_eq!(two.reasons(ExportFormat::AutoPkgDownload), [Reason::SeveralApps]);
    let zip =
        Sample::default().with("install_method", "zip".into()).text(ExportFormat::AutoPkgDownload);
    assert!(zip.contains("Unarchiver") && zip.contains("%RECIPE_CACHE_DIR%/unpacked/Sample.app"));
}

#[test]
fn fleet_gets_a_package_or_a_policy() {
    let policy = Sample::default().text(ExportFormat::Fleet);
    assert!(policy.contains("SELECT 1 WHERE NOT EXISTS (SELECT name"), "{policy}");
    let package = Sample::default()
        .with("install_method", "pkg".into())
        .with("download_url", "https://example.com/Sample-2.1.pkg".into());
    let text = package.text(ExportFormat::Fleet);
    assert!(
        text.contains("- url: \"https://example.com/Sample-2.1.pkg\"\n  hash_sha256: \"abab"),
        "{text}"
    );
}

#[test]
fn fleet_is_told_the_name_of_what_it_maintains() {
    let firefox = json!({"token": "firefox", "entry_json": {"token": "firefox", "version": "2.1"}});
    let text = Sample::default().with_source("cask_catalog", firefox).text(ExportFormat::Fleet);
    assert!(text.ends_with("\n- slug: \"firefox/darwin\"\n  self_service: true\n"), "{text}");
}

#[test]
fn intune_gets_the_app_and_scripts() {
    let raw = json!({"name": "Sample", "type": "dmg"});
    let sample = Sample::default().with_source("label_tool", label(&raw));
    let body: Value = serde_json::from_str(&sample.text(ExportFormat::Intune)).unwrap();
    assert_eq!(body["primaryBundleId"], "com.example.sample");
    assert_eq!(body["minimumSupportedOperatingSystem"], json!({"v13_0": true}));
    let two = json!([{"app": ["Sample.app"]}, {"app": ["Other.app"]}]);
    let two = Sample::default().with_source("label_tool", label(&raw)).with_cask("artifacts", two);
    assert_eq!(two.reasons(ExportFormat::IntunePostinstall), [Reason::SeveralApps]);
    let script = sample.text(ExportFormat::IntunePreinstall);
    assert!(script.starts_with("#!/bin/sh\n") && script.contains("label='sample'"));
    assert!(
        sample.text(ExportFormat::IntunePostinstall).contains("app='/Applications/Sample.app'")
    );
}

#[test]
fn the_check_of_intune_looks_where_the_label_puts_the_app() {
    let renamed = json!([{"app": ["Sample2.app", {"target": "Sample 2.app"}],
        "target": "/Applications/Sample 2.app"}]);
    let with = |raw: Value| {
        let sample = Sample::default().with_cask("artifacts", renamed.clone());
        sample.with_source("label_tool", label(&raw))
    };
    for (raw, path) in [
        (json!({"name": "Sample2", "type": "dmg"}), "/Applications/Sample2.app"),
        (
            json!({"name": "x", "appName": "Sample2.app", "type": "zip"}),
            "/Applications/Sample2.app",
        ),
        (json!({"name": "Sample2", "type": "dmg", "targetDir": "/Tools"}), "/Tools/Sample2.app"),
    ] {
        let script = with(raw.clone()).text(ExportFormat::IntunePostinstall);
        assert!(script.contains(&format!("app='{path}'")), "{raw}: {script}");
    }
    for raw in [
        json!({"name": "Sample2", "type": "pkg"}),
        json!({"name": "Sample2", "type": "dmg", "targetDir": "$HOME/Tools"}),
        json!({"name": "Sample2", "type": "dmg", "appName": "$name.app"}),
    ] {
        let reasons = [Reason::RenamedApp("/Applications/Sample 2.app".to_owned())];
        assert_eq!(with(raw.clone()).reasons(ExportFormat::IntunePostinstall), reasons, "{raw}");
    }
}

/// SQLite with the tables and the function that osquery documents: there is no package of osquery
/// itself where the other tools of the tests come from. As in osquery, the longer of two parts is the
/// greater one, and a version is older than itself with a further part.
fn osquery() -> Connection {
    let database = Connection::open_in_memory().unwrap();
    let compare = |left: &str, right: &str| -> i64 {
        let parts = |text: &str| -> Vec<(usize, String)> {
            let parts = text.split(['.', '-', ':', '~', '^']);
            parts.map(|part| (part.len(), part.to_owned())).collect()
        };
        parts(left).cmp(&parts(right)) as i64
    };
    database
        .create_scalar_function(
            "version_compare",
            2,
            FunctionFlags::SQLITE_DETERMINISTIC,
            move |context| Ok(compare(&context.get::<String>(0)?, &context.get::<String>(1)?)),
        )
        .unwrap();
    database
        .execute_batch(
            "CREATE TABLE apps (name TEXT, path TEXT, bundle_identifier TEXT, bundle_short_version TEXT, bundle_version TEXT);
             CREATE TABLE package_receipts (package_id TEXT, version TEXT, location TEXT);",
        )
        .unwrap();
    database
}

fn rows(database: &Connection, query: &str) -> usize {
    let mut statement = database.prepare(query).unwrap();
    statement.query_map([], |_| Ok(())).unwrap().count()
}

fn install(database: &Connection, bundle_id: &str, version: &str) {
    database
        .execute("INSERT INTO apps VALUES ('x', '/x', ?1, ?2, ?2)", [bundle_id, version])
        .unwrap();
}

#[test]
fn a_query_finds_what_is_out_of_date() {
    for (installed, outdated) in [("2.0.9", 1), ("2.1", 0), ("2.1.1", 0), ("10.0", 0), ("1.9", 1)] {
        let database = osquery();
        install(&database, "com.example.sample", installed);
        install(&database, "com.example.other", "0.1");
        let sample = Sample::default();
        assert_eq!(rows(&database, &sample.text(ExportFormat::Osquery)), outdated, "{installed}");
        let pack: Value = serde_json::from_str(&sample.text(ExportFormat::OsqueryPack)).unwrap();
        let query = pack["queries"]["outdated_sample"]["query"].as_str().unwrap();
        assert_eq!(rows(&database, query), outdated, "{installed}");
        let policy = sample.text(ExportFormat::FleetPolicy);
        let query = policy.lines().find_map(|line| line.strip_prefix("  query: ")).unwrap();
        let query: String = serde_json::from_str(query).unwrap();
        assert_eq!(rows(&database, &query), 1 - outdated, "a policy passes by a row: {installed}");
    }
}

#[test]
fn a_query_does_not_count_a_missing_zero_as_older() {
    for (current, installed, outdated) in [
        ("2.1.0", "2.1", 0),
        ("2.1.0", "2.1.0", 0),
        ("2.1", "2.1.0", 0),
        ("2.1.0", "2.0.9", 1),
        ("2.10.0", "2.9", 1),
        ("10.0.0", "9.12", 1),
        ("10.0.0", "10.0.1", 0),
    ] {
        let database = osquery();
        install(&database, "com.example.sample", installed);
        let sample = Sample::default().with("current_version", current.into());
        let sample = sample.with_cask("version", current.into());
        let query = sample.text(ExportFormat::Osquery);
        assert_eq!(rows(&database, &query), outdated, "{installed} of {current}");
        assert!(query.contains(&format!("older than {current}\n")), "{query}");
    }
}

#[test]
fn a_file_says_whose_installs_it_finds_as_well() {
    let raw = json!({"name": "Sample", "type": "dmg"});
    let sample = Sample::default().with_source("label_tool", label(&raw));
    for format in [
        ExportFormat::Osquery,
        ExportFormat::FleetPolicy,
        ExportFormat::Munki,
        ExportFormat::Intune,
    ] {
        let made =
            sample.use_shared(Some("sample@beta"), |subject| export(subject, format)).unwrap();
        let is_shared = |text: &&String| text.starts_with("'sample@beta' has the same");
        let warning = made.warnings.iter().find(is_shared);
        assert!(warning.is_some(), "{}: {:?}", format.name(), made.warnings);
        assert!(made.text.contains("its installs count as well"), "{}", made.text);
    }
}

#[test]
fn the_same_apps_give_the_same_archive() {
    let make = || {
        let mut archive = Archive::new(ExportFormat::Munki, Vec::new());
        for sample in [Sample::default(), Sample::default().with("current_version", Value::Null)] {
            sample.use_subject(|subject| {
                archive.add(subject.app(), export(subject, ExportFormat::Munki)).unwrap();
            });
        }
        archive.finish().unwrap()
    };
    let bytes = make();
    assert_eq!(bytes, make());
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&bytes[..]));
    let names: Vec<String> = archive
        .entries()
        .unwrap()
        .map(|entry| entry.unwrap().path().unwrap().display().to_string())
        .collect();
    assert_eq!(names, ["munki/sample.plist", "munki/REPORT.csv"]);
}

#[test]
fn every_format_is_described() {
    let exports = Sample::default().use_subject(describe);
    assert_eq!(exports.exports.len(), ExportFormat::ALL.len());
    for state in exports.exports {
        assert_eq!(state.fits, state.reasons.is_empty(), "{}", state.format);
        assert_eq!(state.fits, state.file_name.is_some(), "{}", state.format);
        assert_eq!(ExportFormat::of(&state.format).map(ExportFormat::name), Some(&*state.format));
    }
}

/// Names and identifiers with everything that some format treats specially.
fn hostile() -> impl Strategy<Value = String> {
    proptest::string::string_regex(
        "[a-zA-Z'\"\\\\;#%&<>:{}\\[\\],|*!?@=~ \u{e9}\u{2028}\u{1f600}-]{1,24}",
    )
    .unwrap()
}

fn hostile_sample(name: &str, id: &str) -> Sample {
    let raw = json!({"name": "Sample", "type": "dmg"});
    Sample::default()
        .with("name", name.into())
        .with("vendor", name.into())
        .with("bundle_id", id.into())
        .with_source("label_tool", label(&raw))
}

proptest! {
    #[test]
    fn a_value_stays_a_value(name in hostile(), id in hostile()) {
        let sample = hostile_sample(&name, &id);
        let database = osquery();
        install(&database, &id, "2.0");
        install(&database, "other", "2.0");
        prop_assert_eq!(rows(&database, &sample.text(ExportFormat::Osquery)), 1);
        let info = pkginfo(&sample);
        prop_assert_eq!(text(&info, "display_name"), &name);
        prop_assert_eq!(text(first(&info, "installs"), "CFBundleIdentifier"), &id);
        let body: Value = serde_json::from_str(&sample.text(ExportFormat::Intune)).unwrap();
        prop_assert_eq!(body["displayName"].as_str(), Some(&*name));
        let policy = sample.text(ExportFormat::FleetPolicy);
        prop_assert_eq!(policy.lines().filter(|line| !line.starts_with('#')).count(), 6);
    }
}

/// The programs that `cargo xtask test` installs read what is made for shells and for YAML.
#[test]
fn other_programs_read_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "Sample",
        "Children\u{2019}s \u{201c}Sample\u{201d}",
        "It's \"quoted\" `x` \\ #1: {a} & b",
        "- x: [y], *z !w\u{2028}é",
    ];
    for (number, name) in names.into_iter().enumerate() {
        let sample = hostile_sample(name, "com.example.sample");
        for format in [ExportFormat::IntunePreinstall, ExportFormat::IntunePostinstall] {
            let text = sample.text(format);
            assert!(text.len() < 15_360, "the limit of Intune");
            let file = folder.path().join(format!("{number}{}", format.file_name("x")));
            fs::write(&file, text).unwrap();
            let zsh = Command::new(appstitch_setup::installed(appstitch_setup::ZSH));
            for (mut program, arguments) in
                [(zsh, &["-n"][..]), (Command::new("shellcheck"), &["--severity=warning"])]
            {
                let output = program.args(arguments).arg(&file).output();
                let output =
                    output.unwrap_or_else(|_| appstitch_setup::missing("shellcheck is missing"));
                let said = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(output.status.success(), "{name}: {said}");
            }
            let ran = Command::new("sh").arg(&file).output().unwrap();
            assert_eq!(ran.status.code(), Some(1), "neither Installomator nor the app is here");
            assert!(String::from_utf8_lossy(&ran.stderr).contains(name), "{name}");
        }
        for format in [ExportFormat::Munki, ExportFormat::FleetPolicy] {
            fs::write(folder.path().join(format.file_name("x")), sample.text(format)).unwrap();
        }
        let output = Command::new(appstitch_setup::installed(appstitch_setup::PYTHON))
            .args(["-c", READ, name])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What `makecatalogs` asks of a file, by the rules of Munki, whose own code is in no registry; and
/// what a reader of YAML sees.
const READ: &str = r#"
import plistlib, sys, yaml
name = sys.argv[1]
info = plistlib.load(open("x.plist", "rb"))
assert info["display_name"] == name, info
assert info["name"] and info["version"] and info["catalogs"] == ["testing"], info
assert info["installer_item_location"].endswith(".dmg"), info
def padded(text):
    parts = [int(part) for part in text.split(".")]
    return parts + [0] * (5 - len(parts))
item = info["installs"][0]
expected = item[item["version_comparison_key"]]
assert padded("2.0.9") < padded(expected) == padded("2.1.0") < padded("2.10"), item
[policy] = yaml.safe_load(open("x.policy.yml", encoding="utf-8"))
assert policy["name"] == name + " is up to date (sample)", policy
assert policy["platform"] == "darwin" and policy["critical"] is False, policy
"#;
