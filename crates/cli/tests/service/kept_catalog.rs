//! The served catalog in the store: used at startup, but verified first.

use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{TestServer, label_and_cask, ndjson};

const READS: [&str; 8] = [
    "/apps?limit=1000",
    "/apps/drift",
    "/apps/jamf-index",
    "/apps/beta/sources",
    "/apps/beta/provenance",
    "/apps?vendor=acme&source=label_tool",
    "/search?q=acme",
    "/search?q=bate",
];

/// A store that a server filled and closed cleanly, and the server's last responses.
async fn filled() -> (TempDir, Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let mut server = TestServer::on_store(&folder.path().join("catalog.db"));
    let records = ["alpha", "beta", "gamma"].map(|slug| {
        label_and_cask(slug, Some("Acme"), "1.0", if slug == "beta" { "2" } else { "1.0" })
    });
    assert_eq!(server.upload(&ndjson(&records)).await.status, 200);
    let responses = responses(&server).await;
    server.signal("-TERM");
    server.wait();
    (folder, responses)
}

/// Every body with its entity tag.
async fn responses(server: &TestServer) -> Vec<Vec<u8>> {
    let mut responses = vec![server.etag().await.into_bytes()];
    for path in READS {
        responses.push(server.get(path).await.body);
    }
    responses
}

fn store(folder: &TempDir) -> Connection {
    Connection::open(folder.path().join("catalog.db")).unwrap()
}

fn number(connection: &Connection, query: &str) -> i64 {
    connection.query_row(query, [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_start_shows_what_was_kept_and_writes_nothing() {
    let (folder, before) = filled().await;
    let edition = number(&store(&folder), "SELECT number FROM edition");
    assert_eq!(number(&store(&folder), "SELECT count(*) FROM served"), 3);
    // Without the records, the server can only answer from the stored catalog.
    store(&folder).execute("DELETE FROM record", []).unwrap();
    let server = TestServer::on_store(&folder.path().join("catalog.db"));
    assert_eq!(responses(&server).await, before);
    assert_eq!(number(&store(&folder), "SELECT number FROM edition"), edition);
}

#[tokio::test]
async fn what_was_changed_lost_or_made_by_other_rules_is_made_anew() {
    for damage in [
        "UPDATE served SET app = CAST(replace(CAST(app AS TEXT), 'BETA', 'EVIL') AS BLOB)",
        "UPDATE served SET app = CAST('{' AS BLOB) WHERE slug = 'beta'",
        "UPDATE served SET notes = x'ff'",
        "UPDATE served SET drift = NULL",
        "DELETE FROM served WHERE slug = 'gamma'",
        "DELETE FROM served",
        "DELETE FROM served_by",
        "UPDATE served_by SET rules = 'others'",
    ] {
        let (folder, before) = filled().await;
        store(&folder).execute(damage, []).unwrap();
        let mut server = TestServer::on_store(&folder.path().join("catalog.db"));
        assert_eq!(responses(&server).await, before, "{damage}");
        // The stored catalog is repaired for the next start and the next change.
        let kept = "SELECT count(*) FROM served WHERE length(app) > 20";
        assert_eq!(number(&store(&folder), kept), 3, "{damage}");
        server.kill();
        let server = TestServer::on_store(&folder.path().join("catalog.db"));
        assert_eq!(responses(&server).await, before, "{damage}");
    }
}

#[tokio::test]
async fn a_change_writes_only_the_apps_it_changes() {
    let (folder, _) = filled().await;
    let server = TestServer::on_store(&folder.path().join("catalog.db"));
    // Marks every row; a rewritten row loses its mark.
    store(&folder).execute("UPDATE served SET notes = CAST('{\"x\":1}' AS BLOB)", []).unwrap();
    let records = [
        label_and_cask("alpha", Some("Acme"), "1.0", "1.0"),
        label_and_cask("beta", Some("Acme"), "1.0", "3"),
        label_and_cask("delta", Some("Acme"), "1.0", "1.0"),
    ];
    let put = server
        .admin(reqwest::Method::PUT, "/admin/records?allow_shrink=true")
        .body(ndjson(&records));
    assert_eq!(server.send(put).await.status, 200);
    let connection = store(&folder);
    let mut statement = connection
        .prepare("SELECT slug, CAST(notes AS TEXT) = '{\"x\":1}' FROM served ORDER BY slug")
        .unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let rows: Vec<(String, bool)> = rows.map(Result::unwrap).collect();
    let expected = [("alpha", true), ("beta", false), ("delta", false)];
    assert_eq!(rows, expected.map(|(slug, kept)| (slug.to_owned(), kept)));
}
