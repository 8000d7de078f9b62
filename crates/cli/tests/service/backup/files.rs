//! The files of backups: what is written, replaced and refused.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
};

use super::{Scene, backup, fill, restore, restored};
use crate::support::{Program, TestServer, packed, run};

#[tokio::test]
async fn a_backup_goes_through_a_pipe_and_can_be_checked() {
    let scene = Scene::new();
    let server = TestServer::with_sample();
    let store = format!("sqlite:{}", server.store().display());
    let copy = scene.sqlite("copy.db");
    let mut writing = Program::command()
        .args(["backup", "-", "--store", &store])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = Program::command()
        .args(["restore", "-", "--store", &copy])
        .stdin(writing.stdout.take().unwrap())
        .output()
        .unwrap();
    assert!(writing.wait().unwrap().success() && output.status.success(), "{output:?}");
    let restored = TestServer::on_address(&copy);
    assert_eq!(restored.etag().await, server.etag().await, "also the sample");

    let file = scene.file("catalog.backup");
    let written = backup(&store, &file);
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (code, _, checked) = run(&["restore", "--check", &file, "--store", "sqlite:/no/such.db"]);
    assert_eq!(code, 0, "{checked}");
    assert_eq!(written.lines().last(), checked.lines().last(), "the hash");
    assert!(checked.starts_with(&format!("{file} is valid: ")), "{checked}");
    // Nothing changed, so the next one is the same. A mode that the operator chose stays.
    let bytes = fs::read(&file).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    backup(&store, &file);
    assert_eq!(fs::read(&file).unwrap(), bytes);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(
        fs::read_dir(scene.path()).unwrap().count(),
        4,
        "no temporary file: a store and a backup"
    );
}

#[tokio::test]
async fn other_files_are_refused_and_nothing_is_changed() {
    let scene = Scene::new();
    let server = TestServer::empty();
    fill(&server).await;
    let store = format!("sqlite:{}", server.store().display());
    let (good, bad) = (scene.file("good.backup"), scene.file("bad.backup"));
    backup(&store, &good);
    let bytes = fs::read(&good).unwrap();
    let header = "{\"format\":\"appstitch backup\",\"version\":9}\n";
    let missing = scene.sqlite("missing.db");
    for (content, expected) in [
        (Vec::new(), "not a backup of appstitch"),
        (b"{}\n".to_vec(), "not a backup of appstitch"),
        (fs::read(server.store()).unwrap(), "not a backup of appstitch"),
        (bytes[..bytes.len() / 2].to_vec(), "incomplete"),
        (bytes[..bytes.len() - 1].to_vec(), "incomplete"),
        ([&bytes[..], b"more"].concat(), "something follows its end"),
        (packed(&[(header, 1)]), "the backup has format 9, but this version reads formats up to 1"),
        (packed(&[(header, 1), ("x", 1 << 20)]), "format 9"),
        (packed(&[("x", 1 << 30)]), "not a backup of appstitch"),
    ] {
        fs::write(&bad, content).unwrap();
        for (store, more) in [(&store, &["--replace"][..]), (&missing, &[])] {
            let (code, stderr) = restore(store, &bad, more);
            assert_eq!(code, 2, "{stderr}");
            assert!(stderr.starts_with(&format!("error: cannot read {bad}: ")), "{stderr}");
            assert!(stderr.contains(expected) && stderr.lines().count() == 1, "{stderr}");
        }
    }
    let content = zstd::decode_all(&bytes[..]).unwrap();
    for place in (0..bytes.len()).step_by(bytes.len() / 12) {
        let mut flipped = bytes.clone();
        flipped[place] ^= 4;
        // Some bits of the compressed form say nothing, such as those that fill up a byte.
        if zstd::decode_all(&flipped[..]).is_ok_and(|unpacked| unpacked == content) {
            continue;
        }
        fs::write(&bad, flipped).unwrap();
        let (code, stderr) = restore(&store, &bad, &["--replace"]);
        assert_eq!((code, stderr.lines().count()), (2, 1), "byte {place}: {stderr}");
    }
    assert!(!scene.path().join("missing.db").exists(), "no store is created");
    fs::remove_file(&bad).unwrap();
    backup(&store, &bad);
    assert!(fs::read(&bad).unwrap() == bytes, "the store is unchanged");
    let (code, stderr) = restore(&store, &scene.file("none.backup"), &[]);
    assert_eq!(code, 2, "{stderr}");
    let (code, _, stderr) = run(&["backup", &good, "--store", &missing]);
    assert_eq!(code, 3, "{stderr}");
    assert_eq!(fs::read(&good).unwrap(), bytes, "a backup that fails keeps the one before");
    let key = scene.file("key");
    fs::write(&key, "too short").unwrap();
    let (code, _, stderr) = run(&["backup", &good, "--store", &store, "--secrets-key-file", &key]);
    assert!(code == 2 && stderr.contains("32 to 4096 bytes"), "{stderr}");
}

#[tokio::test]
async fn a_backup_never_replaces_another_file() {
    let scene = Scene::new();
    let server = TestServer::with_sample();
    let path = server.store().display().to_string();
    let store = format!("sqlite:{path}");
    let (code, _, stderr) = run(&["backup", &path, "--store", &store]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("exists and is not a backup"), "{stderr}");
    let notes = scene.file("notes.txt");
    fs::write(&notes, "my notes").unwrap();
    assert_eq!(run(&["backup", &notes, "--store", &store]).0, 2);
    assert_eq!(fs::read_to_string(&notes).unwrap(), "my notes");
    assert_eq!(run(&["backup", &scene.file("none/a.backup"), "--store", &store]).0, 3);
    assert_eq!(run(&["backup", "/dev/full", "--store", &store]).0, 3);
    assert_eq!(run(&["backup", "/dev/null", "--store", &store]).0, 0);
}

/// Like a full disk.
#[test]
#[cfg(target_os = "linux")]
fn without_room_the_last_backup_and_the_store_stay() {
    let scene = Scene::new();
    let store = scene.sqlite("catalog.db");
    // Whoever opens the store first has to create a file beside it.
    let _server = TestServer::start(&scene.path().join("catalog.db"), &[], |_| {});
    let file = scene.file("catalog.backup");
    backup(&store, &file);
    let bytes = fs::read(&file).unwrap();
    let limited = |shell: &str, arguments: &[&str]| {
        let mut command = Program::command_after(shell);
        let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, stderr) = limited("ulimit -f 4", &["backup", &file, "--store", &store]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("File too large"), "{stderr}");
    assert_eq!(fs::read(&file).unwrap(), bytes);

    let copy = scene.sqlite("copy.db");
    let restore = ["restore", &file, "--store", &copy];
    let (code, stderr) = limited("ulimit -f 350", &restore);
    assert_eq!(code, Some(3), "{stderr}");
    let (_, apps, _) = run(&["records", "export", "--store", &copy]);
    assert_eq!(apps, "", "nothing is restored");
    restored(&copy, &file, &[]);
    let leftover = Command::new("ls").arg("-A").arg(scene.path()).output().unwrap();
    let names = String::from_utf8(leftover.stdout).unwrap();
    assert!(!names.contains(".appstitch-"), "{names}");
}
