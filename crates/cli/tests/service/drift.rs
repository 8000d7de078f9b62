//! `GET /apps/drift` and `GET /apps/{slug}/drift`.

use serde_json::{Value, json};

use crate::support::{TestServer, label_and_cask, record};

async fn server() -> TestServer {
    TestServer::with_records(&[
        label_and_cask("agrees", Some("Acme"), "4.32", "4.32.0"),
        label_and_cask("behind", Some("Acme"), "1.9", "1.10"),
        label_and_cask("ahead", Some("acme"), "2.1,77", "2.0,78"),
        label_and_cask("dated", None, "2026-03-05", "1.0"),
        label_and_cask("shell", Some("Acme"), "$(curl https://example.com)", "1.0"),
        label_and_cask("sentinel", Some("Acme"), "1.0", "latest"),
        record("bare"),
    ])
    .await
}

fn slugs(response: &Value) -> Vec<&str> {
    response["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["slug"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn disagreements_are_listed_in_slug_order_with_counts() {
    let server = server().await;
    let response = server.get("/apps/drift").await;
    let body = response.json();
    assert_eq!((&body["total_scanned"], &body["total_with_drift"]), (&json!(4), &json!(3)));
    assert_eq!(slugs(&body), ["ahead", "behind", "dated"]);
    assert_eq!(response.header("x-total-count"), "3");
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["total_scanned", "total_with_drift", "entries"]);
}

#[tokio::test]
async fn counts_follow_the_filters_they_should_follow() {
    let server = server().await;
    for (query, scanned, drifting, page) in [
        ("vendor=ACME", 3, 2, vec!["ahead", "behind"]),
        ("vendor=nobody", 0, 0, vec![]),
        ("source=label_tool", 4, 3, vec!["ahead", "behind", "dated"]),
        ("source=cask_catalog", 4, 3, vec!["ahead", "behind", "dated"]),
        ("source=recipe_index", 4, 0, vec![]),
        ("source=Label_Tool", 4, 0, vec![]),
        ("source=", 4, 0, vec![]),
        ("exclude_source=label_tool", 4, 3, vec!["ahead", "behind", "dated"]),
        ("limit=1&offset=1", 4, 3, vec!["behind"]),
        ("vendor=acme&limit=1&offset=1", 3, 2, vec!["behind"]),
        ("offset=50", 4, 3, vec![]),
    ] {
        let body = server.get(&format!("/apps/drift?{query}")).await.json();
        assert_eq!(body["total_scanned"], scanned, "{query}");
        assert_eq!(body["total_with_drift"], drifting, "{query}");
        assert_eq!(slugs(&body), page, "{query}");
    }
}

#[tokio::test]
async fn one_app_tells_its_leader_and_laggard() {
    let server = server().await;
    assert_eq!(
        server.get("/apps/behind/drift").await.text(),
        concat!(
            r#"{"slug":"behind","name":"BEHIND","vendor":"Acme","versions":["#,
            r#"{"source":"label_tool","version":"1.9","parsed_ok":true},"#,
            r#"{"source":"cask_catalog","version":"1.10","parsed_ok":true}],"#,
            r#""leader":"cask_catalog","laggard":"label_tool"}"#
        )
    );
    let ahead = server.get("/apps/ahead/drift").await.json();
    assert_eq!(
        (&ahead["leader"], &ahead["laggard"]),
        (&json!("label_tool"), &json!("cask_catalog"))
    );
}

#[tokio::test]
async fn an_unparsed_version_leaves_the_order_open_and_the_list_complete() {
    let dated = server().await.get("/apps/dated/drift").await.json();
    assert_eq!((&dated["leader"], &dated["laggard"]), (&Value::Null, &Value::Null));
    assert_eq!(
        dated["versions"],
        json!([
            {"source": "label_tool", "version": "2026-03-05", "parsed_ok": false},
            {"source": "cask_catalog", "version": "1.0", "parsed_ok": true},
        ])
    );
}

#[tokio::test]
async fn no_drift_is_null_and_an_unknown_slug_is_404() {
    let server = server().await;
    for slug in ["agrees", "shell", "sentinel", "bare"] {
        let response = server.get(&format!("/apps/{slug}/drift")).await;
        assert_eq!((response.status.as_u16(), response.text()), (200, "null"), "{slug}");
    }
    assert_eq!(server.get("/apps/nobody/drift").await.status, 404);
}

/// An app whose label, cask, title and listing state these versions.
fn four_sources(slug: &str, versions: [&str; 4]) -> Value {
    let mut record = label_and_cask(slug, Some("Acme"), versions[0], versions[1]);
    record["sources"]["mdm_installer"] =
        json!({"title": slug, "source": "Jamf", "version": versions[2]});
    record["sources"]["store_listing"] =
        json!({"bundle_id": "com.example.app", "raw": {"version": versions[3]}});
    record
}

#[tokio::test]
async fn titles_and_listings_are_compared_on_request() {
    let server = TestServer::with_records(&[
        four_sources("listing-behind", ["2.0", "2.0", "2.0", "1.0"]),
        four_sources("title-behind", ["2.0", "2.0", "1.9", "2.0"]),
        label_and_cask("two", None, "1.0", "1.1"),
    ])
    .await;
    for (query, scanned, page) in [
        ("", 3, vec!["two"]),
        ("include=mdm_installer", 3, vec!["title-behind", "two"]),
        ("include=store_listing", 3, vec!["listing-behind", "two"]),
        ("include=mdm_installer,store_listing", 3, vec!["listing-behind", "title-behind", "two"]),
        ("include=mdm_installer&source=mdm_installer", 3, vec!["title-behind"]),
        ("include=mdm_installer&vendor=acme", 2, vec!["title-behind"]),
        ("include=label_tool,", 3, vec!["two"]),
    ] {
        let body = server.get(&format!("/apps/drift?{query}")).await.json();
        assert_eq!(body["total_scanned"], scanned, "{query}");
        assert_eq!(slugs(&body), page, "{query}");
    }
    assert_eq!(server.get("/apps/title-behind/drift").await.text(), "null");
    let one = server.get("/apps/title-behind/drift?include=mdm_installer").await.json();
    assert_eq!(
        (&one["leader"], &one["laggard"], one["versions"].as_array().unwrap().len()),
        (&json!("label_tool"), &json!("mdm_installer"), 3)
    );
    let (code, _, stderr) = server.run(&["drift", "title-behind"]);
    let hint = "hint: Jamf App Installers is behind; to see the drift, add --include mdm_installer";
    assert!(code == 0 && stderr.contains(hint), "{stderr}");
    let (_, _, stderr) = server.run(&["drift", "title-behind", "--include", "store_listing"]);
    assert!(stderr.contains(hint), "{stderr}");
    let link = server.get("/apps/drift?include=mdm_installer&limit=1").await;
    assert!(link.header("link").contains("include=mdm_installer&limit=1&offset=1"), "{link:?}");
}

#[tokio::test]
async fn an_unknown_source_to_include_is_rejected() {
    let server = server().await;
    for path in ["/apps/drift?include=recipe_index", "/apps/behind/drift?include=recipe_index"] {
        let response = server.get(path).await;
        assert_eq!(response.status, 422, "{path}");
        let expected = "'label_tool', 'cask_catalog', 'mdm_installer' or 'store_listing'";
        assert_eq!(
            response.json()["detail"],
            json!([{"type": "literal_error", "loc": ["query", "include"],
                "msg": format!("Input should be {expected}"), "input": "recipe_index",
                "ctx": {"expected": expected}}])
        );
    }
    assert_eq!(server.get("/apps?include=recipe_index").await.status, 200, "not a parameter there");
}

#[tokio::test]
async fn every_list_for_people_names_the_store() {
    // All sources agree, so that no page says that one of them is behind.
    let record = four_sources("in-the-store", ["2.0", "2.0", "2.0", "2.0"]);
    let server = TestServer::with_records(&[record]).await;
    for path in ["/apps", "/apps?source=store_listing", "/vendors/Acme", "/?q=in-the-store"] {
        let page = server.get_with(path, "accept", "text/html").await;
        let (_, row) = page.html().rsplit_once("/a/in-the-store").unwrap();
        let row: String = row.chars().take(800).collect();
        assert!(row.contains("Mac App Store"), "{path}: {row}");
    }
}
