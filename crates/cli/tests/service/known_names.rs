//! The commands about names of apps: `details`, `alias`, and every command by another name.

use serde_json::json;

use crate::{
    details,
    support::{TestServer, label_and_cask},
};

#[tokio::test]
async fn details_are_fields_and_a_table_of_variants() {
    let server = details::server().await;
    let (code, stdout, stderr) = server.run(&["details", "sample"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(
        stdout,
        " FIELD                VALUE
 slug                 sample
 description          Shows samples
 home page            https://example.com/
 needs                macOS 13 or later, Apple silicon or Intel
 updates itself       yes
 app files            Sample.app
 receipts             -
 quit before install  -
 other names          old-sample (former cask token)
                      com.example.Sample (bundle identifier)

 VARIANT      NAME         VERSION  INSTALL  DIFFERENCE
 sample       Sample       2.0      dmg      main record
 sample@beta  Sample Beta  3.0      dmg      beta channel
"
    );
}

#[tokio::test]
async fn a_deprecation_comes_first_in_words() {
    let server = details::server().await;
    let (code, stdout, _) = server.run(&["details", "aging"]);
    let first: Vec<&str> = stdout.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(
        (code, first.join(" ").as_str()),
        (0, "deprecated since 2026-01-02: it is no longer maintained; use sample instead")
    );
    assert!(!stdout.contains("VARIANT"), "no table without variants: {stdout}");
    let (_, colored, _) = server.run(&["details", "aging", "--color", "always"]);
    assert!(colored.lines().nth(1).unwrap().contains('\u{1b}'), "{colored}");
    let (code, stdout, _) = server.run(&["apps", "--deprecated"]);
    assert_eq!((code, stdout.lines().count()), (0, 2), "{stdout}");
    let (code, stdout, _) = server.run(&["apps", "--not-deprecated", "--all"]);
    assert!(code == 0 && !stdout.contains("aging") && stdout.contains("sample@beta"), "{stdout}");
}

#[tokio::test]
async fn a_name_lists_its_apps_and_an_unknown_one_is_a_no() {
    let server = TestServer::with_sample();
    let (code, stdout, stderr) = server.run(&["alias", "DOCKER"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(
        stdout,
        " SLUG            KIND OF NAME
 docker          slug
 docker-desktop  former cask token
"
    );
    for json in [&[][..], &["--json"]] {
        let (code, stdout, stderr) = server.run(&[&["alias", "obsidain"], json].concat());
        assert_eq!((code, stdout.as_str()), (1, ""), "{json:?}");
        let said = "error: No app is known as 'obsidain'\nhint: did you mean obsidian?\n";
        assert_eq!(stderr, said, "{json:?}");
    }
    for name in ["", "..", "a/../b", "ä?x#y", "%2F"] {
        assert_eq!(server.run(&["alias", name]).0, 1, "{name}");
    }
}

#[tokio::test]
async fn another_name_is_followed_and_said_so() {
    let server = TestServer::with_sample();
    for arguments in [
        &["app", "google-chrome"][..],
        &["app", "google-chrome", "--json"],
        &["details", "google-chrome"],
        &["details", "google-chrome", "--json"],
        &["sources", "google-chrome"],
        &["sources", "google-chrome", "--json"],
        &["label", "google-chrome", "--json"],
        &["label", "google-chrome", "--shell"],
    ] {
        let (code, stdout, stderr) = server.run(arguments);
        assert_eq!(code, 0, "{arguments:?}: {stderr}");
        let said = "google-chrome is another name of googlechromepkg\n";
        assert_eq!(stderr, said, "{arguments:?}");
        let by_slug: Vec<&str> = arguments
            .iter()
            .map(|text| if *text == "google-chrome" { "googlechromepkg" } else { *text })
            .collect();
        let (code, expected, stderr) = server.run(&by_slug);
        assert_eq!((code, stdout, stderr.as_str()), (0, expected, ""), "{arguments:?}");
    }
    let (code, _, stderr) = server.run(&["drift", "google-chrome"]);
    assert_eq!(code, 0);
    assert_eq!(
        stderr,
        "google-chrome is another name of googlechromepkg\n\
         No drift: Installomator and Homebrew Cask of 'googlechromepkg' agree, or fewer than two state a version\n"
    );
    let (code, _, stderr) = server.run(&["app", "UBF8T346G9"]);
    assert_eq!(code, 1, "a name of two apps");
    assert_eq!(
        stderr,
        "error: App with slug 'UBF8T346G9' not found\n\
         hint: several apps have this name; `appstitch alias UBF8T346G9` lists them\n"
    );
}

#[tokio::test]
async fn drift_has_a_column_for_each_compared_source() {
    let mut record = label_and_cask("sample", None, "2.0", "2.0");
    record["sources"]["mdm_installer"] =
        json!({"title": "Sample", "source": "Jamf", "version": "1.9"});
    let server = TestServer::with_records(&[record]).await;
    let (code, stdout, stderr) = server.run(&["drift", "sample"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    let table = " SLUG    NAME    LABEL_TOOL  CASK_CATALOG  MDM_INSTALLER  STORE_LISTING  BEHIND
 sample  SAMPLE  2.0         2.0           1.9            -              mdm_installer
";
    for arguments in [
        &["drift", "sample", "--include", "mdm_installer,store_listing"][..],
        &["drift", "--include", "store_listing", "--include", "mdm_installer", "--all"],
        &["drift", "--include=mdm_installer", "--include=store_listing", "--source=mdm_installer"],
    ] {
        assert_eq!(server.run(arguments).1, table, "{arguments:?}");
    }
    let included = ["drift", "--include", "mdm_installer", "--fail-on-drift"];
    assert_eq!(server.run(&included).0, 1);
    assert_eq!(server.run(&["drift", "--fail-on-drift"]).0, 0);
    let (code, _, stderr) = server.run(&["drift", "--source", "mdm_installer"]);
    assert_eq!(code, 1);
    assert!(stderr.ends_with("hint: add --include mdm_installer\n"), "{stderr}");
}
