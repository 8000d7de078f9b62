//! Compares the results of the Rust client with the responses of a real server.

use appstitch_client::{
    App, AppsQuery, Client, DriftQuery, DriftScope, ErrorKind, ExportQuery, InstallMethod,
    LabelFormat, SearchQuery, Slug, UploadOptions, VersionOrder,
};
use futures_util::TryStreamExt;
use serde_json::{Value, json};

use crate::support::{TOKEN, TestServer, record};

fn value(of: &impl serde::Serialize) -> Value {
    serde_json::to_value(of).unwrap()
}

#[tokio::test]
async fn every_read_returns_what_its_route_says() {
    let server = TestServer::with_sample();
    let client = Client::new(&server.base).unwrap();
    let apps = client.list_apps(&AppsQuery::default()).await.unwrap();
    assert_eq!(value(&apps), server.get("/apps").await.json());
    let query = AppsQuery {
        vendor: Some("MOZILLA".into()),
        source: Some("label_tool".into()),
        exclude_source: Some("nobody".into()),
        deprecated: Some(false),
        limit: 1,
        ..AppsQuery::default()
    };
    let expected = server.get("/apps?vendor=mozilla&source=label_tool&limit=1").await.json();
    assert_eq!(value(&client.list_apps(&query).await.unwrap()), expected);
    let deprecated = AppsQuery { deprecated: Some(true), ..AppsQuery::default() };
    assert_eq!(value(&client.list_apps(&deprecated).await.unwrap()), json!([]));
    let exact = AppsQuery {
        bundle_id: Some("com.google.Chrome".into()),
        team_id: Some("EQHXZ8M8AV".into()),
        install_method: Some(InstallMethod::Pkg),
        slugs: Some(vec!["googlechromepkg".into(), "slack".into()]),
        ..AppsQuery::default()
    };
    let expected = server.get("/apps?slugs=googlechromepkg").await.json();
    assert_eq!(expected[0]["slug"], "googlechromepkg");
    assert_eq!(value(&client.list_apps(&exact).await.unwrap()), expected);
    let found = client.search_apps(&SearchQuery::text("google chrom")).await.unwrap();
    assert_eq!(value(&found), server.get("/search?q=google%20chrom").await.json());
    let drift = client.list_drift(&DriftQuery::default()).await.unwrap();
    assert_eq!(value(&drift), server.get("/apps/drift").await.json());
    let index = client.get_jamf_index().await.unwrap();
    assert_eq!(value(&index), server.get("/apps/jamf-index").await.json());
    let status = client.get_source_status().await.unwrap();
    assert_eq!(value(&status), server.get("/sources").await.json());
    assert_eq!(value(&client.get_stats().await.unwrap()), server.get("/stats").await.json());
    for app in &apps {
        let slug = app.slug.as_str();
        let route = async |detail: &str| server.get(&format!("/apps/{slug}{detail}")).await.json();
        assert_eq!(value(&client.get_app(slug).await.unwrap().unwrap()), route("").await);
        let sources = client.get_app_sources(slug).await.unwrap().unwrap();
        assert_eq!(value(&sources), route("/sources").await);
        let details = client.get_app_details(slug).await.unwrap().unwrap();
        assert_eq!(value(&details), route("/details").await);
        let provenance = client.get_app_provenance(slug).await.unwrap().unwrap();
        assert_eq!(value(&provenance), route("/provenance").await);
        assert_eq!(value(&client.get_app_drift(slug).await.unwrap()), route("/drift").await);
        for include in DriftScope::ALL {
            let list = include.further().collect::<Vec<_>>().join(",");
            let drift = client.get_app_drift_with(slug, include).await.unwrap();
            assert_eq!(value(&drift), route(&format!("/drift?include={list}")).await);
        }
        let label = server.post(&format!("/apps/{slug}/generate-label")).await;
        match client.generate_label(slug).await {
            Ok(made) => {
                assert_eq!(value(&made.unwrap()), label.json());
                let fragment = client.generate_label_fragment(slug).await.unwrap().unwrap();
                assert!(fragment.ends_with(";;\n"), "{fragment}");
            }
            Err(error) => {
                assert_eq!(error.status.unwrap(), 422);
                assert_eq!(error.detail, label.detail());
            }
        }
    }
}

#[tokio::test]
async fn an_unknown_slug_is_nothing_and_a_bad_parameter_an_error() {
    let server = TestServer::with_sample();
    let client = Client::new(&format!("{}/", server.base)).unwrap();
    for slug in ["nobody", "a/../b", "ä?x#y", "..", "%2F", ""] {
        assert!(client.get_app(slug).await.unwrap().is_none(), "{slug}");
        assert!(client.get_app_details(slug).await.unwrap().is_none(), "{slug}");
        assert!(client.find_alias(slug).await.unwrap().is_none(), "{slug}");
        assert!(client.get_app_sources(slug).await.unwrap().is_none(), "{slug}");
        assert!(client.get_app_drift(slug).await.unwrap().is_none(), "{slug}");
        assert!(client.generate_label(slug).await.unwrap().is_none(), "{slug}");
    }
    let error =
        client.list_apps(&AppsQuery { limit: 0, ..AppsQuery::default() }).await.unwrap_err();
    assert_eq!(error.status.unwrap(), 422);
    assert!(error.detail.contains("greater than or equal to 1"), "{error}");
}

#[tokio::test]
async fn the_health_is_what_its_route_says() {
    let server = TestServer::with_sample();
    let client = Client::new(&server.base).unwrap();
    let health = client.get_health().await.unwrap();
    assert_eq!(value(&health), server.get("/health").await.json());
    assert_eq!(health["status"], "ok");
}

#[tokio::test]
async fn uploads_change_the_catalog() {
    let server = TestServer::empty();
    let client = Client::builder(&server.base).deploy_token(TOKEN).build().unwrap();
    let casks = |tokens: &[&str]| {
        let casks = tokens.iter().map(|token| json!({"token": token, "version": "2.0"}));
        casks.collect::<Value>().to_string()
    };
    let (usual, shrinking) = (UploadOptions::default(), UploadOptions { allow_shrink: true });
    let all = casks(&["one", "two", "three"]);
    let sent = client.upload_source("cask_catalog", all.clone(), usual).await.unwrap();
    assert_eq!((sent.received, sent.accepted, sent.apps.total), (3, 3, 3), "{sent:?}");
    let again = client.upload_sources([("cask_catalog".into(), all.into())], usual).await.unwrap();
    assert!(!again.changed && again.revision == sent.revision, "{again:?}");
    let less = casks(&["one"]);
    let refused = client.upload_source("cask_catalog", less.clone(), usual).await.unwrap_err();
    assert_eq!(refused.status.unwrap(), 409, "{refused}");
    let sent = client.upload_source("cask_catalog", less, shrinking).await.unwrap();
    assert_eq!(sent.apps.removed, 2, "{sent:?}");

    let app = client.get_app("one").await.unwrap().unwrap();
    let sources = client.get_app_sources("one").await.unwrap().unwrap();
    let mine = App { slug: Slug::parse("mine").unwrap(), ..app };
    assert_eq!(client.put_record(&mine, Some(&sources)).await.unwrap().apps.added, 1);
    assert_eq!(client.get_app("mine").await.unwrap().unwrap(), mine);
    assert_eq!(client.get_app_sources("mine").await.unwrap().unwrap(), sources);
    let other = record("other").to_string();
    let replaced = client.replace_records(other, shrinking).await.unwrap();
    assert_eq!((replaced.apps.added, replaced.apps.removed), (1, 1), "{replaced:?}");
    assert_eq!(client.delete_record("other").await.unwrap().apps.removed, 1);
    assert_eq!(client.delete_record("other").await.unwrap_err().status.unwrap(), 404);
}

#[tokio::test]
async fn an_upload_needs_the_right_token() {
    let server = TestServer::empty();
    let refused = async |client: Client| client.delete_record("a").await.unwrap_err();
    let none = refused(Client::new(&server.base).unwrap()).await;
    assert_eq!(none.kind, ErrorKind::InvalidToken, "{none}");
    let wrong = Client::builder(&server.base).deploy_token("wrong").build().unwrap();
    assert_eq!(refused(wrong).await.status.unwrap(), 401);
    let unsendable = Client::builder(&server.base).deploy_token("open\nsesame").build();
    let unsendable = unsendable.err().unwrap();
    assert_eq!(unsendable.kind, ErrorKind::InvalidToken);
    assert!(!format!("{unsendable} {unsendable:?}").contains("sesame"), "{unsendable:?}");
}

#[tokio::test]
async fn further_sources_are_compared_on_request() {
    let server = TestServer::with_sample();
    let client = Client::new(&server.base).unwrap();
    for include in DriftScope::ALL {
        let list = include.further().collect::<Vec<_>>().join(",");
        let expected = server.get(&format!("/apps/drift?include={list}")).await.json();
        let query = DriftQuery { include, ..DriftQuery::default() };
        assert_eq!(value(&client.list_drift(&query).await.unwrap()), expected, "{list}");
        let all: Vec<_> = client.all_drift(query).try_collect().await.unwrap();
        assert_eq!(value(&all), expected["entries"], "{list}");
    }
}

#[tokio::test]
async fn every_kind_of_name_finds_its_apps() {
    let server = TestServer::with_sample();
    let client = Client::new(&server.base).unwrap();
    for name in ["google-chrome", "GOOGLE-CHROME", "com.google.Chrome", "docker", "UBF8T346G9"] {
        let found = client.find_alias(name).await.unwrap().unwrap();
        assert_eq!(value(&found), server.get(&format!("/aliases/{name}")).await.json());
        assert!(!found.matches.is_empty(), "{name}");
    }
    let elsewhere = Client::new(&format!("{}/elsewhere", server.base)).unwrap();
    assert_eq!(elsewhere.find_alias("docker").await.unwrap_err().status.unwrap(), 404);
}

#[tokio::test]
async fn versions_are_compared() {
    let server = TestServer::with_sample();
    let client = Client::new(&server.base).unwrap();
    let compared = client.compare_versions("2026.08.1+195", "2026.08.1,196").await.unwrap();
    assert_eq!(compared.order, VersionOrder::Older);
    assert_eq!(compared.a.normal_form.as_deref(), Some("2026.8.1+195"));
    let path = "/versions/compare?a=2026.08.1%2B195&b=2026.08.1,196";
    assert_eq!(value(&compared), server.get(path).await.json());
    let error = client.compare_versions("", "1.0").await.unwrap_err();
    assert_eq!(error.status.unwrap(), 422);
}

#[tokio::test]
async fn another_name_of_an_app_returns_the_app() {
    let server = TestServer::with_sample();
    let client = Client::new(&server.base).unwrap();
    let name = "google-chrome";
    let slug = "googlechromepkg";
    assert_eq!(client.get_app(name).await.unwrap().unwrap().slug.as_str(), slug);
    assert_eq!(client.get_app("COM.GOOGLE.CHROME").await.unwrap().unwrap().slug.as_str(), slug);
    assert_eq!(client.get_app_details(name).await.unwrap().unwrap().slug, slug);
    assert_eq!(client.get_app_provenance(name).await.unwrap().unwrap().slug, slug);
    let sources = client.get_app_sources(name).await.unwrap().unwrap();
    assert_eq!(value(&sources), server.get(&format!("/apps/{slug}/sources")).await.json());
    let all = DriftScope::ALL[3];
    let drift = client.get_app_drift_with("firefox", all).await.unwrap().unwrap();
    assert_eq!((drift.slug.as_str(), drift.versions.len()), ("firefoxpkg", 3), "with its query");
    let label = client.generate_label("firefox").await.unwrap().unwrap();
    assert_eq!(Some(label), client.generate_label("firefoxpkg").await.unwrap());
    let fragment = client.generate_label_fragment("firefox").await.unwrap().unwrap();
    assert!(fragment.starts_with("firefoxpkg)\n"), "{fragment}");

    let exports = client.get_app_exports("firefox").await.unwrap().unwrap();
    assert_eq!(value(&exports), server.get("/apps/firefoxpkg/exports").await.json());
    let query = client.export_app("firefox", "fleet-policy").await.unwrap();
    let sent = server.get("/apps/firefoxpkg/export/fleet-policy").await;
    assert_eq!(query.unwrap(), sent.text(), "a format with a hyphen");
    let archive = client.export_apps("osquery", &ExportQuery::slugs(["zoom"])).await.unwrap();
    assert_eq!(archive.unwrap(), server.get("/export/osquery.tar.gz?slugs=zoom").await.body);
    let unknown = client.export_apps("nothing", &ExportQuery::default()).await.unwrap_err();
    assert_eq!(unknown.status.unwrap(), 422);

    let raw = client.get_app_raw(name, "/sources", &[]).await.unwrap().unwrap();
    assert_eq!(raw.canonical_slug.unwrap().as_str(), slug);
    let raw = client.generate_label_raw("firefox", LabelFormat::Json).await.unwrap().unwrap();
    assert_eq!(raw.canonical_slug.unwrap().as_str(), "firefoxpkg");
    let raw = client.get_app_raw(slug, "/sources", &[]).await.unwrap().unwrap();
    assert_eq!(raw.canonical_slug, None, "not by another name");

    assert!(client.get_app("UBF8T346G9").await.unwrap().is_none(), "a name of two apps");
    let exact = Client::builder(&server.base).follow_canonical(false).build().unwrap();
    assert!(exact.get_app(name).await.unwrap().is_none());
    assert!(exact.generate_label(name).await.unwrap().is_none());
    assert!(exact.get_app(slug).await.unwrap().is_some());
}

#[tokio::test]
async fn a_walk_sees_every_app_once() {
    let records: Vec<Value> = (0..2345).map(|number| record(&format!("app-{number:04}"))).collect();
    let server = TestServer::with_records(&records).await;
    let client = Client::new(&server.base).unwrap();
    let apps: Vec<appstitch_client::App> =
        client.all_apps(AppsQuery::default()).try_collect().await.unwrap();
    let slugs: Vec<String> = apps.iter().map(|app| app.slug.to_string()).collect();
    let expected: Vec<String> = (0..2345).map(|number| format!("app-{number:04}")).collect();
    assert_eq!(slugs, expected);
    let tail = AppsQuery { offset: 2340, ..AppsQuery::default() };
    let tail: Vec<appstitch_client::App> = client.all_apps(tail).try_collect().await.unwrap();
    assert_eq!(tail.len(), 5);
    let drift: Vec<appstitch_client::DriftEntry> =
        client.all_drift(DriftQuery::default()).try_collect().await.unwrap();
    assert_eq!(value(&drift), json!([]));
}
