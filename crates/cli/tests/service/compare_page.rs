//! Apps and sources side by side.

use serde_json::json;

use crate::support::{TestServer, label_and_cask, record};

async fn server() -> TestServer {
    let mut records = vec![
        label_and_cask("alpha", Some("Vendor A"), "1.0", "2.0"),
        label_and_cask("beta", Some("Vendor <3 B"), "3.0", "3.0"),
    ];
    records[0]["app"]["current_version"] = json!("2.0");
    records[1]["app"]["current_version"] = json!("3.0");
    records.extend(["c1", "c2", "c3", "c4", "c5", "c6"].map(record));
    TestServer::with_records(&records).await
}

async fn page(server: &TestServer, path: &str) -> String {
    let response = server.get(path).await;
    assert_eq!(response.status, 200, "{path}");
    response.html().to_owned()
}

#[tokio::test]
async fn apps_are_side_by_side() {
    let server = server().await;
    let page = page(&server, "/compare?slugs=beta,alpha,beta,").await;
    for part in [
        "<title>BETA and ALPHA · appstitch</title>",
        "<h1>BETA and ALPHA</h1>",
        "2 apps side by side",
        "<a href=\"/a/alpha\">ALPHA</a>",
        "Vendor &#60;3 B",
        "<span class=\"version\">1.0</span> <span class=\"badge-behind\">behind</span>",
        "<span class=\"version\">3.0</span> <span class=\"badge-ok\">newest</span>",
        "/apps?slugs=beta,alpha",
    ] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
    assert!(page.find("/a/beta") < page.find("/a/alpha"), "in the order of the request");
    assert_eq!(page.matches("href=\"/a/beta\"").count(), 1, "each app once");
}

#[tokio::test]
async fn unknown_and_too_many_apps_are_named() {
    let server = server().await;
    let page = page(&server, "/compare?slugs=alpha,%3Cscript%3E,c1,c2,c3,c4,c5,c6,nobody").await;
    assert!(page.contains("Not in the catalog:") && page.contains("href=\"/?q=nobody\""), "{page}");
    assert!(page.contains("href=\"/?q=%3Cscript%3E\">&#60;script&#62;</a>"), "{page}");
    assert!(!page.contains("<script>"));
    assert!(
        page.contains("Only the first 6 apps are compared. Left out: <a href=\"/a/c6\">C6</a>"),
        "{page}"
    );
    assert_eq!(page.matches("/a/c6").count(), 1, "it has no column");
}

#[tokio::test]
async fn nothing_to_compare_is_a_form() {
    let server = server().await;
    for path in ["/compare", "/compare?slugs=", "/compare?slugs=,,", "/compare?x=y"] {
        let page = page(&server, path).await;
        assert!(page.contains("<form") && page.contains("Enter up to 6 apps"), "{path}");
    }
    let long = format!("/compare?slugs={}", "a,".repeat(2000));
    page(&server, &long).await;
}

#[tokio::test]
async fn two_sources_differ_in_counted_apps() {
    let server = server().await;
    let both = page(&server, "/compare?sources=label_tool,cask_catalog").await;
    for part in [
        "<h1>Installomator and Homebrew Cask</h1>",
        "1 app has different versions",
        "laggard=label_tool&#38;leader=cask_catalog\">1</a>",
        "laggard=cask_catalog&#38;leader=label_tool\">0</a>",
        "<a href=\"/a/alpha\">ALPHA</a>",
        "<span class=\"version\">1.0</span> <span class=\"badge-behind\">behind</span>",
        "<span class=\"version\">2.0</span> <span class=\"badge-ok\">newer</span>",
    ] {
        assert!(both.contains(part), "{part} is missing in {both}");
    }
    assert!(!both.contains("/a/beta"), "versions that agree are not listed");
    for (sources, fault) in [
        ("label_tool,%3Cb%3E", "There is no source &#60;b&#62;."),
        ("label_tool,recipe_index", "Recipes state no versions"),
        ("label_tool,label_tool", "Name two different sources."),
        ("label_tool", "Name two different sources."),
        ("label_tool,cask_catalog,mdm_installer", "Name two different sources."),
    ] {
        let page = page(&server, &format!("/compare?sources={sources}")).await;
        assert!(page.contains(fault) && page.contains("Compare two sources"), "{sources}: {page}");
    }
}
