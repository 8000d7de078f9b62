//! An import is no restore: what it would freeze, and what it says.

use serde_json::json;

use super::{Scene, fill, put_casks};
use crate::support::{TestServer, ndjson, record, run, run_ok};

#[tokio::test]
async fn an_export_of_the_sources_is_not_imported_over_them() {
    let scene = Scene::new();
    let server = TestServer::empty();
    fill(&server).await;
    put_casks(
        &server,
        &[("one", "1.0"), ("two", "1.0"), ("three", "1"), ("four", "1"), ("five", "1")],
    )
    .await;
    let store = format!("sqlite:{}", server.store().display());
    let file = scene.file("all.ndjson");
    assert_eq!(run(&["records", "export", &file, "--store", &store]).0, 0);
    let before = server.etag().await;
    let (code, _, stderr) = run(&["records", "import", &file, "--store", &store]);
    assert_eq!(code, 1, "{stderr}");
    assert_eq!(
        stderr,
        "error: 5 of 5 apps that the sources keep up to date would become manual records, which no refresh updates\n\
         hint: to copy or restore a store, use `appstitch backup` and `appstitch restore`; pass --freeze if this is intended\n"
    );
    assert_eq!(server.etag().await, before);
    // One app of five may be meant.
    let some = scene.file("some.ndjson");
    std::fs::write(&some, ndjson(&[record("mine"), record("one")])).unwrap();
    let (code, _, stderr) = run(&["records", "import", &some, "--store", &store]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("note: imported apps are manual records"), "{stderr}");
    run_ok(&["records", "import", &file, "--store", &store, "--freeze"]);
    // An empty store has nothing to freeze: this is a mirror.
    let mirror = scene.sqlite("mirror.db");
    let (code, _, stderr) = run(&["records", "import", &file, "--store", &mirror]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("use `appstitch backup` and `appstitch restore`"), "{stderr}");
    let mirror = TestServer::on_address(&mirror);
    assert_eq!(mirror.get("/stats").await.json()["manual_records"], 6);
}

#[tokio::test]
async fn manual_records_tell_that_they_are() {
    let server = TestServer::empty();
    fill(&server).await;
    let stats = server.get("/stats").await.json();
    assert_eq!((&stats["total_apps"], &stats["manual_records"]), (&json!(3), &json!(1)));
    for (slug, is_manual) in [("mine", true), ("one", false)] {
        let provenance = server.get(&format!("/apps/{slug}/provenance")).await.json();
        assert_eq!(provenance["manual_record"], is_manual, "{provenance}");
    }
    // The same after a start, which reads what is kept.
    let again = TestServer::on_store(&server.store());
    assert_eq!(again.get("/stats").await.json(), stats);
    let (_, table, _) = run(&["stats", "--server", &server.base]);
    let line = table.lines().find(|line| line.contains("manual records")).unwrap();
    assert!(line.contains('1'), "{table}");
    assert_eq!(server.put_record(&record("one")).await.status, 200);
    assert_eq!(server.get("/stats").await.json()["manual_records"], 2);
}
