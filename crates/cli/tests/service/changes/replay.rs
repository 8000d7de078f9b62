//! Replaying the changes gives the catalog, byte for byte.

use std::collections::BTreeMap;

use appstitch_types::{App, ChangesResponse, RecordFields, apply_change, apply_squashed};
use serde_json::Value;

use super::versioned;
use crate::{real_data::all_apps, support::TestServer};

/// A copy of the catalog, and the point it is of.
#[derive(Clone, Default)]
pub(super) struct Copy {
    apps: BTreeMap<String, RecordFields>,
    pub(super) since: String,
}

impl Copy {
    pub(super) fn empty() -> Self {
        Self { since: "0".to_owned(), ..Self::default() }
    }

    /// The apps of now, under the token of now.
    pub(super) async fn of(server: &TestServer) -> Self {
        let etag = server.etag().await;
        let since = etag.trim_start_matches("W/").trim_matches('"').to_owned();
        let record = |app: Value| match app {
            Value::Object(record) => (record["slug"].as_str().unwrap().to_owned(), record),
            other => panic!("not a record: {other}"),
        };
        Self { apps: all_apps(server).await.into_iter().map(record).collect(), since }
    }

    pub(super) async fn follow(&mut self, server: &TestServer, squash: bool, limit: usize) {
        loop {
            let since = &self.since;
            let path = format!("/changes?since={since}&squash={squash}&limit={limit}");
            let page = server.get(&path).await;
            assert_eq!(page.status, 200, "{path}: {page:?}");
            let page: ChangesResponse = serde_json::from_slice(&page.body).unwrap();
            if squash {
                apply_squashed(&mut self.apps, &page.changes);
            } else {
                page.changes.iter().for_each(|change| apply_change(&mut self.apps, change));
            }
            self.since = page.next;
            if !page.more {
                return;
            }
        }
    }

    /// The records as the server writes them.
    pub(super) fn bytes(&self) -> Vec<String> {
        let app = |record: &RecordFields| -> App {
            serde_json::from_value(Value::Object(record.clone())).unwrap()
        };
        self.apps.values().map(|record| serde_json::to_string(&app(record)).unwrap()).collect()
    }
}

/// The records as the server sends them, each on its own.
async fn served(server: &TestServer) -> Vec<String> {
    let mut bodies = Vec::new();
    for app in all_apps(server).await {
        let body = server.get(&format!("/apps/{}", app["slug"].as_str().unwrap())).await.body;
        bodies.push(String::from_utf8(body).unwrap());
    }
    bodies
}

/// The journal tells the whole way from an empty catalog to the present.
pub(crate) async fn check_replay(server: &TestServer) {
    let mut copy = Copy::empty();
    copy.follow(server, false, 1000).await;
    assert_eq!(copy.bytes(), served(server).await);
}

#[tokio::test]
async fn from_any_point_over_the_catalog_of_that_point_comes_the_catalog_of_today() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    let mut copies = vec![Copy::empty()];
    for step in 0..12_usize {
        let version = |number: usize| format!("{}.{}", number, step * number / 3);
        let mut records: Vec<Value> = (1..6)
            .map(|number| versioned(&format!("app{number}"), Some(&version(number))))
            .collect();
        records.extend((step % 4 > 1).then(|| versioned("Passing", None)));
        records.push(versioned(if step < 6 { "wandering" } else { "Wandering" }, Some("1")));
        server.replace_records(&records).await;
        copies.push(Copy::of(&server).await);
        if step == 7 {
            // The journal is read again.
            server.kill();
            server = TestServer::on_store(&store);
        }
    }
    let today = served(&server).await;
    for (number, copy) in copies.into_iter().enumerate() {
        let mut replayed = copy.clone();
        replayed.follow(&server, false, 3).await;
        assert_eq!(replayed.bytes(), today, "from {number}");
        let mut squashed = copy.clone();
        squashed.follow(&server, true, 1000).await;
        assert_eq!(squashed.bytes(), today, "squashed from {number}");
        let mut in_steps = copy;
        in_steps.follow(&server, true, 2).await;
        assert_eq!(in_steps.bytes(), today, "squashed in steps from {number}");
    }
    check_replay(&server).await;
}

#[tokio::test]
async fn the_sample_and_what_replaces_it_are_reported() {
    let server = TestServer::with_sample();
    let mut copy = Copy::of(&server).await;
    check_replay(&server).await;
    server.replace_records(&[versioned("only", Some("1"))]).await;
    copy.follow(&server, false, 1000).await;
    assert_eq!(copy.bytes(), served(&server).await);
}
