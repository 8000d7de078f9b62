//! `appstitch catalog`: files that are published, signed, verified with ordinary tools, and damaged.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use appstitch_catalog_files::{Index, Records};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{app, ndjson, run, run_ok, succeed};

/// A store, a key, and the folder that the catalog is published to.
pub(crate) struct Scene(TempDir);

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self(tempfile::tempdir().unwrap());
        run_ok(&["catalog", "new-key", &scene.text("key")]);
        scene
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn store(&self) -> String {
        format!("sqlite:{}", self.text("store.db"))
    }

    /// Makes a revision with these apps, each with a version.
    pub(crate) fn import(&self, versions: &[(&str, u32)]) {
        let records: Vec<Value> = versions
            .iter()
            .map(|(slug, version)| {
                let mut app = app(slug);
                app["current_version"] = json!(version.to_string());
                json!({"app": app, "sources": null})
            })
            .collect();
        fs::write(self.path("records"), ndjson(&records)).unwrap();
        let (records, store) = (self.text("records"), self.store());
        run_ok(&["records", "import", &records, "--store", &store, "--allow-shrink", "--freeze"]);
    }

    pub(crate) fn publish(&self, more: &[&str]) -> (i32, String, String) {
        let (folder, store) = (self.text("out"), self.store());
        run(&[&["catalog", "publish", &folder, "--store", &store][..], more].concat())
    }

    pub(crate) fn publish_signed(&self) -> Index {
        let key = self.text("key");
        let (code, _, stderr) = self.publish(&["--signing-key-file", &key]);
        assert_eq!(code, 0, "{stderr}");
        self.index()
    }

    pub(crate) fn index(&self) -> Index {
        Index::read(&fs::read(self.path("out/index.json")).unwrap()).unwrap()
    }

    /// Verifies the folder with the key that it carries.
    fn verify(&self) -> (i32, String) {
        let (folder, key) = (self.text("out"), self.text("out/key.pub"));
        let (code, stdout, stderr) = run(&["catalog", "verify", &folder, "--key", &key]);
        (code, stdout + &stderr)
    }
}

fn shell(folder: &Path, line: &str) -> String {
    succeed(Command::new("sh").args(["-euc", line]).current_dir(folder))
}

#[test]
fn ordinary_tools_verify_a_published_catalog() {
    let scene = Scene::new();
    scene.import(&[("one", 1), ("two", 2)]);
    let index = scene.publish_signed();
    let out = scene.path("out");
    let key = shell(&out, "tail -n 1 key.pub");
    let said = shell(&out, &format!("minisign -Vm index.json -P {key}"));
    assert!(said.contains(&index.trusted_comment()), "{said}");
    let packed = &index.snapshot;
    let hash = |line: &str| shell(&out, line).split(' ').next().unwrap().to_owned();
    assert_eq!(hash(&format!("sha256sum {}", packed.path)), packed.sha256);
    assert_eq!(hash(&format!("zstd -dc {} | sha256sum", packed.path)), packed.raw_sha256);
    let gzip = &index.snapshot_gzip.path;
    assert_eq!(hash(&format!("gzip -dc {gzip} | sha256sum")), packed.raw_sha256);
    let lines = shell(&out, &format!("gzip -dc {gzip}"));
    let records: Vec<Value> =
        lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2);
    assert_eq!((&records[0]["slug"], &records[1]["current_version"]), (&json!("one"), &json!("2")));
    let (code, said) = scene.verify();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("the signature and 3 files are right"), "{said}");
}

#[test]
fn a_catalog_can_be_signed_by_minisign_elsewhere() {
    let scene = Scene::new();
    scene.import(&[("one", 1)]);
    let (code, stdout, stderr) = scene.publish(&[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("not signed"), "{stdout}");
    let out = scene.path("out");
    assert!(!out.join("index.json.minisig").exists());
    let (code, said) = scene.verify();
    assert_ne!(code, 0, "there is no key: {said}");

    // Other keys than ours have no password only if minisign is told so.
    shell(scene.0.path(), "minisign -GWf -p minisign.pub -s minisign.key >/dev/null");
    let comment = scene.index().trusted_comment();
    shell(&out, &format!("minisign -Sm index.json -s ../minisign.key -t '{comment}'"));
    let (folder, key) = (scene.text("out"), scene.text("minisign.pub"));
    run_ok(&["catalog", "verify", &folder, "--key", &key]);
    shell(&out, "minisign -Sm index.json -s ../minisign.key -t 'another comment'");
    let (code, _, stderr) = run(&["catalog", "verify", &folder, "--key", &key]);
    assert_eq!(code, 1);
    assert!(stderr.contains("names another catalog, serial or revision"), "{stderr}");

    run_ok(&["catalog", "sign", &folder, "--signing-key-file", &scene.text("minisign.key")]);
    run_ok(&["catalog", "verify", &folder, "--key", &key]);
}

#[test]
fn deltas_of_thirty_revisions_lead_to_the_same_bytes() {
    let scene = Scene::new();
    // Many apps that stay make each delta worth having.
    let stable: Vec<String> = (0..60).map(|number| format!("stable-{number:02}")).collect();
    let mut older = Vec::new();
    for step in 0..32 {
        let mut apps: Vec<(&str, u32)> = stable.iter().map(|slug| (slug.as_str(), 1)).collect();
        apps.push(("changing", step));
        apps.push((if step % 2 == 0 { "even" } else { "odd" }, 1));
        scene.import(&apps);
        let index = scene.publish_signed();
        let packed = fs::read(scene.path("out").join(&index.snapshot.path)).unwrap();
        let raw = zstd::decode_all(&packed[..]).unwrap();
        older.push((index, raw));
    }
    let (newest, wanted) = older.pop().unwrap();
    assert_eq!(newest.deltas.len(), 30);
    for delta in &newest.deltas {
        let (index, raw) = older.iter().find(|(index, _)| index.revision == delta.from).unwrap();
        let packed = fs::read(scene.path("out").join(&delta.file.path)).unwrap();
        let changes = zstd::decode_all(&packed[..]).unwrap();
        let records = Records::read(raw, index).unwrap();
        let updated = records.with_delta(&changes, &newest.revision).unwrap();
        assert!(updated.to_bytes() == wanted, "from {}", delta.from);
    }
    let kept = fs::read_dir(scene.path("out")).unwrap();
    assert_eq!(kept.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count(), 30);
    assert!(scene.verify().1.contains("the signature and 33 files are right"));
}

#[test]
fn every_damage_is_noticed() {
    let scene = Scene::new();
    let many: Vec<String> = (0..40).map(|number| format!("app-{number}")).collect();
    let apps = |version| many.iter().map(move |slug| (slug.as_str(), version)).collect::<Vec<_>>();
    scene.import(&apps(1));
    let first = scene.publish_signed();
    scene.import(&[&apps(1)[..], &[("new", 1)]].concat());
    let index = scene.publish_signed();
    assert_eq!((index.deltas.len(), scene.verify().0), (1, 0));

    let out = scene.path("out");
    for file in index.files() {
        let file = out.join(&file.path);
        let bytes = fs::read(&file).unwrap();
        for changed in
            [flipped(&bytes), bytes[..bytes.len() / 2].to_vec(), [&bytes[..], b"x"].concat()]
        {
            fs::write(&file, changed).unwrap();
            let (code, said) = scene.verify();
            assert_eq!(code, 1, "{}: {said}", file.display());
            assert!(said.contains("is not the file that the index names"), "{said}");
        }
        fs::write(&file, bytes).unwrap();
    }
    // The files of two revisions are swapped.
    let paths = [&first, &index].map(|index| out.join(&index.snapshot.path));
    let bytes = paths.each_ref().map(|path| fs::read(path).unwrap());
    fs::write(&paths[1], &bytes[0]).unwrap();
    assert_eq!(scene.verify().0, 1);
    fs::write(&paths[1], &bytes[1]).unwrap();

    let index_file = out.join("index.json");
    let bytes = fs::read(&index_file).unwrap();
    fs::write(&index_file, flipped(&bytes)).unwrap();
    assert_eq!(scene.verify().0, 1);
    fs::write(&index_file, r#"{"schema":2}"#).unwrap();
    let (code, said) = scene.verify();
    assert_eq!(code, 6, "{said}");
    assert!(said.contains("use a newer version"), "{said}");
    fs::write(&index_file, bytes).unwrap();

    run_ok(&["catalog", "new-key", &scene.text("other")]);
    let other = run_ok(&["catalog", "new-key", &scene.text("third")]);
    let (code, _, stderr) =
        run(&["catalog", "verify", &scene.text("out"), "--key", other.lines().last().unwrap()]);
    assert_eq!(code, 5, "{stderr}");

    // Half a copy is verified as far as it goes, and is not signed.
    fs::remove_file(out.join(&index.snapshot_gzip.path)).unwrap();
    let (code, said) = scene.verify();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("1 file not there"), "{said}");
    let key = scene.text("key");
    let (code, _, stderr) =
        run(&["catalog", "sign", &scene.text("out"), "--signing-key-file", &key]);
    assert_eq!(code, 1, "{stderr}");
    fs::remove_file(out.join(&index.snapshot.path)).unwrap();
    assert_eq!(scene.verify().0, 1);
    assert_eq!(run(&["catalog", "verify", &scene.text("nowhere")]).0, 3);
}

pub(crate) fn flipped(bytes: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    changed[bytes.len() / 2] ^= 1;
    changed
}

#[test]
fn both_keys_sign_while_keys_change() {
    let scene = Scene::new();
    scene.import(&[("one", 1)]);
    let next = run_ok(&["catalog", "new-key", &scene.text("next")]);
    let next = next.lines().last().unwrap();
    let (key, next_file) = (scene.text("key"), scene.text("next"));
    let keys = ["--signing-key-file", &key, "--next-signing-key-file", &next_file];
    let (code, stdout, stderr) = scene.publish(&keys);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("signed with both keys"), "{stdout}");
    assert_eq!(scene.index().next_key.as_deref(), Some(next));
    let out = scene.path("out");
    assert_eq!(scene.verify().0, 0);
    let signatures = fs::read_dir(&out).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_prefix("index.json.").is_some_and(|rest| rest.len() > 20).then_some(name)
    });
    let signatures: Vec<String> = signatures.collect();
    assert_eq!(signatures.len(), 2);
    let verifies = |name: &String| {
        let line = format!("minisign -Vm index.json -x {name} -P {next} >/dev/null 2>&1");
        Command::new("sh").args(["-c", &line]).current_dir(&out).status().unwrap().success()
    };
    assert_eq!(signatures.iter().filter(|name| verifies(name)).count(), 1);
    run_ok(&["catalog", "verify", &scene.text("out"), "--key", next]);

    // Afterwards, nothing of the old key stays.
    assert_eq!(scene.publish(&["--signing-key-file", &next_file]).0, 0);
    let names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names[1..], ["index.json", "index.json.minisig", "key.pub"]);
    // An interrupted first run has no index yet, and can be repeated.
    fs::remove_file(out.join("index.json")).unwrap();
    assert_eq!(scene.publish(&["--signing-key-file", &next_file]).0, 0);
}

#[test]
fn keys_and_folders_of_others_are_refused() {
    let scene = Scene::new();
    scene.import(&[("one", 1)]);
    let key = scene.text("key");
    let signed = ["--signing-key-file", key.as_str()];
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let (code, _, stderr) = scene.publish(&signed);
    assert_eq!(code, 2);
    assert!(stderr.contains("chmod 600"), "{stderr}");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let (code, _, stderr) = run(&["catalog", "new-key", &key]);
    assert_eq!(code, 2, "a key is never overwritten: {stderr}");

    fs::create_dir(scene.path("out")).unwrap();
    fs::write(scene.path("out/letters.txt"), "mine").unwrap();
    let (code, _, stderr) = scene.publish(&signed);
    assert_eq!(code, 2);
    assert!(stderr.contains("letters.txt"), "{stderr}");
    fs::remove_file(scene.path("out/letters.txt")).unwrap();

    let text = "not a key";
    fs::write(&key, text).unwrap();
    let (code, _, stderr) = scene.publish(&signed);
    assert_eq!(code, 2);
    assert!(!stderr.contains(text), "{stderr}");
    let (code, _, stderr) = run(&["catalog", "verify", &scene.text("out"), "--key", "nonsense"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("neither a public key nor a file"), "{stderr}");
}

#[test]
fn an_older_or_another_catalog_is_not_written_over_a_newer_one() {
    let scene = Scene::new();
    scene.import(&[("one", 1)]);
    let first = scene.publish_signed();
    let (_, stdout, _) = scene.publish(&["--signing-key-file", &scene.text("key")]);
    assert!(stdout.starts_with("kept revision"), "{stdout}");
    fs::rename(scene.path("store.db"), scene.path("old.db")).unwrap();
    scene.import(&[("one", 1)]);
    let (code, _, stderr) = scene.publish(&["--signing-key-file", &scene.text("key")]);
    assert_eq!(code, 1);
    assert!(stderr.contains("--allow-rollback"), "{stderr}");
    assert_eq!(scene.index(), first);
    assert_eq!(scene.publish(&["--allow-rollback"]).0, 0);
    assert_ne!(scene.index().catalog, first.catalog);
    assert!(!scene.path("out/index.json.minisig").exists(), "an old signature fits no more");
}
