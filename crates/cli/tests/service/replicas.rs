//! Several servers on one PostgreSQL database.

use appstitch_cluster::{Cluster, database, query};
use reqwest::Method;

use crate::support::{TestServer, eventually, ndjson, record};

async fn store_is(server: &TestServer, expected: &str) {
    let is_reached = async || server.get("/health").await.json()["store"] == expected;
    eventually(&format!("the store is never {expected}"), is_reached).await;
}

/// Puts a record, again if the server asks for it.
async fn put(server: &TestServer, slug: &str) {
    loop {
        match server.put_record(&record(slug)).await {
            response if response.status == 200 => return,
            response => {
                assert_eq!((response.status.as_u16(), response.header("retry-after")), (503, "10"));
            }
        }
    }
}

#[tokio::test]
async fn what_one_publishes_is_served_by_all_with_the_same_bytes() {
    let url = database();
    let servers = [TestServer::on_address(&url), TestServer::on_address(&url)];
    servers[0].upload(&ndjson(&[record("a"), record("b")])).await;
    servers[1].follows(&servers[0].etag().await).await;
    // A third one loads what is served.
    let third = TestServer::on_address(&url);
    for path in ["/apps", "/apps/a", "/apps/b/sources", "/stats", "/changes", "/apps/drift"] {
        let expected = servers[0].get(path).await;
        for server in [&servers[1], &third] {
            let response = server.get(path).await;
            assert_eq!(
                (response.status, &response.body),
                (expected.status, &expected.body),
                "{path}"
            );
            assert_eq!(response.headers.get("etag"), expected.headers.get("etag"), "{path}");
        }
    }
}

#[tokio::test]
async fn uploads_to_several_servers_are_all_applied() {
    let url = database();
    let servers = [TestServer::on_address(&url), TestServer::on_address(&url)];
    for number in 0..10 {
        let slugs = [format!("one-{number}"), format!("two-{number}")];
        tokio::join!(put(&servers[0], &slugs[0]), put(&servers[1], &slugs[1]));
    }
    put(&servers[0], "last").await;
    servers[1].follows(&servers[0].etag().await).await;
    for server in &servers {
        assert_eq!(server.get("/apps").await.slugs().len(), 21);
    }
}

#[tokio::test]
async fn reads_continue_without_the_database_and_uploads_when_it_is_back() {
    let cluster = Cluster::start();
    let url = cluster.database("catalog");
    let servers = [TestServer::on_address(&url), TestServer::on_address(&url)];
    put(&servers[0], "a").await;
    let before = servers[0].etag().await;
    servers[1].follows(&before).await;
    assert_eq!(servers[0].get("/health").await.json()["store"], "ok");
    cluster.stop();
    for server in &servers {
        store_is(server, "unavailable").await;
        assert_eq!(server.get("/ready").await.status, 200, "reads do not need the store");
        assert_eq!(server.get("/apps/a").await.status, 200);
        let put = server.admin(Method::PUT, "/admin/records/b").body(record("b").to_string());
        let response = server.send(put).await;
        assert_eq!((response.status.as_u16(), response.header("retry-after")), (503, "10"));
        assert_eq!(server.etag().await, before);
    }
    // A server that starts now waits.
    let waiting = std::thread::spawn({
        let url = url.clone();
        move || TestServer::on_address(&url)
    });
    cluster.start_again();
    put(&servers[0], "b").await;
    let after = servers[0].etag().await;
    assert_ne!(after, before);
    servers[1].follows(&after).await;
    waiting.join().unwrap().follows(&after).await;
    for server in &servers {
        store_is(server, "ok").await;
    }
}

#[tokio::test]
async fn a_server_waits_for_a_database_that_goes_away_while_it_starts() {
    let url = database();
    put(&TestServer::on_address(&url), "a").await;
    // The store can be opened, but not read: the server gives up after ten seconds, and tries again.
    let locking = std::thread::spawn({
        let url = url.clone();
        move || {
            let lock = "BEGIN; LOCK TABLE served_by IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(12)";
            appstitch_cluster::execute(&url, lock);
        }
    });
    let is_locked = "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted
        AND relation = 'served_by'::regclass";
    while query(&url, is_locked) == "0" && !locking.is_finished() {}
    let server = TestServer::on_address(&url);
    assert_eq!(server.get("/apps").await.slugs(), ["a"]);
    locking.join().unwrap();
}
