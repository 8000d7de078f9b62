//! Failures while a new version of the program opens a store and publishes its own revision.

use std::fs;

use rusqlite::Connection;

use super::{FailPoints, Failure, POINTS, served};
use crate::support::{Program, TOKEN, TestServer, label_and_cask, ndjson};

/// As if another version had made other bytes from the same records.
const OTHER_VERSION: &str = "
    UPDATE revision SET content_hash = 'other', token = '20200101T000000Z-other';
    UPDATE served_by SET rules = 'others', content_hash = 'other';
    UPDATE served SET app = CAST('{}' AS BLOB);";

#[tokio::test]
async fn a_failed_upgrade_leaves_a_store_that_the_next_start_upgrades() {
    let folder = tempfile::tempdir().unwrap();
    let [old, store] = ["old.db", "catalog.db"].map(|name| folder.path().join(name));
    let points = FailPoints::in_folder(folder.path());
    let mut server = TestServer::on_store(&old);
    let records = ["alpha", "beta"].map(|slug| label_and_cask(slug, Some("Acme"), "1.0", "2.0"));
    assert_eq!(server.upload(&ndjson(&records)).await.status, 200);
    let right = served(&server).await;
    server.signal("-TERM");
    assert!(server.wait().success());
    Connection::open(&old).unwrap().execute_batch(OTHER_VERSION).unwrap();

    // Nothing is served before the store is open, so nothing is swapped.
    for step in &POINTS[1..7] {
        for failure in Failure::ALL {
            for rest in ["-wal", "-shm"] {
                let _ = fs::remove_file(folder.path().join(format!("catalog.db{rest}")));
            }
            fs::copy(&old, &store).unwrap();
            points.arm(*step, failure);
            let mut command = Program::command();
            points.apply(&mut command);
            command.args(["serve", "--no-sample", "--listen", "127.0.0.1:0", "--store"]);
            command.arg(format!("sqlite:{}", store.display()));
            let output = command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN).output().unwrap();
            assert!(points.has_failed(), "{step:?} is a step of an upgrade");
            let expected = if failure == Failure::Crash { None } else { Some(3) };
            assert_eq!(output.status.code(), expected, "{step:?} {failure:?}: {output:?}");
            assert_eq!(output.stdout, b"", "{step:?} {failure:?}: it never listened");

            let server = TestServer::on_store(&store);
            assert_eq!(served(&server).await, right, "{step:?} {failure:?}");
            assert_eq!(server.get("/health").await.status, 200);
            let record = label_and_cask("gamma", None, "1.0", "2.0");
            assert_eq!(
                server.upload(&ndjson(&[&records[..], &[record]].concat())).await.status,
                200
            );
            assert_eq!(server.get("/apps").await.slugs(), ["alpha", "beta", "gamma"]);
        }
    }
}
