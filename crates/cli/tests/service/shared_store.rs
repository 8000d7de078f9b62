//! Several processes on one store: upgrades, restarts, two servers at once.

use std::{collections::HashMap, path::Path};

use reqwest::Method;

use crate::support::{TestServer, eventually, ndjson, record};

/// The insertion number of each app.
fn insertions(store: &Path) -> HashMap<String, i64> {
    let store = rusqlite::Connection::open(store).unwrap();
    let mut statement = store.prepare("SELECT slug, number FROM app").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[tokio::test]
async fn apps_are_numbered_as_they_come_in_and_count_as_new_when_they_come_back() {
    let server = TestServer::empty();
    let store = server.store();
    server.upload(&ndjson(&[record("b"), record("a")])).await;
    server.put_record(&record("c")).await;
    let numbers = insertions(&store);
    assert_eq!((numbers["a"], numbers["b"], numbers["c"]), (1, 2, 3));
    server.delete("/admin/records/a").await;
    server.put_record(&record("a")).await;
    assert_eq!(insertions(&store)["a"], 4);
}

#[tokio::test]
async fn a_version_that_makes_other_bytes_of_the_same_data_records_a_new_revision() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    server.upload(&ndjson(&[record("a"), record("b")])).await;
    let before = server.etag().await;
    server.kill();
    // As if the previous version had served other bytes, and had not served one of the apps.
    let connection = rusqlite::Connection::open(&store).unwrap();
    let other = "UPDATE revision SET content_hash = 'other', token = '20200101T000000Z-other'; DELETE FROM app WHERE slug = 'b'";
    connection.execute_batch(other).unwrap();
    drop(connection);

    let mut server = TestServer::on_store(&store);
    let after = server.etag().await;
    assert_ne!(after, "W/\"20200101T000000Z-other\"", "other bytes, another token");
    assert_eq!(after.split('-').nth(1), before.split('-').nth(1), "the same content as before");
    assert!(insertions(&store).contains_key("b"), "every served app has a number");
    server.kill();
    assert_eq!(TestServer::on_store(&store).etag().await, after, "another restart changes nothing");
}

#[tokio::test]
async fn two_servers_on_one_store_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let servers = [TestServer::on_store(&store), TestServer::on_store(&store)];
    let puts = (0..30).map(|number| {
        let server = &servers[number % 2];
        let slug = format!("app-{number:02}");
        let put = server
            .admin(Method::PUT, &format!("/admin/records/{slug}"))
            .body(record(&slug).to_string());
        server.send(put)
    });
    let mut puts: Vec<_> = puts.map(Box::pin).collect();
    let mut statuses = Vec::new();
    while let Some(put) = puts.pop() {
        let (response, next) = match puts.pop() {
            Some(other) => {
                let (first, second) = tokio::join!(put, other);
                (first, Some(second))
            }
            None => (put.await, None),
        };
        statuses.extend(
            [Some(response), next].into_iter().flatten().map(|response| response.status.as_u16()),
        );
    }
    assert_eq!(statuses, vec![200; 30]);
    let same_revision = async || servers[0].etag().await == servers[1].etag().await;
    eventually("the servers never serve the same revision", same_revision).await;
    assert_eq!(servers[0].get("/apps").await.slugs().len(), 30);
}
