//! Failures while a server takes over what another process wrote, or what it could not serve.

use super::{Failure, FaultyServer, POINTS, Step, served};
use crate::support::{TestServer, ndjson, record, run_ok};

fn step(name: &str) -> Step {
    POINTS.into_iter().find(|step| step.name == name).unwrap()
}

#[tokio::test]
async fn what_is_committed_is_served_without_another_upload() {
    let faulty = FaultyServer::start();
    faulty.points.arm(step("swap"), Failure::Panic);
    assert_eq!(faulty.server.upload(&ndjson(&[record("a")])).await.status, 500);
    assert!(faulty.points.has_failed());
    faulty.server.serves(&["a"]).await;
}

#[tokio::test]
async fn a_server_that_fails_to_take_over_a_revision_tries_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("records.ndjson");
    let faulty = FaultyServer::start();
    let store = format!("sqlite:{}", faulty.store().display());
    let mut slugs = Vec::new();
    for (name, failure, slug) in [
        ("read", Failure::Error, "a"),
        ("read", Failure::Panic, "b"),
        ("swap", Failure::Error, "c"),
        ("swap", Failure::Panic, "d"),
    ] {
        slugs.push(slug);
        let records: Vec<_> = slugs.iter().copied().map(record).collect();
        std::fs::write(&file, ndjson(&records)).unwrap();
        faulty.points.arm(step(name), failure);
        // The other process has no fail points.
        let import = ["records", "import", &file.display().to_string(), "--store", &store];
        run_ok(&import);
        faulty.server.serves(&slugs).await;
        assert!(faulty.points.has_failed(), "{name} is a step of taking over");
    }
    let sound = TestServer::on_store(&faulty.store());
    assert_eq!(served(&faulty.server).await, served(&sound).await);
}
