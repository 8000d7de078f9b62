//! From one export to the next: only what changed, all at once, and whole after a crash.

use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::Path,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use appstitch_cluster::database;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use crate::{
    exported::{Entry, Exported},
    nginx::Nginx,
    service::support::{TestServer, app, label_and_cask, ndjson, record},
};

fn releases(exported: &Exported) -> BTreeSet<String> {
    let entries = fs::read_dir(exported.path().join("releases")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn the_same_revision_is_not_written_again() {
    let live = TestServer::with_records(&[record("a")]).await;
    let exported = Exported::of_file(&live.store());
    let printed = exported.run().await;
    assert!(
        printed.contains(" addresses of revision ") && printed.contains(" 0 kept"),
        "{printed}"
    );
    let (before, manifest) = (exported.current(), exported.node("manifest.json"));
    let printed = exported.run().await;
    assert!(printed.starts_with("unchanged: ") && printed.contains("nothing written"), "{printed}");
    assert_eq!((exported.current(), exported.node("manifest.json")), (before, manifest));
    assert_eq!(releases(&exported).len(), 1);
}

#[tokio::test]
async fn only_what_changed_is_written_and_the_release_before_is_kept() {
    let versions = |version| {
        let mut moved = label_and_cask("moved", Some("Mover"), version, "9.0");
        moved["app"]["current_version"] = json!(version);
        [moved, label_and_cask("still", Some("Stayer"), "1.0", "1.0")]
    };
    let live = TestServer::with_records(&versions("1.0")).await;
    let exported = Exported::of_file(&live.store());
    exported.run().await;
    let edge = Nginx::start(&exported.path());
    let first = (exported.current(), exported.entries());
    let nodes: Vec<(String, (u64, i64))> =
        first.1.iter().map(|entry| (entry.file.clone(), exported.node(&entry.file))).collect();
    assert_eq!(live.put_record(&versions("2.0")[0]).await.status, 200);
    let printed = exported.run().await;
    assert!(printed.contains(" changed, ") && printed.contains(" kept, 0 removed"), "{printed}");
    assert_eq!(releases(&exported).len(), 2);
    assert!(first.0.join("manifest.json").exists(), "for readers in the middle of it");
    let second = exported.entries();
    let hash = |file: &str| second.iter().find(|entry| entry.file == file).unwrap().sha256.clone();
    let changed: BTreeSet<&str> = first
        .1
        .iter()
        .filter(|entry| hash(&entry.file) != entry.sha256)
        .map(|entry| entry.file.as_str())
        .collect();
    for file in [
        "apps/moved/@index.json",
        "apps/moved/sources.json",
        "apps/@pages/100-0.json",
        "changes.json",
        "feed.atom",
        "a/moved/@index.html",
    ] {
        assert!(changed.contains(file), "{file} is not in {changed:?}");
    }
    for file in &changed {
        assert!(!file.contains("still") && !file.contains("stayer"), "{file} changed");
    }
    // What did not change is a file of the export before. Equal contents may share another one of it.
    for (file, _) in nodes.iter().filter(|(file, _)| !changed.contains(file.as_str())) {
        let node = exported.node(file);
        assert!(nodes.iter().any(|(_, before)| *before == node), "{file}");
    }
    // nginx serves the new one, without a reload.
    let (found, expected) = (edge.get("/apps/moved").await, live.get("/apps/moved").await);
    assert_eq!((found.text(), found.header("etag")), (expected.text(), expected.header("etag")));
    // An app that is gone has no record any more, but its history.
    let removed = live.delete("/admin/records/moved").await;
    assert_eq!(removed.status, 200);
    let printed = exported.run().await;
    assert!(!printed.contains(" 0 removed"), "{printed}");
    assert_eq!(releases(&exported).len(), 2);
    assert!(!first.0.exists(), "older ones are removed");
    assert_eq!(edge.get("/apps/moved").await.status, 404);
    assert_eq!(
        edge.get("/apps/moved/history").await.status,
        live.get("/apps/moved/history").await.status
    );
    assert_eq!(
        edge.get("/apps/moved/feed.atom").await.text(),
        live.get("/apps/moved/feed.atom").await.text()
    );
    assert_eq!(edge.complaints(), "");
}

fn generation(number: u32) -> String {
    let records: Vec<Value> = (0..60)
        .map(|position| {
            let mut app = app(&format!("app-{position:03}"));
            app["current_version"] = json!(number.to_string());
            json!({"app": app, "sources": null})
        })
        .collect();
    ndjson(&records)
}

/// Checks every file of the served release against its hash; returns the version that it has.
fn whole_version(exported: &Exported) -> u32 {
    let current = exported.current();
    for entry in exported.entries() {
        let body = fs::read(current.join(&entry.file)).unwrap();
        let mut hash = String::new();
        digest(&SHA256, &body).as_ref().iter().for_each(|byte| write!(hash, "{byte:02x}").unwrap());
        assert_eq!(hash, entry.sha256, "{}", entry.file);
        let content = fs::canonicalize(current.join(&entry.file)).unwrap();
        for ending in [".gz", ".zst"] {
            let packed = format!("{}{ending}", content.display());
            assert_eq!(Path::new(&packed).exists(), entry.packed, "{ending} of {}", entry.file);
        }
    }
    let apps = fs::read(current.join("apps/@pages/1000-0.json")).unwrap();
    let apps: Value = serde_json::from_slice(&apps).unwrap();
    let apps = apps.as_array().unwrap();
    let version = &apps[0]["current_version"];
    assert!(apps.len() == 60 && apps.iter().all(|app| app["current_version"] == *version));
    version.as_str().unwrap().parse().unwrap()
}

async fn wait_at_most(process: &mut Child, time: Duration) {
    let started = Instant::now();
    while started.elapsed() < time {
        if process.try_wait().unwrap().is_some() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_kill_at_any_moment_leaves_one_whole_export() {
    let live = TestServer::empty();
    live.upload(&generation(0)).await;
    let exported = Exported::of_file(&live.store());
    let started = Instant::now();
    exported.run().await;
    let whole = started.elapsed();
    let (mut shown, mut kept_old, mut took_new) = (0, 0, 0);
    for number in 1..=8_u32 {
        assert_eq!(live.upload(&generation(number)).await.status, 200);
        let mut process = exported.command().stderr(Stdio::null()).spawn().unwrap();
        // The first one has no time, and the last ones are waited for, so that both outcomes occur, even if
        // the machine is much slower or faster than before.
        let time = if number > 6 { Duration::from_mins(10) } else { whole * (number - 1) / 6 };
        wait_at_most(&mut process, time).await;
        let _ = process.kill();
        process.wait().unwrap();
        let version = whole_version(&exported);
        assert!(version == shown || version == number, "{version}");
        if version == number {
            took_new += 1;
        } else {
            kept_old += 1;
        }
        shown = version;
    }
    assert!(
        kept_old > 0 && took_new > 0,
        "{kept_old} kept the old export, {took_new} have the new one"
    );
    assert!(!releases(&exported).iter().any(|name| name.ends_with(".partial")), "left behind");
}

#[tokio::test]
async fn an_interrupted_export_tells_so_and_leaves_the_old_one() {
    let live = TestServer::empty();
    live.upload(&generation(0)).await;
    let exported = Exported::of_file(&live.store());
    exported.run().await;
    let before = exported.current();
    live.upload(&generation(1)).await;
    let process = exported.command().stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let partial = exported.path().join("releases/next.partial");
    while !partial.exists() && exported.current() == before {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let sent =
        std::process::Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let (code, said) = crate::exported::code_and_text(&process.wait_with_output().unwrap());
    if code == Some(0) {
        // It was too fast.
        assert_eq!(whole_version(&exported), 1);
        return;
    }
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("interrupted; the previous export is unchanged"), "{said}");
    assert_eq!(exported.current(), before);
    assert!(!partial.exists());
}

#[tokio::test]
async fn a_postgresql_store_gives_the_same_files() {
    let url = database();
    let records = ndjson(&[label_and_cask("one", Some("Maker"), "1.0", "2.0"), record("two")]);
    let live = TestServer::on_address(&url);
    assert_eq!(live.upload(&records).await.status, 200);
    let exported = Exported::new(&url);
    exported.run().await;
    for path in ["/apps", "/apps/one/sources", "/apps/drift", "/vendors/maker/feed.atom", "/stats"]
    {
        let entries = exported.entries();
        let is_own = |entry: &&Entry| entry.address == path && !entry.is_for_browsers();
        let entry = entries.iter().find(is_own);
        let entry = entry.unwrap_or_else(|| panic!("{path}"));
        let body = fs::read(exported.current().join(&entry.file)).unwrap();
        assert!(body == live.get(path).await.body, "{path}");
    }
}
