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
    assert_eq!(
        text(info["_metadata"].as_dictionary().unwrap(), "catalog_revision"),
        "3f9a2c71-12-0b5e11"
    );
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
    let mut other = key.clone();
    other["versionKey"] = "BuildVersion".into();
    assert_eq!(with(other).reasons(ExportFormat::Munki), [Reason::OtherVersionKey]);
    let mut function = key.clone();
    function["appCustomVersion()"] = "echo 1".into();
    assert_eq!(with(function).reasons(ExportFormat::Osquery), [Reason::FoundByFunction]);
    // A label that is behind says nothing about the version of the cask.
    let mut behind = key;
    behind["appNewVersion"] = "2.0".into();
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
        ("bundle_id", ExportFormat::Munki, Reason::NoBundleId),
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
}

#[test]
fn a_file_for_apple_silicon_is_not_for_intel() {
    let other = json!({"tahoe": {"url": "https://example.com/Sample-2.1-intel.dmg", "sha256": "cd".repeat(32)}});
    let info = pkginfo(&Sample::default().with_cask("variations", other));
    let architectures = info["supported_architectures"].as_array().unwrap();
    assert_eq!(architectures, &vec![Plist::from("arm64")]);
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
            "path": "p", "parent_identifier": null, "inferred_type": kind})
    };
    let recipes = json!({"recipes": [
        recipe("com.a.download.Sample", "download", "a/recipes"),
        recipe("com.b.munki.Sample", "munki", "b/recipes"),
        recipe("com.c.other.Sample", "check", "c/recipes"),
    ]});
    let text = Sample::default().with_source("recipe_index", recipes).text(ExportFormat::AutoPkg);
    let run: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert_eq!(run, ["com.b.munki.Sample"]);
    assert!(text.contains("autopkg repo-add b/recipes\n"));
    assert!(text.contains("autopkg make-override --pull com.b.munki.Sample\n"));
    assert!(text.contains("# com.a.download.Sample (a/recipes)") && !text.contains("com.c"));
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
    let script = sample.text(ExportFormat::IntunePreinstall);
    assert!(script.starts_with("#!/bin/sh\n") && script.contains("label='sample'"));
    assert!(
        sample.text(ExportFormat::IntunePostinstall).contains("app='/Applications/Sample.app'")
    );
}

/// SQLite with the tables and the function that osquery documents: there is no package of osquery
/// itself where the other tools of the tests come from.
fn osquery() -> Connection {
    let database = Connection::open_in_memory().unwrap();
    let compare = |left: &str, right: &str| -> i64 {
        let parts = |text: &str| -> Vec<u64> {
            let numbers = text.split(|other: char| !other.is_ascii_digit());
            numbers.filter_map(|part| part.parse().ok()).collect()
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
fn the_same_apps_give_the_same_archive() {
    let make = || {
        let mut archive = Archive::new(ExportFormat::Munki, Vec::new());
        for sample in [Sample::default(), Sample::default().with("bundle_id", Value::Null)] {
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
    let names = ["Sample", "It's \"quoted\" `x` \\ #1: {a} & b", "- x: [y], *z !w\u{2028}é"];
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
assert policy["name"] == name + " is up to date", policy
assert policy["platform"] == "darwin" and policy["critical"] is False, policy
"#;
