//! Compares the results of the Rust client with the responses of a real server.

use appstitch_client::{AppsQuery, Client, DriftQuery};
use futures_util::TryStreamExt;
use serde_json::{Value, json};

use crate::support::{TestServer, record};

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
        limit: 1,
        offset: 0,
    };
    let expected = server.get("/apps?vendor=mozilla&source=label_tool&limit=1").await.json();
    assert_eq!(value(&client.list_apps(&query).await.unwrap()), expected);
    let drift = client.list_drift(&DriftQuery::default()).await.unwrap();
    assert_eq!(value(&drift), server.get("/apps/drift").await.json());
    let index = client.get_jamf_index().await.unwrap();
    assert_eq!(value(&index), server.get("/apps/jamf-index").await.json());
    assert_eq!(value(&client.get_stats().await.unwrap()), server.get("/stats").await.json());
    for app in &apps {
        let slug = app.slug.as_str();
        let route = async |detail: &str| server.get(&format!("/apps/{slug}{detail}")).await.json();
        assert_eq!(value(&client.get_app(slug).await.unwrap().unwrap()), route("").await);
        let sources = client.get_app_sources(slug).await.unwrap().unwrap();
        assert_eq!(value(&sources), route("/sources").await);
        let provenance = client.get_app_provenance(slug).await.unwrap().unwrap();
        assert_eq!(value(&provenance), route("/provenance").await);
        assert_eq!(value(&client.get_app_drift(slug).await.unwrap()), route("/drift").await);
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
