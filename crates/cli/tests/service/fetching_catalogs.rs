//! `appstitch catalog fetch`: what is taken over, and what is refused without a change.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::Stdio,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use appstitch_catalog_files::{Index, patch_path};
use appstitch_upstreams::{Delivery, Reply, Request, TestHost};

use crate::{
    catalog_files::{Scene, flipped},
    support::{Program, TestServer, run, run_ok},
};

const MANY: u32 = 40;

impl Scene {
    /// Publishes a revision in which every app has this version.
    pub(crate) fn revision(&self, version: u32) -> Index {
        let slugs: Vec<String> = (0..MANY).map(|number| format!("app-{number}")).collect();
        let apps: Vec<(&str, u32)> = slugs.iter().map(|slug| (slug.as_str(), version)).collect();
        self.import(&apps);
        self.publish_signed()
    }

    pub(crate) fn copy(&self) -> String {
        format!("sqlite:{}", self.text("copy.db"))
    }

    pub(crate) fn public_key(&self) -> String {
        let file = fs::read_to_string(self.path("out/key.pub")).unwrap();
        file.lines().last().unwrap().to_owned()
    }

    /// Fetches into the copy.
    pub(crate) fn fetch(&self, origin: &str, more: &[&str]) -> (i32, String, String) {
        let copy = self.copy();
        run(&[&["catalog", "fetch", origin, "--store", &copy, "--allow-private"][..], more]
            .concat())
    }

    pub(crate) fn fetch_folder(&self) -> (i32, String, String) {
        self.fetch(&self.text("out"), &["--key", &self.public_key()])
    }

    /// The version that every app of the copy has; `None` if there are no apps.
    pub(crate) fn version(&self) -> Option<u32> {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let (code, _, stderr) =
            run(&["catalog", "publish", out.to_str().unwrap(), "--store", &self.copy()]);
        if code != 0 {
            assert!(stderr.contains("the store is empty"), "{stderr}");
            return None;
        }
        let index = Index::read(&fs::read(out.join("index.json")).unwrap()).unwrap();
        let packed = fs::read(out.join(&index.snapshot.path)).unwrap();
        let lines = String::from_utf8(zstd::decode_all(&packed[..]).unwrap()).unwrap();
        let apps = lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap());
        let apps: Vec<serde_json::Value> = apps.collect();
        assert_eq!(apps.len(), MANY as usize);
        let versions: BTreeSet<&str> =
            apps.iter().map(|app| app["current_version"].as_str().unwrap()).collect();
        assert_eq!(versions.len(), 1, "two revisions are mixed: {versions:?}");
        versions.first().unwrap().parse().ok()
    }
}

fn index_of(folder: &Path) -> Index {
    Index::read(&fs::read(folder.join("index.json")).unwrap()).unwrap()
}

/// Copies a folder and what is below it.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_catalog_is_fetched_from_a_folder_and_updated() {
    let scene = Scene::new();
    scene.revision(1);
    let (code, stdout, stderr) = scene.fetch_folder();
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("received revision"), "{stdout}");
    assert_eq!(scene.version(), Some(1));
    assert!(scene.fetch_folder().1.starts_with("kept revision"));
    scene.revision(2);
    assert!(scene.fetch_folder().1.starts_with("received revision"));
    assert_eq!(scene.version(), Some(2));

    // It can be handed on: its files are those of the origin, with the same signature.
    let further = scene.text("further");
    run_ok(&["catalog", "publish", &further, "--store", &scene.copy()]);
    run_ok(&["catalog", "verify", &further, "--key", &scene.public_key()]);
    let files = ["index.json", "index.json.minisig", "key.pub"];
    for file in files {
        let [one, other] =
            ["out", "further"].map(|folder| fs::read(scene.path(folder).join(file)).unwrap());
        assert!(one == other, "{file}");
    }

    let old = scene.fetch(&scene.text("out"), &["--key", &scene.public_key(), "--max-age", "1s"]);
    thread::sleep(Duration::from_secs(2));
    let (code, _, stderr) =
        scene.fetch(&scene.text("out"), &["--key", &scene.public_key(), "--max-age", "1s"]);
    assert_eq!((old.0, code), (0, 0));
    assert!(stderr.contains("the catalog is old"), "{stderr}");
}

#[test]
fn every_changed_file_is_refused_and_changes_nothing() {
    let scene = Scene::new();
    scene.revision(1);
    assert_eq!(scene.fetch_folder().0, 0);
    let first = scene.path("first");
    copy_folder(&scene.path("out"), &first);
    let index = scene.revision(2);
    let out = scene.path("out");
    let with_sources = index.with_sources.clone().unwrap().path;
    // With a patch, the whole file is not read.
    fs::remove_file(out.join(patch_path(&index.revision, &index_of(&first).revision))).unwrap();
    for name in ["index.json", "index.json.minisig", &with_sources] {
        let file = out.join(name);
        let bytes = fs::read(&file).unwrap();
        let mut damaged = vec![bytes[..bytes.len() / 2].to_vec(), Vec::new()];
        for part in 1..20 {
            let mut changed = bytes.clone();
            // The first line of a signature is not signed.
            let position = (bytes.len() - 2).min(60 + bytes.len() * part / 20);
            changed[position] ^= 1;
            damaged.push(changed);
        }
        for bytes in damaged {
            fs::write(&file, bytes).unwrap();
            let (code, _, stderr) = scene.fetch_folder();
            assert!([1, 5].contains(&code), "{name}: {code} {stderr}");
            assert_eq!(scene.version(), Some(1), "{name}");
        }
        fs::write(&file, bytes).unwrap();
    }
    // The files of two revisions are swapped.
    let older_file = first.join(index_of(&first).with_sources.unwrap().path);
    let bytes = fs::read(out.join(&with_sources)).unwrap();
    fs::copy(older_file, out.join(&with_sources)).unwrap();
    assert_eq!(scene.fetch_folder().0, 1);
    fs::remove_file(out.join(&with_sources)).unwrap();
    assert_eq!(scene.fetch_folder().0, 3, "the file is missing");
    fs::write(out.join(&with_sources), bytes).unwrap();
    fs::copy(first.join("index.json.minisig"), out.join("index.json.minisig")).unwrap();
    assert_eq!(scene.fetch_folder().0, 1, "the signature of the older index");
    assert_eq!(scene.version(), Some(1));
    assert_eq!(scene.fetch("/no/such/folder", &["--unsigned"]).0, 2);
}

#[test]
fn each_reason_has_its_own_sentence_and_exit_code() {
    let scene = Scene::new();
    scene.revision(1);
    let first = scene.text("first");
    copy_folder(&scene.path("out"), Path::new(&first));
    thread::sleep(Duration::from_millis(1100));
    scene.revision(2);
    assert_eq!(scene.fetch_folder().0, 0);
    let key = scene.public_key();
    let refused = |origin: &str, key: &str, code: i32, why: &str| {
        let (found, _, stderr) = scene.fetch(origin, &["--key", key]);
        assert_eq!(found, code, "{stderr}");
        assert!(stderr.contains(why), "{stderr}");
        assert_eq!(scene.version(), Some(2));
    };
    // An older index stays valid for ever, so it is known by its serial.
    refused(&first, &key, 7, "older catalog than the store");
    assert_eq!(scene.fetch(&first, &["--key", &key, "--allow-rollback"]).0, 0);
    assert_eq!(scene.version(), Some(1));
    assert_eq!(scene.fetch_folder().0, 0);

    let other_key = run_ok(&["catalog", "new-key", &scene.text("other")]);
    let other_key = other_key.lines().last().unwrap();
    refused(&scene.text("out"), other_key, 5, "signed with an unknown key");
    let other = Scene::new();
    other.revision(2);
    refused(&other.text("out"), &other.public_key(), 8, "the origin has catalog");

    let index = scene.path("out/index.json");
    let bytes = fs::read(&index).unwrap();
    fs::write(&index, r#"{"schema":2}"#).unwrap();
    refused(&scene.text("out"), &key, 6, "use a newer version");
    fs::write(&index, bytes).unwrap();
    fs::remove_file(scene.path("out/index.json.minisig")).unwrap();
    // What is known already is not verified again; another key is.
    run_ok(&["catalog", "new-key", &scene.text("third")]);
    refused(&scene.text("out"), other_key, 5, "not signed");
    fs::remove_file(&index).unwrap();
    refused(&scene.text("out"), &key, 3, "index.json");

    let own = format!("sqlite:{}", scene.text("store.db"));
    let (code, _, stderr) = run(&[
        "catalog",
        "fetch",
        &other.text("out"),
        "--key",
        &other.public_key(),
        "--store",
        &own,
    ]);
    assert_eq!(code, 3);
    assert!(stderr.contains("a catalog of its own"), "{stderr}");
    let neither = run(&["catalog", "fetch", &other.text("out"), "--store", &scene.copy()]);
    assert_eq!(neither.0, 2, "either a key, or --unsigned");
}

#[test]
fn one_of_two_keys_is_enough_while_keys_change() {
    let scene = Scene::new();
    scene.revision(1);
    let next = run_ok(&["catalog", "new-key", &scene.text("next")]);
    let next = next.lines().last().unwrap();
    let (key, file) = (scene.text("key"), scene.text("next"));
    assert_eq!(scene.publish(&["--signing-key-file", &key, "--next-signing-key-file", &file]).0, 0);
    let old = scene.public_key();
    for known in [next, &old] {
        let (code, _, stderr) = scene.fetch(&scene.text("out"), &["--key", known]);
        assert_eq!(code, 0, "{stderr}");
    }
    // Who verifies before and after needs both only for a moment.
    assert_eq!(scene.publish(&["--signing-key-file", &file]).0, 0);
    assert_eq!(scene.fetch(&scene.text("out"), &["--key", &old, "--key", next]).0, 0);
    assert_eq!(scene.fetch(&scene.text("out"), &["--key", &old]).0, 5);
}

/// Serves a folder, and may answer some requests in another way.
fn host(
    folder: &Path,
    instead: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static,
) -> TestHost {
    let folder = folder.to_owned();
    let answer = move |request: &Request| {
        if let Some(reply) = instead(request) {
            return reply;
        }
        let Ok(bytes) = fs::read(folder.join(request.path().trim_start_matches("/catalog/")))
        else {
            return Reply::new(404, "");
        };
        let sum: u64 = bytes.iter().map(|byte| u64::from(*byte)).sum();
        let etag = format!("\"{}-{sum}\"", bytes.len());
        if request.header("if-none-match") == Some(&etag) {
            return Reply::new(304, "");
        }
        Reply::new(200, bytes).with("etag", &etag)
    };
    TestHost::start(answer).unwrap()
}

#[test]
fn a_second_run_costs_one_conditional_request() {
    let scene = Scene::new();
    scene.revision(1);
    let host = host(&scene.path("out"), |_| None);
    let key = scene.public_key();
    assert_eq!(scene.fetch(&host.base(), &["--key", &key]).0, 0);
    let before = host.requests().len();
    let (code, stdout, _) = scene.fetch(&host.base(), &["--key", &key]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("kept"), "{stdout}");
    let requests = host.requests();
    assert_eq!(requests.len(), before + 1);
    assert_eq!(requests[before].path(), "/catalog/index.json");
    assert!(requests[before].header("if-none-match").is_some());
}

#[test]
fn a_patch_is_preferred_and_a_wrong_one_is_not_used() {
    let scene = Scene::new();
    scene.revision(1);
    let key = scene.public_key();
    let served = host(&scene.path("out"), |_| None);
    assert_eq!(scene.fetch(&served.base(), &["--key", &key]).0, 0);
    let fetched = |host: &TestHost, before: usize| -> Vec<String> {
        let paths = host.requests().into_iter().skip(before).map(|one| one.path().to_owned());
        paths.filter(|path| path.contains("with-sources")).collect()
    };
    for version in 2..32 {
        scene.revision(version);
        let before = served.requests().len();
        assert_eq!(scene.fetch(&served.base(), &["--key", &key]).0, 0);
        let paths = fetched(&served, before);
        assert!(paths.len() == 1 && paths[0].contains("with-sources-from-"), "{paths:?}");
        if version % 10 == 1 {
            assert_eq!(scene.version(), Some(version));
        }
    }
    // The copy of the last of 30 patches is that of the origin, byte for byte.
    let further = scene.text("further");
    run_ok(&["catalog", "publish", &further, "--store", &scene.copy()]);
    run_ok(&["catalog", "verify", &further, "--key", &key]);

    let index = scene.revision(32);
    let other = fs::read(scene.path("out").join(&index.snapshot.path)).unwrap();
    let wrong = move |request: &Request| {
        request.path().contains("with-sources-from-").then(|| Reply::new(200, other.clone()))
    };
    let wrong = host(&scene.path("out"), wrong);
    let (code, _, stderr) = scene.fetch(&wrong.base(), &["--key", &key]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(fetched(&wrong, 0).len(), 2, "a patch, and then the whole file");
    assert_eq!(scene.version(), Some(32));
}

#[test]
fn a_hostile_mirror_cannot_make_a_client_read_without_end() {
    let scene = Scene::new();
    scene.revision(1);
    let key = scene.public_key();
    for path in ["index.json", "index.json.minisig", "with-sources.ndjson.zst"] {
        let long = move |request: &Request| {
            request.path().ends_with(path).then(|| Reply::new(200, vec![b' '; 64 << 20]))
        };
        let host = host(&scene.path("out"), long);
        let (code, _, stderr) = scene.fetch(&host.base(), &["--key", &key]);
        assert_eq!(code, 3, "{stderr}");
        assert!(stderr.contains("is larger than"), "{path}: {stderr}");
        assert_eq!(scene.version(), None);
    }
    // A connection that breaks in the middle of each file.
    for path in ["index.json", "index.json.minisig", "with-sources.ndjson.zst"] {
        let folder = scene.path("out");
        let broken = move |request: &Request| {
            let is_it = request.path().ends_with(path);
            is_it.then(|| {
                let file = folder.join(request.path().trim_start_matches("/catalog/"));
                Reply::new(200, fs::read(file).unwrap()).delivered(Delivery::Truncated)
            })
        };
        let host = host(&scene.path("out"), broken);
        assert_eq!(scene.fetch(&host.base(), &["--key", &key]).0, 3, "{path}");
    }
}

#[test]
fn an_index_that_changes_between_two_requests_is_read_again() {
    let scene = Scene::new();
    scene.revision(1);
    let first = scene.path("first");
    copy_folder(&scene.path("out"), &first);
    scene.revision(2);
    let asked = Arc::new(Mutex::new(0));
    let old = move |request: &Request| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        (request.path().ends_with("/index.json") && *asked == 1)
            .then(|| Reply::new(200, fs::read(first.join("index.json")).unwrap()))
    };
    let host = host(&scene.path("out"), old);
    let (code, _, stderr) = scene.fetch(&host.base(), &["--key", &scene.public_key()]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(scene.version(), Some(2));
}

#[test]
fn a_fetch_that_is_killed_leaves_the_old_catalog_or_the_new_one() {
    let scene = Scene::new();
    let folders = ["first", "second"].map(|folder| scene.path(folder));
    for (version, folder) in (1..).zip(&folders) {
        scene.revision(version);
        copy_folder(&scene.path("out"), folder);
    }
    let (key, copy) = (scene.public_key(), scene.copy());
    let started = Instant::now();
    assert_eq!(scene.fetch(folders[0].to_str().unwrap(), &["--key", &key]).0, 0);
    let usual = started.elapsed();
    let mut before = 1;
    for number in 0..50_u32 {
        let next = 3 - before;
        let folder = &folders[next as usize - 1];
        let mut fetching = Program::command()
            .args(["catalog", "fetch", folder.to_str().unwrap(), "--key", &key])
            .args(["--store", &copy, "--allow-rollback"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(usual * (number * 37 % 50) / 45);
        let _ = fetching.kill();
        fetching.wait().unwrap();
        let found = scene.version().unwrap();
        assert!(found == before || found == next);
        before = found;
    }
}

#[tokio::test]
async fn a_copy_is_served_and_cannot_be_changed() {
    let scene = Scene::new();
    scene.revision(1);
    assert_eq!(scene.fetch_folder().0, 0);
    let server = TestServer::on_store(&scene.path("copy.db"));
    assert_eq!(server.get("/apps?limit=200").await.slugs().len(), MANY as usize);
    let response = server.put("/admin/records", "").await;
    assert_eq!(response.status, 409);
    assert!(response.text().contains("This server is a mirror"), "{}", response.text());
    // The server notices what is fetched into its store.
    scene.revision(2);
    let etag = server.etag().await;
    assert_eq!(scene.fetch_folder().0, 0);
    crate::support::eventually("the new revision is never served", async || {
        server.etag().await != etag
    })
    .await;
    let import = ["records", "import", &scene.text("records"), "--store", &scene.copy()];
    let (code, _, stderr) = run(&import);
    assert_ne!(code, 0);
    assert!(stderr.contains("is a copy of another catalog"), "{stderr}");
    assert_eq!(scene.version(), Some(2));
    let damaged = flipped(&fs::read(scene.path("out/index.json")).unwrap());
    fs::write(scene.path("out/index.json"), damaged).unwrap();
    assert_ne!(scene.fetch_folder().0, 0);
    assert_eq!(server.get("/apps?limit=200").await.status, 200);
}
