//! `GET /apps` and its filters.

use serde_json::{Value, json};

use crate::support::{TestServer, app};

fn given(slug: &str, vendor: Option<&str>, sources: &[&str]) -> Value {
    let mut app = app(slug);
    app["vendor"] = json!(vendor);
    app["sources"] = json!(sources);
    json!({"app": app, "sources": null})
}

async fn server() -> TestServer {
    TestServer::with_records(&[
        given("delta", Some("Straße GmbH"), &["recipe_index"]),
        given("alpha", Some("Acme"), &["label_tool", "cask_catalog"]),
        given("charlie", Some("ACME"), &["cask_catalog", "mdm_installer"]),
        given("bravo", None, &["label_tool"]),
        given("echo", Some("100%_*"), &[]),
    ])
    .await
}

#[tokio::test]
async fn apps_are_listed_in_slug_order() {
    assert_eq!(
        server().await.get("/apps").await.slugs(),
        ["alpha", "bravo", "charlie", "delta", "echo"]
    );
}

#[tokio::test]
async fn filters_work_alone_and_together() {
    let server = server().await;
    for (query, expected) in [
        ("vendor=acme", vec!["alpha", "charlie"]),
        ("vendor=ac", vec![]),
        ("vendor=", vec![]),
        ("vendor=STRASSE+gmbh", vec!["delta"]),
        ("vendor=100%25_*", vec!["echo"]),
        ("vendor=%25", vec![]),
        ("source=cask_catalog", vec!["alpha", "charlie"]),
        ("source=CASK_CATALOG", vec![]),
        ("source=store_listing", vec![]),
        ("source=", vec![]),
        ("exclude_source=label_tool", vec!["charlie", "delta", "echo"]),
        ("exclude_source=", vec!["alpha", "bravo", "charlie", "delta", "echo"]),
        ("exclude_source=nonsense", vec!["alpha", "bravo", "charlie", "delta", "echo"]),
        ("source=cask_catalog&exclude_source=label_tool", vec!["charlie"]),
        ("source=cask_catalog&exclude_source=cask_catalog", vec![]),
        ("vendor=acme&source=label_tool", vec!["alpha"]),
        ("vendor=acme&exclude_source=label_tool&source=mdm_installer", vec!["charlie"]),
        ("vendor=nobody&vendor=acme", vec!["alpha", "charlie"]),
        ("unknown=1&limit=1", vec!["alpha"]),
        ("vendor=acme&limit=1&offset=1", vec!["charlie"]),
        ("limit=2&offset=3", vec!["delta", "echo"]),
        ("offset=99", vec![]),
        ("offset=99999999999999999999999999", vec![]),
    ] {
        let response = server.get(&format!("/apps?{query}")).await;
        assert_eq!(response.status, 200, "{query}");
        assert_eq!(response.slugs(), expected, "{query}");
    }
}

#[tokio::test]
async fn totals_and_links_help_with_paging() {
    let server = server().await;
    let response = server.get("/apps?limit=2&offset=2&source=cask_catalog&exclude_source=x").await;
    assert_eq!(response.header("x-total-count"), "2");
    let response = server.get("/apps?limit=2&offset=2").await;
    assert_eq!(response.header("x-total-count"), "5");
    assert_eq!(
        response.header("link"),
        "</apps?limit=2&offset=0>; rel=\"first\", </apps?limit=2&offset=0>; rel=\"prev\", \
         </apps?limit=2&offset=4>; rel=\"next\", </apps?limit=2&offset=4>; rel=\"last\""
    );
    let filtered = server.get("/apps?vendor=Stra%C3%9Fe+GmbH&limit=1").await;
    assert!(
        filtered
            .header("link")
            .starts_with("</apps?vendor=Stra%C3%9Fe+GmbH&limit=1&offset=0>; rel=\"first\"")
    );
}

#[tokio::test]
async fn the_default_page_has_a_hundred_rows_and_the_largest_a_thousand() {
    let records: Vec<Value> = (0..1100).map(|n| given(&format!("app-{n:04}"), None, &[])).collect();
    let server = TestServer::with_records(&records).await;
    assert_eq!(server.get("/apps").await.slugs().len(), 100);
    let largest = server.get("/apps?limit=1000&offset=50").await.slugs();
    assert_eq!(largest.len(), 1000);
    assert_eq!((largest[0].as_str(), largest[999].as_str()), ("app-0050", "app-1049"));
}
