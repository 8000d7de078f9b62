//! `POST /apps/{slug}/generate-label`.

use serde_json::json;

use crate::support::{TestServer, record};

#[tokio::test]
async fn a_label_holds_what_the_sources_tell_and_warns_of_the_rest() {
    let server = TestServer::with_sample();
    let answer = server.post("/apps/obsidian/generate-label").await;
    assert_eq!(answer.status, 200);
    let label = answer.json();
    assert_eq!(label["label_name"], "obsidian");
    assert_eq!(label["content"]["name"], "Obsidian");
    assert_eq!(label["content"]["type"], "dmg");
    assert_eq!(label["sources_used"], json!(["cask_catalog"]));
    assert!(label["warnings"][0].as_str().unwrap().starts_with("expectedTeamID"));
    let keys: Vec<_> = label.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["label_name", "content", "sources_used", "warnings"]);
}

#[tokio::test]
async fn a_body_is_not_needed_and_not_minded() {
    let server = TestServer::with_sample();
    let request = server.request(reqwest::Method::POST, "/apps/zoom/generate-label").body("{}");
    assert_eq!(server.send(request).await.status, 200);
}

#[tokio::test]
async fn an_unknown_slug_is_404_and_no_source_detail_422() {
    let server = TestServer::with_records(&[record("leftover")]).await;
    let unknown = server.post("/apps/nobody/generate-label").await;
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.detail(), "App with slug 'nobody' not found");
    let leftover = server.post("/apps/leftover/generate-label").await;
    assert_eq!(leftover.status, 422);
    assert_eq!(leftover.detail(), "App 'leftover' has no source detail, cannot generate a label");
}
