//! `/catalog/…`: the files of the catalog as a server sends them.

use std::{fs, path::Path, process::Command};

use appstitch_catalog_files::Index;
use appstitch_cluster::database;
use reqwest::Method;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Response, TOKEN, TestServer, app, run_ok, succeed};

/// A folder with a key.
fn key() -> (TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key").display().to_string();
    let public = run_ok(&["catalog", "new-key", &file]);
    let public = public.lines().last().unwrap().to_owned();
    (folder, file, public)
}

/// Many apps that stay make a delta worth having.
fn records(version: &str) -> Vec<Value> {
    let stable = (0..50).map(|number| format!("stable-{number:02}"));
    let mut records: Vec<Value> =
        stable.map(|slug| json!({"app": app(&slug), "sources": null})).collect();
    let mut changing = app("changing");
    changing["current_version"] = json!(version);
    records.push(json!({"app": changing, "sources": null}));
    records
}

async fn index(server: &TestServer) -> Index {
    let response = server.get("/catalog/index.json").await;
    assert_eq!(response.status, 200, "{response:?}");
    Index::read(&response.body).unwrap()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let digest = digest(&SHA256, bytes);
    digest.as_ref().iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// Copies everything that a server sends into a folder.
async fn copy(server: &TestServer, names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let index = index(server).await;
    let files = index.files().map(|file| file.path.as_str());
    for name in files.chain(["index.json"]).chain(names.iter().copied()) {
        let response = server.get(&format!("/catalog/{name}")).await;
        assert_eq!(response.status, 200, "{name}");
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, response.body).unwrap();
    }
    folder
}

fn minisign(folder: &Path, signature: &str, key: &str) -> bool {
    let line = ["-Vm", "index.json", "-x", signature, "-P", key];
    let output = Command::new("minisign").args(line).current_dir(folder).output().unwrap();
    output.status.success()
}

#[tokio::test]
async fn what_is_served_is_verified_by_ordinary_tools() {
    let (_folder, file, public) = key();
    let server = TestServer::with(&["--signing-key-file", &file]);
    server.replace_records(&records("1")).await;
    server.replace_records(&records("2")).await;
    let copied = copy(&server, &["index.json.minisig", "key.pub"]).await;
    let folder = copied.path().display().to_string();
    let said = run_ok(&["catalog", "verify", &folder, "--key", &public]);
    assert!(said.contains("the signature and 4 files are right"), "{said}");
    assert!(minisign(copied.path(), "index.json.minisig", &public));
    let with_file = ["-Vm", "index.json", "-p", "key.pub"];
    succeed(Command::new("minisign").args(with_file).current_dir(copied.path()));

    // `catalog publish` writes the same bytes.
    let published = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", server.store().display());
    let folder = published.path().display().to_string();
    run_ok(&["catalog", "publish", &folder, "--store", &store, "--signing-key-file", &file]);
    succeed(
        Command::new("diff").args(["-r", "."]).arg(published.path()).current_dir(copied.path()),
    );

    let health = server.get("/health").await.json();
    assert_eq!(health["signed"], true);
    let about = server.get("/about").await;
    let about = about.html();
    assert!(about.contains(&public) && about.contains("The index is signed"), "{about}");
    let id = health["signing_key"].as_str().unwrap();
    assert!(server.get("/catalog/key.pub").await.text().contains(id));
    let (code, shown, _) = server.run(&["health"]);
    assert!(code == 0 && shown.contains(id), "{shown}");
}

#[tokio::test]
async fn caches_are_told_what_changes_and_what_never_does() {
    let (_folder, file, _) = key();
    let server = TestServer::with(&["--signing-key-file", &file]);
    server.replace_records(&records("1")).await;
    server.replace_records(&records("2")).await;
    let index = index(&server).await;
    for (name, kind) in [
        ("index.json", "application/json"),
        ("index.json.minisig", "text/plain; charset=utf-8"),
        ("key.pub", "text/plain; charset=utf-8"),
    ] {
        let path = format!("/catalog/{name}");
        let response = server.get(&path).await;
        let field = |name: &str| response.header(name).to_owned();
        assert_eq!(
            (field("content-type"), field("cache-control")),
            (kind.into(), "no-cache".into())
        );
        assert_eq!(field("access-control-allow-origin"), "*");
        let etag = field("etag");
        assert_unchanged(&server.get_with(&path, "if-none-match", &etag).await, &etag);
        let other = server.get_with(&path, "if-none-match", "\"other\"").await;
        assert_eq!((other.status.as_u16(), &other.body), (200, &response.body));
        assert_head(&server, &path, &response).await;
    }
    let packed = server.get_with("/catalog/index.json", "accept-encoding", "gzip").await;
    assert_eq!(packed.header("content-encoding"), "gzip");

    for file in index.files() {
        let path = format!("/catalog/{}", file.path);
        let response = server.get_with(&path, "accept-encoding", "gzip, zstd, br").await;
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(
            (sha256(&response.body), response.body.len() as u64),
            (file.sha256.clone(), file.size)
        );
        assert_eq!(response.header("cache-control"), "public, max-age=31536000, immutable");
        let is_gzip = Path::new(&path).extension().is_some_and(|extension| extension == "gz");
        let kind = if is_gzip { "application/gzip" } else { "application/zstd" };
        assert_eq!(response.header("content-type"), kind);
        assert_eq!(response.header("content-encoding"), "", "it is compressed already");
        assert_head(&server, &path, &response).await;
    }

    // Publishing changes the index, and takes nothing from a reader of the last one.
    let before = server.get("/catalog/index.json").await;
    server.replace_records(&records("3")).await;
    let after = server.get("/catalog/index.json").await;
    assert_ne!(before.header("etag"), after.header("etag"));
    for file in index.files() {
        let response = server.get(&format!("/catalog/{}", file.path)).await;
        assert_eq!(sha256(&response.body), file.sha256, "{}", file.path);
    }
    let newer = Index::read(&after.body).unwrap();
    assert_eq!(newer.deltas.len(), 2);
    assert_eq!(newer.deltas[0].from, index.revision);
    assert!(newer.serial >= index.serial);
}

fn assert_unchanged(response: &Response, etag: &str) {
    assert_eq!((response.status.as_u16(), response.body.len()), (304, 0));
    assert_eq!((response.header("etag"), response.header("cache-control")), (etag, "no-cache"));
}

async fn assert_head(server: &TestServer, path: &str, expected: &Response) {
    let head = server.send(server.request(Method::HEAD, path)).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{path}");
    assert_eq!(head.header("content-length"), expected.body.len().to_string(), "{path}");
    assert_eq!(head.header("content-type"), expected.header("content-type"), "{path}");
}

#[tokio::test]
async fn an_unsigned_catalog_says_so() {
    let server = TestServer::empty();
    let empty = server.get("/catalog/index.json").await;
    assert_eq!(
        (empty.status.as_u16(), empty.detail()),
        (404, "Nothing has been published yet".into())
    );
    server.replace_records(&records("1")).await;
    for name in ["index.json.minisig", "key.pub", "index.json.3EE099C6D7C570E6.minisig"] {
        let response = server.get(&format!("/catalog/{name}")).await;
        assert_eq!(
            (response.status.as_u16(), response.detail()),
            (404, "This catalog is not signed".into())
        );
        assert_eq!(response.header("cache-control"), "no-store");
    }
    let health = server.get("/health").await.json();
    assert_eq!((&health["signed"], &health["signing_key"]), (&json!(false), &Value::Null));
    assert!(server.get("/about").await.html().contains("The index is not signed."));
    let index = index(&server).await;
    assert_eq!((index.apps, index.deltas.len()), (51, 0));

    let revision = &index.revision;
    let detail = async |path: &str| {
        let response = server.get(path).await;
        assert_eq!((response.status.as_u16(), response.header("cache-control")), (404, "no-store"));
        response.detail()
    };
    let of_the_revision = |file: &str| format!("/catalog/{revision}/{file}");
    for path in [
        "/catalog",
        "/catalog/other",
        &of_the_revision("catalog.ndjson"),
        &of_the_revision("from-x.ndjson.zst"),
    ] {
        assert_eq!(server.get(path).await.detail(), "Not Found", "{path}");
    }
    for unknown in ["20200101T000000Z-0123456789ab", "29990101T000000Z-0123456789ab", "%2e%2e%2f"] {
        let said = detail(&format!("/catalog/{unknown}/catalog.ndjson.zst")).await;
        assert!(said.contains("start again with /catalog/index.json"), "{said}");
    }
    let post = server.send(server.request(Method::POST, "/catalog/index.json")).await;
    assert_eq!((post.status.as_u16(), post.header("allow")), (405, "GET,HEAD"));
}

#[tokio::test]
async fn both_keys_sign_and_are_told_while_keys_change() {
    let ((_folder, file, public), (_other, next_file, next)) = (key(), key());
    let arguments = ["--signing-key-file", &file, "--next-signing-key-file", &next_file];
    let server = TestServer::with(&arguments);
    server.replace_records(&records("1")).await;
    let health = server.get("/health").await.json();
    let name = |key: &str| format!("index.json.{}.minisig", health[key].as_str().unwrap());
    let (current_name, next_name) = (name("signing_key"), name("next_signing_key"));
    let copied = copy(&server, &["index.json.minisig", &current_name, &next_name]).await;
    let verifies = |name: &str, key: &str| minisign(copied.path(), name, key);
    assert!(verifies("index.json.minisig", &public) && verifies(&current_name, &public));
    assert!(verifies(&next_name, &next) && !verifies(&next_name, &public));
    assert_eq!(index(&server).await.next_key.as_deref(), Some(next.as_str()));
    let unknown = server.get("/catalog/index.json.0123456789ABCDEF.minisig").await;
    assert_eq!(unknown.detail(), "The catalog is not signed with this key");
    let about = server.get("/about").await;
    assert!(about.html().contains(&public) && about.html().contains(&next));
}

#[tokio::test]
async fn replicas_serve_the_same_files_and_those_of_each_other() {
    let (_folder, file, _) = key();
    let url = database();
    let start = || {
        TestServer::start_at(
            crate::support::Program::command(),
            &url,
            &["--no-sample", "--signing-key-file", &file],
            |command| {
                command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
            },
        )
    };
    let servers = [start(), start()];
    for version in ["1", "2", "3"] {
        servers[0].replace_records(&records(version)).await;
        let index = index(&servers[0]).await;
        // The other one may not have heard of this revision yet, and has made nothing of it.
        for file in index.files() {
            let response = servers[1].get(&format!("/catalog/{}", file.path)).await;
            assert_eq!(response.status, 200, "{response:?}");
            assert_eq!(sha256(&response.body), file.sha256, "{}", file.path);
        }
    }
    servers[1].follows(&servers[0].etag().await).await;
    // A third one has only what is stored.
    let third = start();
    for name in ["index.json", "index.json.minisig", "key.pub"] {
        let path = format!("/catalog/{name}");
        let expected = servers[0].get(&path).await;
        for other in [&servers[1], &third] {
            let found = other.get(&path).await;
            assert!(found.status == 200 && found.body == expected.body, "{path}");
            assert_eq!(found.header("etag"), expected.header("etag"));
        }
    }
}

#[tokio::test]
async fn many_readers_of_a_new_revision_get_the_same_index() {
    let server = TestServer::with_records(&records("1")).await;
    let reads = (0..40).map(|_| server.get("/catalog/index.json"));
    let responses = futures_util::future::join_all(reads).await;
    let first = &responses[0];
    assert!(responses.iter().all(|response| response.status == 200 && response.body == first.body));
}

#[test]
fn a_key_that_others_can_read_is_refused_before_the_store_is_touched() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, file, _) = key();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let store = folder.path().join("new.db");
    let address = format!("sqlite:{}", store.display());
    for command in [
        &["serve", "--listen", "127.0.0.1:0", "--store", &address][..],
        &["export", "out", "--store", &address],
    ] {
        let (code, _, stderr) =
            crate::support::run(&[command, &["--signing-key-file", &file]].concat());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains("chmod 600"), "{stderr}");
        assert!(!store.exists());
    }
}
