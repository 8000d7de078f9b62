//! The exact filters of `/apps`.

use serde_json::{Value, json};

use crate::support::{TestServer, record};

fn app(slug: &str, bundle_id: &str, team_id: Option<&str>, method: Option<&str>) -> Value {
    let mut record = record(slug);
    record["app"]["bundle_id"] = json!(bundle_id);
    record["app"]["expected_team_id"] = json!(team_id);
    record["app"]["install_method"] = json!(method);
    record["app"]["download_url"] = json!(method.map(|_| "https://example.com/file"));
    record["app"]["vendor"] = json!(if slug < "c" { "First" } else { "Second" });
    record["app"]["sources"] = json!(if slug == "d" { ["label_tool"] } else { ["cask_catalog"] });
    record
}

async fn server() -> TestServer {
    TestServer::with_records(&[
        app("a", "com.example.One", Some("AAAAA11111"), Some("pkg")),
        app("b", "com.example.one", Some("BBBBB11111"), Some("dmg")),
        app("c", "com.example.two", Some("AAAAA11111"), Some("dmg")),
        app("d", "com.example.four", None, Some("pkgInZip")),
        app("e", "com.example.five", Some("AAAAA11111"), None),
    ])
    .await
}

#[tokio::test]
async fn each_filter_is_exact_and_combines_with_the_others() {
    let server = server().await;
    for (query, expected) in [
        ("bundle_id=COM.example.ONE", &["a", "b"][..]),
        ("bundle_id=com.example", &[]),
        ("bundle_id=", &[]),
        ("bundle_id=x&bundle_id=com.example.two", &["c"]),
        ("team_id=AAAAA11111", &["a", "c", "e"]),
        ("team_id=aaaaa11111&vendor=second", &["c", "e"]),
        ("team_id=", &[]),
        ("install_method=dmg", &["b", "c"]),
        ("install_method=pkgInZip", &["d"]),
        ("install_method=dmg&source=cask_catalog&vendor=first", &["b"]),
        ("install_method=dmg&exclude_source=cask_catalog", &[]),
        ("install_method=dmg&deprecated=false&offset=1", &["c"]),
        ("install_method=dmg&deprecated=true", &[]),
        ("team_id=AAAAA11111&bundle_id=com.example.one&install_method=pkg", &["a"]),
        ("slugs=e,a,nobody,a,", &["a", "e"]),
        ("slugs=a%2Cc&limit=1&offset=1", &["c"]),
        ("slugs=A", &[]),
        ("slugs=", &[]),
        ("slugs=a,b,c,d,e&source=cask_catalog&install_method=dmg", &["b", "c"]),
        ("slugs=a,b&vendor=nobody", &[]),
    ] {
        let response = server.get(&format!("/apps?{query}")).await;
        assert_eq!(
            (response.status.as_u16(), response.slugs().as_slice()),
            (200, &expected.iter().map(|slug| (*slug).to_owned()).collect::<Vec<_>>()[..]),
            "{query}"
        );
    }
}

#[tokio::test]
async fn pages_of_slugs_have_the_fields_of_other_pages() {
    let server = server().await;
    let page = server.get("/apps?slugs=a,b,c&limit=2").await;
    assert_eq!(page.header("x-total-count"), "3");
    assert!(page.header("link").contains("</apps?slugs=a%2Cb%2Cc&limit=2&offset=2>; rel=\"next\""));
    assert_eq!(page.header("etag"), server.etag().await);
    let one = server.get("/apps/b").await;
    assert_eq!(server.get("/apps?slugs=b").await.text(), format!("[{}]", one.text()));
    let none = server.get("/apps?slugs=nobody").await;
    assert_eq!((none.text(), none.header("x-total-count")), ("[]", "0"));
}

#[tokio::test]
async fn unknown_install_methods_are_rejected() {
    let server = server().await;
    for method in ["pkginzip", "", "exe"] {
        let response = server.get(&format!("/apps?install_method={method}&limit=0")).await;
        assert_eq!(response.status, 422, "{method}");
        let detail = response.json()["detail"].clone();
        assert_eq!(detail[0]["loc"], json!(["query", "limit"]));
        assert_eq!(detail[1]["loc"], json!(["query", "install_method"]));
        assert_eq!(
            (&detail[1]["type"], &detail[1]["input"]),
            (&json!("literal_error"), &json!(method))
        );
        let known = "'dmg', 'pkg', 'zip', 'tbz', 'pkgInDmg', 'pkgInZip' or 'appInDmgInZip'";
        assert_eq!(detail[1]["ctx"], json!({ "expected": known }));
    }
}

#[tokio::test]
async fn too_many_slugs_are_rejected() {
    let server = server().await;
    let slugs = |count: usize| vec!["a"; count].join(",");
    assert_eq!(server.get(&format!("/apps?slugs={}", slugs(500))).await.slugs(), ["a"]);
    let response =
        server.get(&format!("/apps?slugs={}&deprecated=maybe&limit=0", slugs(501))).await;
    assert_eq!(response.status, 422);
    let detail = response.json()["detail"].clone();
    let places: Vec<&Value> =
        detail.as_array().unwrap().iter().map(|fault| &fault["loc"][1]).collect();
    assert_eq!(places, ["limit", "deprecated", "slugs"]);
    assert_eq!(detail[2]["type"], "too_long");
    assert_eq!(detail[2]["msg"], "List should have at most 500 items after validation, not 501");
    let context = json!({"field_type": "List", "max_length": 500, "actual_length": 501});
    assert_eq!(detail[2]["ctx"], context);
    // The longest real slugs fit into one request.
    let long: Vec<String> = (0..500).map(|number| format!("{number:0>50}")).collect();
    let response = server.get(&format!("/apps?slugs={}", long.join(","))).await;
    assert_eq!((response.status.as_u16(), response.text()), (200, "[]"));
}
