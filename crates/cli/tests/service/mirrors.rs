//! `appstitch serve --mirror`: a server that shows the catalog of another one.

use appstitch_cluster::database;
use serde_json::{Value, json};

use crate::support::{TestServer, eventually, run, run_ok};

/// What a reader may ask for, for an app of the sample.
const READS: &[&str] = &[
    "/apps",
    "/apps?limit=5&offset=3",
    "/apps?source=cask_catalog",
    "/apps/firefoxpkg",
    "/apps/firefoxpkg/sources",
    "/apps/firefoxpkg/details",
    "/apps/firefoxpkg/provenance",
    "/apps/firefoxpkg/history",
    "/apps/firefoxpkg/drift",
    "/apps/firefoxpkg/exports",
    "/apps/firefoxpkg/export/osquery",
    "/apps/jamf-index",
    "/search?q=fire",
    "/changes",
    "/changes?squash=true",
    "/changes?limit=3",
    "/changes.csv",
    "/drift",
    "/vendors.csv",
    "/stats",
    "/aliases/firefox",
    "/feed.json",
    "/drift/feed.json",
    "/badge/version/firefoxpkg.svg",
    "/export/osquery.tar.gz",
    "/jamf/v1/software",
    "/jamf/v1/omitted",
    "/a/firefoxpkg",
    "/catalog/index.json",
    "/catalog/index.json.minisig",
    "/catalog/key.pub",
];

struct Key {
    folder: tempfile::TempDir,
    public: String,
}

impl Key {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let printed = run_ok(&["catalog", "new-key", folder.path().join("key").to_str().unwrap()]);
        Self { public: printed.lines().last().unwrap().to_owned(), folder }
    }

    fn origin(&self) -> TestServer {
        let file = self.folder.path().join("key").display().to_string();
        TestServer::with(&["--signing-key-file", &file])
    }

    fn mirror_of(&self, origin: &TestServer) -> TestServer {
        TestServer::with(&["--mirror", &origin.base, "--key", &self.public, "--allow-private"])
    }
}

async fn assert_same(origin: &TestServer, mirror: &TestServer) {
    let index = origin.get("/catalog/index.json").await.json();
    let files = ["snapshot", "snapshot_gzip", "with_sources"];
    let files = files.map(|file| format!("/catalog/{}", index[file]["path"].as_str().unwrap()));
    for read in READS.iter().copied().chain(files.iter().map(String::as_str)) {
        let [one, other] = [origin.get(read).await, mirror.get(read).await];
        assert_ne!(one.status, 404, "{read}");
        assert_eq!((one.status, &one.body), (other.status, &other.body), "{read}");
        // Pages and tables also show the state of the sources, which a mirror does not know.
        if read.starts_with("/apps") {
            assert_eq!(one.header("etag"), other.header("etag"), "{read}");
        }
    }
}

#[tokio::test]
async fn a_mirror_and_its_mirror_serve_the_bytes_of_the_origin() {
    let key = Key::new();
    let mut origin = key.origin();
    let record = json!({"app": crate::support::app("another"), "sources": null});
    assert_eq!(origin.put_record(&record).await.status, 200);
    let etag = origin.etag().await;
    let mirror = key.mirror_of(&origin);
    mirror.follows(&etag).await;
    let further = key.mirror_of(&mirror);
    further.follows(&etag).await;
    for server in [&mirror, &further] {
        assert_same(&origin, server).await;
    }

    let sources = mirror.get("/sources").await.json();
    let told = &sources["mirror"];
    let index = origin.get("/catalog/index.json").await.json();
    assert_eq!(told["origin"], json!(format!("{}/catalog/", origin.base)));
    assert_eq!((&told["serial"], &told["catalog"]), (&index["serial"], &index["catalog"]));
    assert_eq!(told["published_at"], index["at"]);
    eventually("the fetch never ends", async || {
        let sources = mirror.get("/sources").await.json();
        sources["mirror"]["refresh"]["problem"] == Value::Null
    })
    .await;
    assert!(origin.get("/sources").await.json().get("mirror").is_none());
    let [one, other] = [origin.get("/health").await.json(), mirror.get("/health").await.json()];
    assert_eq!(one["signing_key"], other["signing_key"]);
    assert_eq!(other["mirror"], told["origin"]);

    for upload in ["/admin/records/mine", "/admin/sources/cask_catalog"] {
        let response = mirror.put(upload, record.to_string()).await;
        assert!(response.status.is_client_error(), "{upload}: {response:?}");
        assert_eq!(mirror.etag().await, etag);
    }
    origin.kill();
    assert_eq!(mirror.get("/apps/firefoxpkg").await.status, 200);
    assert_eq!(further.get("/catalog/index.json").await.status, 200);
}

#[tokio::test]
async fn a_mirror_on_postgres_works_without_its_origin_after_a_restart() {
    let key = Key::new();
    let mut origin = key.origin();
    let etag = origin.etag().await;
    let database = database();
    let base = origin.base.clone();
    let start = || {
        let arguments = ["--mirror", &base, "--key", &key.public, "--allow-private"];
        TestServer::start_at(crate::support::Program::command(), &database, &arguments, |_| {})
    };
    let replicas = [start(), start()];
    for replica in &replicas {
        replica.follows(&etag).await;
        assert_same(&origin, replica).await;
    }
    drop(replicas);
    origin.kill();
    let again = start();
    again.follows(&etag).await;
    assert_eq!(again.get("/catalog/index.json").await.status, 200);
}

#[tokio::test]
async fn a_mirror_without_its_origin_takes_no_uploads() {
    let key = Key::new();
    let nobody = "http://127.0.0.1:1";
    let mirror = TestServer::with(&["--mirror", nobody, "--key", &key.public, "--allow-private"]);
    let record = json!({"app": crate::support::app("another"), "sources": null});
    let response = mirror.put_record(&record).await;
    assert_eq!(response.status, 409, "{response:?}");
    assert!(response.text().contains("This server is a mirror"), "{}", response.text());
}

#[tokio::test]
async fn a_mirror_with_another_key_shows_nothing() {
    let (key, other) = (Key::new(), Key::new());
    let origin = key.origin();
    let mirror =
        TestServer::with(&["--mirror", &origin.base, "--key", &other.public, "--allow-private"]);
    eventually("the refusal is never told", async || {
        let health = mirror.get("/health").await.json();
        let why = health["refresh_problem"].as_str().unwrap_or_default().to_owned();
        why.contains("signed with an unknown key")
    })
    .await;
    assert_eq!(mirror.get("/apps").await.slugs().len(), 0);
}

#[test]
fn a_mirror_needs_a_key_and_cannot_refresh() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("a.db").display());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--store", &store];
    for (arguments, why) in [
        (&["--mirror", "http://127.0.0.1:1"][..], "needs the public key"),
        (&["--key", "x"], "--mirror"),
        (&["--mirror", "http://127.0.0.1:1", "--key", "nonsense"], "neither a public key"),
        (&["--mirror", "ftp://example.com", "--unsigned"], "neither an HTTP"),
        (&["--mirror", "http://a:sesame@b", "--unsigned"], "not supported"),
        (&["--mirror", "http://127.0.0.1:1", "--unsigned", "--refresh-every", "6h"], "cannot be"),
        (&["--mirror", "http://127.0.0.1:1", "--unsigned", "--mirror-every", "1s"], "at least 5s"),
    ] {
        let (code, _, stderr) = run(&[&serve[..], arguments].concat());
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(why) && !stderr.contains("sesame"), "{arguments:?}: {stderr}");
    }
    assert!(!folder.path().join("a.db").exists());
}
