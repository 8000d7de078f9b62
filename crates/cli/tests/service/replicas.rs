//! Several servers on one PostgreSQL database.

use std::time::Duration;

use appstitch_cluster::{Cluster, database, query};
use reqwest::Method;

use crate::support::{TestServer, ndjson, record};

/// Waits until a server serves a revision.
async fn follows(server: &TestServer, etag: &str) {
    let mut tries = 0;
    while server.etag().await != etag {
        tries += 1;
        assert!(tries < 1200, "the revision is never served");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a server tells this about its store.
async fn store_is(server: &TestServer, expected: &str) {
    let mut tries = 0;
    while server.get("/health").await.json()["store"] != expected {
        tries += 1;
        assert!(tries < 600, "the store is never {expected}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Puts a record, again if the server asks for it.
async fn put(server: &TestServer, slug: &str) {
    loop {
        let path = format!("/admin/records/{slug}");
        let put = server.admin(Method::PUT, &path).body(record(slug).to_string());
        match server.send(put).await {
            answer if answer.status == 200 => return,
            answer => {
                assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "10"));
            }
        }
    }
}

#[tokio::test]
async fn what_one_publishes_is_served_by_all_with_the_same_bytes() {
    let Some(url) = database() else { return };
    let servers = [TestServer::on_address(&url), TestServer::on_address(&url)];
    servers[0].upload(&ndjson(&[record("a"), record("b")])).await;
    follows(&servers[1], &servers[0].etag().await).await;
    // A third one loads what is served.
    let third = TestServer::on_address(&url);
    for path in ["/apps", "/apps/a", "/apps/b/sources", "/stats", "/changes", "/apps/drift"] {
        let expected = servers[0].get(path).await;
        for server in [&servers[1], &third] {
            let answer = server.get(path).await;
            assert_eq!((answer.status, &answer.body), (expected.status, &expected.body), "{path}");
            assert_eq!(answer.headers.get("etag"), expected.headers.get("etag"), "{path}");
        }
    }
}

#[tokio::test]
async fn uploads_to_several_servers_are_all_applied() {
    let Some(url) = database() else { return };
    let servers = [TestServer::on_address(&url), TestServer::on_address(&url)];
    for number in 0..10 {
        let slugs = [format!("one-{number}"), format!("two-{number}")];
        tokio::join!(put(&servers[0], &slugs[0]), put(&servers[1], &slugs[1]));
    }
    put(&servers[0], "last").await;
    follows(&servers[1], &servers[0].etag().await).await;
    for server in &servers {
        assert_eq!(server.get("/apps").await.slugs().len(), 21);
    }
}

#[tokio::test]
async fn reads_continue_without_the_database_and_uploads_when_it_is_back() {
    let Some(cluster) = Cluster::start() else {
        eprintln!("skipped: PostgreSQL is not installed; run `cargo xtask test`");
        return;
    };
    let url = cluster.database("catalog");
    let servers = [TestServer::on_address(&url), TestServer::on_address(&url)];
    put(&servers[0], "a").await;
    let before = servers[0].etag().await;
    follows(&servers[1], &before).await;
    assert_eq!(servers[0].get("/health").await.json()["store"], "ok");
    cluster.stop();
    for server in &servers {
        store_is(server, "unavailable").await;
        assert_eq!(server.get("/ready").await.status, 200, "reads do not need the store");
        assert_eq!(server.get("/apps/a").await.status, 200);
        let put = server.admin(Method::PUT, "/admin/records/b").body(record("b").to_string());
        let answer = server.send(put).await;
        assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "10"));
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
    follows(&servers[1], &after).await;
    follows(&waiting.join().unwrap(), &after).await;
    for server in &servers {
        store_is(server, "ok").await;
    }
}

#[tokio::test]
async fn a_server_waits_for_a_database_that_goes_away_while_it_starts() {
    let Some(url) = database() else { return };
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
