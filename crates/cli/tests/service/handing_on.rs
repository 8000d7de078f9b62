//! What a copy of a signed catalog hands on, and copies that another version of the program wrote.

use std::{fs, os::unix::fs::symlink};

use appstitch_catalog_files::{PackedFile, SecretKey};
use serde_json::{Value, json};

use crate::{
    catalog_files::Scene,
    served_catalog::sha256,
    support::{TestServer, run, run_ok},
};

impl Scene {
    /// Publishes the copy as it is, and returns the folder.
    fn hand_on(&self) -> String {
        let folder = self.text("further");
        run_ok(&["catalog", "publish", &folder, "--store", &self.copy()]);
        folder
    }

    /// Fetches what was handed on into a store of its own.
    fn fetch_further(&self, key: &str) -> (i32, String, String) {
        let store = format!("sqlite:{}", self.text("further.db"));
        run(&["catalog", "fetch", &self.text("further"), "--key", key, "--store", &store])
    }

    /// Changes the rows of the published file with the sources, and signs the result.
    fn rewrite(&self, change: impl Fn(&str, &mut Vec<Value>)) {
        let mut index = self.index();
        let key = SecretKey::read(&fs::read_to_string(self.path("key")).unwrap()).unwrap();
        let file = index.with_sources.as_mut().unwrap();
        let path = self.path("out").join(&file.path);
        let text = zstd::decode_all(&fs::read(&path).unwrap()[..]).unwrap();
        let text = rewritten(&String::from_utf8(text).unwrap(), change);
        let packed = zstd::encode_all(text.as_bytes(), 3).unwrap();
        *file = PackedFile {
            path: file.path.clone(),
            size: packed.len() as u64,
            sha256: sha256(&packed),
            raw_size: text.len() as u64,
            raw_sha256: sha256(text.as_bytes()),
        };
        fs::write(path, packed).unwrap();
        let bytes = index.to_bytes().unwrap();
        let signature = key.sign(&bytes, &index.trusted_comment());
        fs::write(self.path("out/index.json"), bytes).unwrap();
        fs::write(self.path("out/index.json.minisig"), signature).unwrap();
    }
}

/// A copy with other rows, and with the hash that they have.
fn rewritten(text: &str, change: impl Fn(&str, &mut Vec<Value>)) -> String {
    let (mut table, mut rows, mut lines) = (String::new(), 0, Vec::new());
    for line in text.lines() {
        let mut value: Value = serde_json::from_str(line).unwrap();
        if let Some(name) = value["table"]["name"].as_str() {
            name.clone_into(&mut table);
        }
        lines.push(if let Some(row) = value.as_array_mut() {
            change(&table, row);
            rows += 1;
            value.to_string()
        } else if value.get("end").is_some() {
            let hash = sha256((lines.join("\n") + "\n").as_bytes());
            json!({"end": {"rows": rows, "sha256": hash}}).to_string()
        } else {
            line.to_owned()
        });
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_public_key_that_nobody_vouches_for_is_not_handed_on() {
    let scene = Scene::new();
    scene.revision(1);
    let key = scene.public_key();
    let other = run_ok(&["catalog", "new-key", &scene.text("other")]);
    fs::write(scene.path("out/key.pub"), &other).unwrap();
    assert_eq!(scene.fetch(&scene.text("out"), &["--key", &key]).0, 0);
    scene.hand_on();
    let handed_on = fs::read_to_string(scene.path("further/key.pub")).unwrap();
    assert!(handed_on.contains(&key), "{handed_on}");
    assert_eq!(scene.fetch_further(&key).0, 0);
}

#[test]
fn what_was_signed_elsewhere_is_handed_on_with_its_key() {
    let scene = Scene::new();
    scene.revision(1);
    let key = scene.public_key();
    for file in ["out/key.pub", "out/index.json.minisig"] {
        fs::remove_file(scene.path(file)).unwrap();
    }
    let (code, _, stderr) = run(&["catalog", "verify", &scene.text("out"), "--key", &key]);
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("not signed"), "{stderr}");
    run_ok(&["catalog", "sign", &scene.text("out"), "--signing-key-file", &scene.text("key")]);
    assert_eq!(scene.public_key(), key);
    // minisign itself writes no public key.
    fs::remove_file(scene.path("out/key.pub")).unwrap();
    assert_eq!(scene.fetch(&scene.text("out"), &["--key", &key]).0, 0);
    scene.hand_on();
    let (code, _, stderr) = scene.fetch_further(&key);
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn both_signatures_are_handed_on_while_keys_change() {
    let scene = Scene::new();
    scene.revision(1);
    let next = run_ok(&["catalog", "new-key", &scene.text("next")]);
    let (next, old) = (next.lines().last().unwrap(), scene.public_key());
    let (key, file) = (scene.text("key"), scene.text("next"));
    assert_eq!(scene.publish(&["--signing-key-file", &key, "--next-signing-key-file", &file]).0, 0);
    for (known, wanted) in [(&*old, next), (next, &*old)] {
        assert_eq!(scene.fetch(&scene.text("out"), &["--key", known]).0, 0);
        scene.hand_on();
        let handed_on = fs::read_to_string(scene.path("further/key.pub")).unwrap();
        assert!(handed_on.contains(known), "{handed_on}");
        let (code, _, stderr) = scene.fetch_further(wanted);
        assert_eq!(code, 0, "{stderr}");
        for store in ["copy.db", "further.db"] {
            fs::remove_file(scene.path(store)).unwrap();
        }
    }
}

#[tokio::test]
async fn a_copy_that_another_version_hashed_otherwise_is_served() {
    let scene = Scene::new();
    scene.revision(1);
    let other_hash = json!("0123456789abcdef".repeat(4));
    scene.rewrite(|table, row| match table {
        "revision" => row[3] = other_hash.clone(),
        "served_by" => row[1] = other_hash.clone(),
        _ => {}
    });
    let (code, _, stderr) = scene.fetch_folder();
    assert_eq!(code, 0, "{stderr}");
    let server = TestServer::on_store(&scene.path("copy.db"));
    assert_eq!(server.get("/apps/app-1").await.json()["current_version"], "1");
    assert_eq!(server.etag().await, format!("W/\"{}\"", scene.index().revision));
    // The next revision is received as usual.
    scene.revision(2);
    assert_eq!(scene.fetch_folder().0, 0);
    assert_eq!(scene.version(), Some(2));
}

#[test]
fn a_copy_that_this_version_cannot_serve_changes_nothing() {
    let scene = Scene::new();
    scene.revision(1);
    assert_eq!(scene.fetch_folder().0, 0);
    scene.revision(2);
    scene.rewrite(|table, row| {
        if table == "served" && row[0] == "app-7" {
            row[5] = json!("of a later version");
        }
    });
    let (code, _, stderr) = scene.fetch_folder();
    assert_eq!(code, 6, "{stderr}");
    assert!(stderr.contains("'app-7'") && stderr.contains("newer"), "{stderr}");
    assert_eq!(scene.version(), Some(1));
    let (code, _, stderr) = run(&["catalog", "verify", &scene.text("out")]);
    assert_eq!(code, 6, "{stderr}");
}

#[test]
fn a_restored_copy_accepts_no_older_catalog() {
    let scene = Scene::new();
    scene.revision(1);
    let first = scene.text("first");
    fs::rename(scene.path("out"), &first).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1100));
    scene.revision(2);
    assert_eq!(scene.fetch_folder().0, 0);
    let (key, backup) = (scene.public_key(), scene.text("backup"));
    run_ok(&["backup", &backup, "--store", &scene.copy()]);
    run_ok(&["restore", &backup, "--store", &scene.copy(), "--replace"]);
    let (code, _, stderr) = scene.fetch(&first, &["--key", &key]);
    assert_eq!(code, 7, "{stderr}");
    assert_eq!(scene.version(), Some(2));
    assert!(scene.fetch_folder().1.starts_with("received revision"));
}

#[test]
fn a_link_to_the_newest_folder_is_followed_each_time() {
    let scene = Scene::new();
    scene.revision(1);
    let (link, key) = (scene.path("current"), scene.public_key());
    fs::rename(scene.path("out"), scene.path("first")).unwrap();
    symlink("first", &link).unwrap();
    assert_eq!(scene.fetch(link.to_str().unwrap(), &["--key", &key]).0, 0);
    scene.revision(2);
    fs::remove_file(&link).unwrap();
    symlink("out", &link).unwrap();
    assert_eq!(scene.fetch(link.to_str().unwrap(), &["--key", &key]).0, 0);
    assert_eq!(scene.version(), Some(2));
}
