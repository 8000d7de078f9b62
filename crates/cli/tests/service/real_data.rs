//! The upstreams' real files, if they are available.

use std::path::{Path, PathBuf};

use reqwest::{Method, multipart};
use serde_json::Value;

use crate::support::TestServer;

/// The folder with the real files; tests are skipped without it.
pub(crate) fn data() -> Option<PathBuf> {
    appstitch_setup::real_files(["data"]).map(|[folder]| folder)
}

pub(crate) async fn upload_all(server: &TestServer, data: &Path) -> Value {
    upload_with(server, data, "cask.json.gz").await
}

/// Uploads every file, with the casks of another day.
pub(crate) async fn upload_with(server: &TestServer, data: &Path, casks: &str) -> Value {
    let file = |name: &str| multipart::Part::bytes(std::fs::read(data.join(name)).unwrap());
    let form = multipart::Form::new()
        .part("label_tool", file("label_tool/labels.tar.gz"))
        .part("cask_catalog", file(&format!("cask_catalog/{casks}")))
        .part("recipe_index", file("recipe_index/index.json.gz"))
        .part("mdm_installer", file("mdm_installer/titles.synthetic.html"))
        .part("mdm_installer", file("mdm_installer/titles.synthetic.json.gz"))
        .part("store_listing", file("store_listing/lookup.json.gz"));
    let response = server.send(server.admin(Method::PUT, "/admin/sources").multipart(form)).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

/// Every app, page by page.
pub(crate) async fn all_apps(server: &TestServer) -> Vec<Value> {
    let mut apps = Vec::new();
    loop {
        let page = server.get(&format!("/apps?limit=1000&offset={}", apps.len())).await.json();
        let page = page.as_array().unwrap().clone();
        if page.is_empty() {
            return apps;
        }
        apps.extend(page);
    }
}

#[tokio::test]
async fn everything_is_read_stitched_and_served_without_a_broken_rule() {
    let Some(data) = data() else { return };
    let server = TestServer::empty();
    let summary = upload_all(&server, &data).await;
    assert_eq!(summary["rejected"], 0, "{summary}");
    let apps = all_apps(&server).await;
    assert_eq!(apps.len() as u64, summary["apps"]["total"].as_u64().unwrap());
    let with = |field: &str| apps.iter().filter(|app| !app[field].is_null()).count();
    let from = |source: &str| {
        apps.iter()
            .filter(|app| app["sources"].as_array().unwrap().iter().any(|token| token == source))
            .count()
    };
    let both = apps
        .iter()
        .filter(|app| app["sources"].to_string().starts_with(r#"["label_tool","cask_catalog""#));
    println!(
        "apps {}, label_tool {}, cask_catalog {}, recipe_index {}, mdm_installer {}, labels with a cask {}, bundle_id {}, vendor {}, version {}, url {}, sha256 {}",
        apps.len(),
        from("label_tool"),
        from("cask_catalog"),
        from("recipe_index"),
        from("mdm_installer"),
        both.clone().count(),
        with("bundle_id"),
        with("vendor"),
        with("current_version"),
        with("download_url"),
        with("sha256"),
    );
    let drift = server.get("/apps/drift").await.json();
    println!("compared {}, drift {}", drift["total_scanned"], drift["total_with_drift"]);
    assert_eq!(from("label_tool"), 1184, "every label is an app");
    assert!(both.count() > 700 && with("bundle_id") > 3500 && with("vendor") > 2000);
    for app in &apps {
        check_rules(app);
    }

    let again = upload_all(&server, &data).await;
    assert_eq!(
        (&again["changed"], &again["revision"]),
        (&Value::Bool(false), &summary["revision"])
    );
}

/// Checks the rules of the served fields, independently of the implementation.
fn check_rules(app: &Value) {
    for field in ["name", "vendor", "bundle_id", "current_version", "download_url"] {
        if let Some(text) = app[field].as_str() {
            assert!(!text.trim().is_empty() && !text.contains(['$', '`']), "{field} of {app}");
            assert!(!["latest", "no_check", ":latest", "null"].contains(&text), "{field} of {app}");
        }
    }
    if let Some(url) = app["download_url"].as_str() {
        assert!(url.starts_with("http://") || url.starts_with("https://"), "{app}");
        assert!(url.len() <= 2083, "{app}");
    }
    if let Some(hash) = app["sha256"].as_str() {
        assert!(
            hash.len() == 64
                && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
            "{app}"
        );
        assert!(!app["download_url"].is_null(), "{app}");
    }
    if let Some(team) = app["expected_team_id"].as_str() {
        assert!(
            team.len() == 10 && team.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()),
            "{app}"
        );
    }
    if let (Some(url), Some(method)) =
        (app["download_url"].as_str(), app["install_method"].as_str())
    {
        let path = url.split(['?', '#']).next().unwrap().to_ascii_lowercase();
        for (ending, methods) in [
            (".dmg", &["dmg", "pkgInDmg"][..]),
            (".pkg", &["pkg"]),
            (".zip", &["zip", "pkgInZip", "appInDmgInZip"]),
        ] {
            assert!(!path.ends_with(ending) || methods.contains(&method), "{app}");
        }
    }
    assert!(!app["slug"].as_str().unwrap().starts_with("font-"), "{app}");
}

#[tokio::test]
async fn a_hash_stands_only_beside_the_address_of_its_own_cask() {
    let Some(data) = data() else { return };
    let server = TestServer::empty();
    upload_all(&server, &data).await;
    for app in all_apps(&server).await.iter().filter(|app| !app["sha256"].is_null()).step_by(40) {
        let sources =
            server.get(&format!("/apps/{}/sources", app["slug"].as_str().unwrap())).await.json();
        let entry = &sources["cask_catalog"]["entry_json"];
        assert_eq!(app["sha256"], entry["sha256"], "{app}");
        let (served, upstream) =
            (app["download_url"].as_str().unwrap(), entry["url"].as_str().unwrap());
        let tail = |url: &str| url.rsplit('/').next().unwrap_or_default().replace("%20", " ");
        assert_eq!(tail(served), tail(upstream), "{app}");
    }
}
