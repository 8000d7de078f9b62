//! The titles of the patch catalog: as an upload and a command, in the index of codes, aliases, the
//! provenance and the page of an app, in a backup and in a store that is opened again.

use serde_json::{Value, json};

use crate::{
    sources::{cask, server},
    support::{TOKEN, TestServer, run, run_ok},
};

const ROUTE: &str = "/admin/sources/patch_titles";

fn row(code: &str, name: &str, version: &str) -> Value {
    json!({"name_id": code, "app_name": name, "publisher": "", "current_version": version,
        "last_modified": "2026-01-01T00:00:00Z"})
}

fn rows() -> Value {
    json!([
        row("0A1", "Sample", "2.0"),
        row("0A2", "Sample 2", "2.0"),
        row("0A3", "Sample 1", "1.0"),
        row("0A4", "Unknown", "1.0"),
    ])
}

async fn codes(server: &TestServer) -> Value {
    server.get("/apps/jamf-index").await.json()
}

#[tokio::test]
async fn codes_lead_to_apps_and_never_add_one() {
    let server = server().await;
    let apps = server.get("/stats").await.json()["total_apps"].clone();
    assert_eq!(codes(&server).await, json!({}));
    let summary = server.put(ROUTE, rows().to_string()).await.json();
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&json!(4), &json!(0)), "{summary}");
    assert_eq!(codes(&server).await, json!({"0A1": ["sample"], "0A2": ["sample"]}));
    assert_eq!(server.get("/stats").await.json()["total_apps"], apps);
    assert_eq!(
        server.get("/aliases/0a1").await.json(),
        json!({"matches": [{"slug": "sample", "kind": "title_code"}]})
    );
    let aliases = server.get("/apps/sample/details").await.json()["aliases"].to_string();
    assert!(aliases.contains("0A2"), "{aliases}");
    let provenance = server.get("/apps/sample/provenance").await.json();
    assert_eq!(
        provenance["title_codes"][0],
        json!({"code": "0A1", "title": "Sample", "evidence":
            ["the name, a short one, is the same", "the app's ID is the name",
                "the version is the same"]})
    );
    assert_eq!(server.get("/apps/other/provenance").await.json().get("title_codes"), None);
    let page = server.get("/a/sample").await;
    assert!(page.text().contains("0A1"), "{}", page.text());
    let sources = server.get("/sources").await.json();
    let row = &sources["sources"][5];
    assert_eq!(
        (&row["source"], &row["documents"], &row["apps"]),
        (&json!("patch_titles"), &json!(4), &json!(1)),
        "{row}"
    );
}

#[tokio::test]
async fn the_token_moves_only_when_a_code_does() {
    let server = server().await;
    server.put(ROUTE, rows().to_string()).await;
    let etag = server.etag().await;
    let mut later = rows();
    later[0]["last_modified"] = json!("2026-02-02T00:00:00Z");
    later[3]["current_version"] = json!("9.9");
    let summary = server.put(ROUTE, later.to_string()).await.json();
    assert_eq!((&summary["changed"], server.etag().await), (&json!(false), etag.clone()));
    later[3]["app_name"] = json!("Other");
    later[3]["current_version"] = json!("1.0");
    let summary = server.put(ROUTE, later.to_string()).await.json();
    assert_eq!(summary["changed"], true);
    assert_ne!(server.etag().await, etag);
    assert_eq!(codes(&server).await["0A4"], json!(["other"]));
}

#[tokio::test]
async fn a_manual_record_of_the_app_keeps_its_codes() {
    let server = server().await;
    server.put(ROUTE, rows().to_string()).await;
    let record =
        json!({"app": {"slug": "sample", "name": "By hand", "sources": []}, "sources": null});
    assert_eq!(server.put("/admin/records/sample", record.to_string()).await.status, 200);
    assert_eq!(server.get("/apps/sample").await.json()["name"], "By hand");
    assert_eq!(codes(&server).await["0A1"], json!(["sample"]));
}

#[tokio::test]
async fn bad_rows_are_reported_and_bad_files_refused() {
    let server = server().await;
    let bad =
        json!([row("0A1", "Sample", "2.0"), {"app_name": "Sample"}, row("0A1", "Other", "1")]);
    let summary = server.put(ROUTE, bad.to_string()).await.json();
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&json!(1), &json!(2)), "{summary}");
    assert!(summary["problems"].to_string().contains("name_id"), "{summary}");
    let entities = "<!DOCTYPE x [<!ENTITY a \"b\">]><patch_available_titles/>";
    for body in ["<p>Sign in</p>", "{}", "text", entities] {
        let response = server.put(ROUTE, body).await;
        assert_eq!(response.status, 422, "{response:?}");
        assert!(response.detail().contains("patch_titles"), "{}", response.detail());
    }
    assert_eq!(codes(&server).await, json!({"0A1": ["sample"]}));
}

#[tokio::test]
async fn a_command_uploads_them_and_the_store_and_its_backup_keep_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let xml = "<?xml version=\"1.0\"?><patch_available_titles><size>1</size><available_titles>\
        <available_title><name_id>0A1</name_id><publisher>Maker (Combined Definition)</publisher>\
        <current_version>2.0</current_version><app_name>Sample</app_name></available_title>\
        </available_titles></patch_available_titles>";
    std::fs::write(path("titles.xml"), xml).unwrap();
    std::fs::write(path("token"), TOKEN).unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    server.put("/admin/sources/cask_catalog", json!([cask("sample", "2.0")]).to_string()).await;
    let upload = ["upload", "patch_titles", &path("titles.xml"), "--server", &server.base];
    run_ok(&[&upload[..], &["--deploy-token-file", &path("token")]].concat());
    let expected = json!({"0A1": ["sample"]});
    assert_eq!(codes(&server).await, expected);
    let etag = server.etag().await;
    drop(server);

    let again = TestServer::on_store(&store);
    assert_eq!((codes(&again).await, again.etag().await), (expected.clone(), etag.clone()));
    drop(again);
    let url = |name: &str| format!("sqlite:{}", path(name));
    run_ok(&["backup", &path("all.backup"), "--store", &url("catalog.db")]);
    run_ok(&["restore", &path("all.backup"), "--store", &url("other.db")]);
    let restored = TestServer::on_store(&folder.path().join("other.db"));
    assert_eq!((codes(&restored).await, restored.etag().await), (expected, etag));
    let (_, help, _) = run(&["upload", "--help"]);
    assert!(help.contains("patch_titles"), "{help}");
}
