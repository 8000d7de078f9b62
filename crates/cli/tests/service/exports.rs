//! Exports of apps: over HTTP, by the command, by the clients and by the tool.

use std::{fs, io::Read, process::Stdio};

use flate2::read::GzDecoder;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Program, TestServer};

async fn server() -> TestServer {
    let server = TestServer::empty();
    let cask = |token: &str, fields: Value| {
        let mut cask = json!({
            "token": token, "old_tokens": [format!("old-{token}")], "name": [token.to_uppercase()],
            "version": "2.0", "sha256": "ab".repeat(32),
            "url": format!("https://example.com/{token}-2.0.dmg"),
            "artifacts": [{"app": [format!("{token}.app")]},
                {"uninstall": [{"quit": format!("com.example.{token}")}]}],
        });
        for (key, value) in fields.as_object().unwrap() {
            cask[key] = value.clone();
        }
        cask
    };
    let casks = json!([
        cask("sample", json!({})),
        cask("unchecked", json!({"sha256": "no_check"})),
        cask("other", json!({"url": "https://example.com/other-2.0.zip"})),
    ]);
    let response = server.put("/admin/sources/cask_catalog", casks.to_string()).await;
    assert_eq!(response.status, 200, "{response:?}");
    server
}

#[tokio::test]
async fn an_export_is_a_file_with_a_name_and_the_token() {
    let server = server().await;
    let first = server.get("/apps/sample/export/munki").await;
    assert_eq!(first.status, 200);
    assert_eq!(first.header("content-type"), "application/x-plist");
    assert_eq!(first.header("content-disposition"), "attachment; filename=\"sample.plist\"");
    assert_eq!(first.header("x-content-type-options"), "nosniff");
    assert_eq!(first.header("etag"), server.get("/apps/sample").await.header("etag"));
    assert!(first.text().contains("<string>https://example.com/sample-2.0.dmg</string>"));
    assert_eq!(server.get("/apps/sample/export/munki").await.text(), first.text());
    assert_eq!(server.get("/a/sample/pkginfo.plist").await.text(), first.text());
    let query = server.get("/apps/sample/export/osquery").await.text().to_owned();
    assert!(query.contains("version_compare(bundle_short_version, '2.0') < 0"), "{query}");
    for path in [
        "/apps/sample/export/other",
        "/apps/nobody/export/munki",
        "/export/munki",
        "/export/x.tar.gz",
    ] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
    let alias = server.get("/apps/old-sample/export/munki").await;
    assert_eq!(alias.header("link"), "</apps/sample/export/munki>; rel=\"canonical\"");
}

#[tokio::test]
async fn a_missing_fact_is_a_conflict_with_the_reasons() {
    let server = server().await;
    let refused = server.get("/apps/unchecked/export/munki").await;
    assert_eq!(refused.status, 409);
    assert_eq!(refused.header("x-error-code"), "export_refused");
    let body = refused.json();
    assert_eq!(body["format"], "munki");
    assert_eq!(body["reasons"][0]["code"], "no_sha256");
    let exports = server.get("/apps/unchecked/exports").await.json();
    let of = |format: &str| {
        let all = exports["exports"].as_array().unwrap();
        all.iter().find(|state| state["format"] == format).unwrap().clone()
    };
    assert_eq!((&of("munki")["fits"], &of("munki")["reasons"]), (&json!(false), &body["reasons"]));
    assert_eq!(of("osquery")["file_name"], "unchecked.sql");
    let page = server.get("/a/unchecked").await.text().to_owned();
    assert!(page.contains("no source has the checksum of the download"), "the page says the same");
    assert_eq!(server.get("/a/unchecked/pkginfo.plist").await.status, 404);
}

fn names(archive: &[u8]) -> Vec<String> {
    let mut archive = tar::Archive::new(GzDecoder::new(archive));
    let entries = archive.entries().unwrap();
    entries.map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect()
}

#[tokio::test]
async fn many_apps_are_an_archive_with_a_report() {
    let server = server().await;
    let all = server.get("/export/munki.tar.gz").await;
    assert_eq!((all.status, all.header("content-type")), (StatusCode::OK, "application/gzip"));
    assert_eq!(names(&all.body), ["munki/sample.plist", "munki/REPORT.csv"]);
    assert_eq!(server.get("/export/munki.tar.gz").await.body, all.body);
    let mut report = String::new();
    let mut archive = tar::Archive::new(GzDecoder::new(&all.body[..]));
    archive.entries().unwrap().nth(1).unwrap().unwrap().read_to_string(&mut report).unwrap();
    assert_eq!(report.lines().count(), 4, "{report}");
    assert!(report.contains("no source has the checksum"), "{report}");
    let some = server.get("/export/osquery.tar.gz?slugs=other,sample,nobody").await;
    let expected = ["osquery/other.sql", "osquery/sample.sql", "osquery/REPORT.csv"];
    assert_eq!(names(&some.body), expected);
    let none = server.get("/export/osquery.tar.gz?vendor=Nobody").await;
    assert_eq!(names(&none.body), ["osquery/REPORT.csv"]);
}

#[tokio::test]
async fn the_command_writes_files() {
    let server = server().await;
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], input: &str| {
        let mut command = Program::command();
        command.env("APPSTITCH_SERVER", &server.base);
        command.arg("export-for").args(arguments).current_dir(folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let expected = server.get("/apps/sample/export/munki").await.text().to_owned();
    assert_eq!(run(&["munki", "sample"], "").1, expected);
    assert_eq!(run(&["munki", "old-sample"], "").1, expected);
    let (code, _, said) = run(&["munki", "unchecked"], "");
    assert_eq!(code, Some(1));
    assert!(said.contains("no source has the checksum"), "{said}");
    let (code, _, said) = run(&["munki", "--output", "files", "-"], "sample\n# no\n\nunchecked\n");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("1 of 2 apps exported"), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("files/sample.plist")).unwrap(), expected);
    assert_eq!(run(&["munki", "--all", "--output", "all"], "").0, Some(0));
    assert_eq!(fs::read_to_string(folder.path().join("all/sample.plist")).unwrap(), expected);
    assert!(folder.path().join("all/REPORT.csv").exists());
    assert_eq!(run(&["munki", "--all", "--output", "all.tar.gz"], "").0, Some(0));
    let archive = fs::read(folder.path().join("all.tar.gz")).unwrap();
    assert_eq!(archive, server.get("/export/munki.tar.gz").await.body);
    for wrong in
        [&["munki"][..], &["other", "sample"], &["munki", "sample", "other"], &["munki", "--all"]]
    {
        assert_eq!(run(wrong, "").0, Some(2), "{wrong:?}");
    }
}

#[tokio::test]
async fn a_new_catalog_without_new_values_is_no_change() {
    let server = server().await;
    let before = server.get("/changes").await.json();
    for format in ["munki", "osquery", "fleet"] {
        server.get(&format!("/apps/sample/export/{format}")).await;
        server.get(&format!("/export/{format}.tar.gz")).await;
    }
    assert_eq!(server.get("/changes").await.json(), before);
}
