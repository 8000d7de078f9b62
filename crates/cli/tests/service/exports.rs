//! Exports of apps: over HTTP, by the command, by the clients and by the tool.

use std::{
    cell::Cell,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use appstitch_setup::{PYTHON, ZSH, installed};
use flate2::read::GzDecoder;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    real_data::{data, upload_all},
    support::{Program, TestServer, succeed},
};

fn cask(token: &str, fields: Value) -> Value {
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
}

async fn server() -> TestServer {
    let server = TestServer::empty();
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
async fn an_export_is_a_file_with_a_name() {
    let server = server().await;
    let first = server.get("/apps/sample/export/munki").await;
    assert_eq!(first.status, 200);
    assert_eq!(first.header("content-type"), "application/x-plist");
    assert_eq!(first.header("content-disposition"), "attachment; filename=\"sample.plist\"");
    assert_eq!(first.header("x-content-type-options"), "nosniff");
    assert!(first.text().contains("<string>https://example.com/sample-2.0.dmg</string>"));
    assert_eq!(server.get("/apps/sample/export/munki").await.text(), first.text());
    assert_eq!(server.get("/a/sample/pkginfo.plist").await.text(), first.text());
    let query = server.get("/apps/sample/export/osquery").await.text().to_owned();
    assert!(query.contains("version_compare(bundle_short_version, '2') < 0"), "{query}");
    for (path, parameter, known) in [
        ("/apps/sample/export/other", "format", "'munki', "),
        ("/export/munki", "file", "'munki.tar.gz', "),
        ("/export/x.tar.gz", "file", "'munki.tar.gz', "),
    ] {
        let response = server.get(path).await;
        assert_eq!(response.status, 422, "{path}");
        let fault = response.json()["detail"][0].clone();
        assert_eq!((&fault["loc"][0], &fault["loc"][1]), (&json!("path"), &json!(parameter)));
        assert!(fault["msg"].as_str().unwrap().contains(known), "{fault}");
    }
    for slug in ["munki", "other"] {
        assert_eq!(server.get(&format!("/apps/nobody/export/{slug}")).await.status, 404);
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

#[tokio::test]
async fn the_entity_tag_of_an_export_changes_if_and_only_if_its_bytes_do() {
    let server = server().await;
    let paths = [
        "/apps/sample/export/osquery",
        "/apps/sample/export/munki",
        "/apps/other/export/osquery",
        "/apps/sample/exports",
        "/apps/other/exports",
        "/export/osquery.tar.gz?slugs=sample",
        "/export/osquery.tar.gz?source=cask_catalog",
    ];
    let mut before = Vec::new();
    for path in paths {
        let first = server.get(path).await;
        let tag = first.header("etag").to_owned();
        let again = server.get_with(path, "if-none-match", &tag).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
        assert_eq!(again.header("etag"), tag, "{path}");
        before.push((tag, first.body));
    }
    // Another revision, with a new version of one app.
    let casks =
        json!([cask("sample", json!({})), cask("other", json!({"version": "3.0", "url": null}))]);
    let response =
        server.put("/admin/sources/cask_catalog?allow_shrink=true", casks.to_string()).await;
    assert_eq!(response.status, 200, "{response:?}");
    let again = TestServer::on_store(&server.store());
    let mut moved = Vec::new();
    for (path, (tag, body)) in paths.into_iter().zip(&before) {
        let after = server.get(path).await;
        let elsewhere = again.get(path).await;
        assert_eq!(
            (&elsewhere.body, elsewhere.header("etag")),
            (&after.body, after.header("etag"))
        );
        assert_eq!(after.body == *body, after.header("etag") == tag, "{path}");
        moved.push(after.header("etag") != tag);
    }
    assert_eq!(moved, [false, false, true, false, true, false, true]);
}

fn names(archive: &[u8]) -> Vec<String> {
    let mut archive = tar::Archive::new(GzDecoder::new(archive));
    let entries = archive.entries().unwrap();
    entries.map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect()
}

fn report(archive: &[u8]) -> String {
    let mut archive = tar::Archive::new(GzDecoder::new(archive));
    // An entry can only be read before the next one.
    let texts = archive.entries().unwrap().map(|entry| std::io::read_to_string(entry.unwrap()));
    texts.last().unwrap().unwrap()
}

#[tokio::test]
async fn many_apps_are_an_archive_with_a_report() {
    let server = server().await;
    let all = server.get("/export/munki.tar.gz").await;
    assert_eq!((all.status, all.header("content-type")), (StatusCode::OK, "application/gzip"));
    assert_eq!(names(&all.body), ["munki/sample.plist", "munki/REPORT.csv"]);
    assert_eq!(server.get("/export/munki.tar.gz").await.body, all.body);
    let again = TestServer::on_store(&server.store());
    assert_eq!(again.get("/export/munki.tar.gz").await.body, all.body, "also on another server");
    let report_of_all = report(&all.body);
    assert_eq!(report_of_all.lines().count(), 4, "{report_of_all}");
    assert!(report_of_all.contains("no source has the checksum"), "{report_of_all}");
    let some = server.get("/export/osquery.tar.gz?slugs=other,sample,nobody").await;
    let expected = ["osquery/other.sql", "osquery/sample.sql", "osquery/REPORT.csv"];
    assert_eq!(names(&some.body), expected);
    assert!(report(&some.body).contains("\nnobody,,,,no app has this slug,,unknown_slug\n"));
    assert_eq!(server.get("/export/osquery.tar.gz?source=nothing").await.status, 422);
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
    let (code, _, said) = run(&["munki", "--all", "--output", "all"], "");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 of 3 apps exported"), "{said}");
    assert!(said.contains("install_method_not_supported 1, no_sha256 1"), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("all/sample.plist")).unwrap(), expected);
    let files = fs::read_dir(folder.path().join("all")).unwrap().count();
    assert_eq!(files, 1, "tools read every file of a folder, so the report is not there");
    let (code, _, said) = run(&["munki", "--all", "--output", "all.tar.gz"], "");
    assert!(code == Some(0) && said.contains("1 of 3 apps exported"), "{said}");
    let archive = fs::read(folder.path().join("all.tar.gz")).unwrap();
    assert_eq!(archive, server.get("/export/munki.tar.gz").await.body);
    let some = ["munki", "--output", "some.tar.gz", "old-sample", "other", "nobody"];
    let (code, _, said) = run(&some, "");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("'nobody' not found") && said.contains("1 of 3 apps exported"), "{said}");
    assert!(said.contains("App 'other' cannot be exported as Munki pkginfo: "), "{said}");
    let archive = fs::read(folder.path().join("some.tar.gz")).unwrap();
    let expected = server.get("/export/munki.tar.gz?slugs=sample,other").await.body;
    assert_eq!(archive, expected, "other names count");
    assert_eq!(run(&["munki", "--output", "none.tar.gz", "nobody"], "").0, Some(1));
    assert!(!folder.path().join("none.tar.gz").exists());
    for empty in ["empty.tar.gz", "empty"] {
        assert_eq!(run(&["munki", "--output", empty, "-"], "\n").0, Some(2), "{empty}");
    }
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

/// The formats that somebody else's program reads, and that contain no other.
const FORMATS: [&str; 8] = [
    "munki", "autopkg", "autopkg-download", "intune", "intune-preinstall", "intune-postinstall",
    "fleet", "osquery",
];

/// Reads the archives of all formats as the tools do: how many files each has.
fn check(archives: &[Vec<u8>]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    for (format, archive) in FORMATS.iter().zip(archives) {
        fs::write(folder.path().join(format!("{format}.tar.gz")), archive).unwrap();
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/exports.py");
    let mut command = Command::new(installed(PYTHON));
    command.arg(program).arg(folder.path()).arg(installed(ZSH));
    serde_json::from_str(&succeed(&mut command)).unwrap()
}

#[tokio::test]
async fn the_tools_read_every_file_of_the_sample() {
    let server = TestServer::with_sample();
    let mut archives = Vec::new();
    for format in FORMATS {
        archives.push(server.get(&format!("/export/{format}.tar.gz")).await.body);
    }
    let counts = check(&archives);
    assert!(FORMATS.iter().all(|format| counts[format].as_u64() > Some(0)), "{counts}");
}

/// The archives of the whole real catalog.
#[tokio::test]
async fn searches_do_not_wait_for_archives_and_the_tools_read_every_file() {
    let Some(data) = data() else { return };
    let server = TestServer::empty();
    upload_all(&server, &data).await;
    let is_made = Cell::new(false);
    let searches = async {
        let mut count = 0;
        while !is_made.get() {
            assert_eq!(server.get(&format!("/search?q=app{count}")).await.status, 200);
            count += 1;
        }
        count
    };
    let archives = async {
        let mut made = Vec::new();
        for format in FORMATS {
            let path = format!("/export/{format}.tar.gz");
            // On a busy machine, making one takes longer than a request may.
            let answer = loop {
                let answer = server.get(&path).await;
                if answer.status != StatusCode::SERVICE_UNAVAILABLE {
                    break answer;
                }
            };
            assert_eq!(answer.status, 200, "{path}");
            made.push(answer.body);
        }
        is_made.set(true);
        made
    };
    let (archives, count) = tokio::join!(archives, searches);
    println!("{count} searches");
    assert!(count > FORMATS.len(), "each search waited for an archive: {count}");
    println!("{}", check(&archives));
}
