//! What is packed, and what the script installs of it. The program is a script, because a test cannot wait
//! for a release build; the rest is that of a release.

use std::process::{Command, Output};

use super::*;

const PROGRAM: &str = "#!/bin/sh\necho \"appstitch 1.2.3 $*\"\n";

/// A release in a folder: the archive, SHA256SUMS and the script.
fn release(folder: &Path) -> PathBuf {
    let program = folder.join("program");
    put(&program, PROGRAM.as_bytes()).ok().unwrap();
    make_executable(&program).ok().unwrap();
    let root = folder.join("a release");
    lay_out(&root.join("appstitch-1"), &program, "{}").ok().unwrap();
    let entries = entries_of(&root.join("appstitch-1")).ok().unwrap();
    let written = write(&Archive { name: "appstitch-1", entries }, &root, 1_794_832_980);
    let Written { file, hash } = written.ok().unwrap();
    fs::write(root.join("SHA256SUMS"), format!("{hash}  {file}\n")).unwrap();
    root.join(file)
}

fn install(arguments: &[&Path]) -> (i32, String) {
    let script = workspace().join("deploy").join(INSTALL_SCRIPT);
    let Output { status, stdout, stderr } =
        Command::new("sh").arg(script).args(arguments).output().unwrap();
    (status.code().unwrap(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

#[test]
fn the_same_files_give_the_same_archive_with_an_executable_binary() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("name");
    for (file, text) in [("appstitch", "binary"), ("completions/_appstitch", "zsh"), ("a", "b")] {
        put(&inside.join(file), text.as_bytes()).ok().unwrap();
    }
    make_executable(&inside.join("appstitch")).ok().unwrap();
    let pack = || {
        let entries = entries_of(&inside).ok().unwrap();
        Archive { name: "name", entries }.pack(1_794_832_980).unwrap()
    };
    let bytes = pack();
    std::thread::sleep(std::time::Duration::from_millis(20));
    put(&inside.join("a"), b"b").ok().unwrap();
    assert_eq!(pack(), bytes);
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
    let entries: Vec<(String, u32)> = archive
        .entries()
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let path = entry.path().unwrap().display().to_string();
            (path, entry.header().mode().unwrap())
        })
        .collect();
    let expected =
        [("name/a", 0o644), ("name/appstitch", 0o755), ("name/completions/_appstitch", 0o644)];
    assert_eq!(entries, expected.map(|(path, mode)| (path.to_owned(), mode)));
}

#[test]
fn the_script_installs_everything_that_is_packed() {
    let folder = tempfile::tempdir().unwrap();
    let archive = release(folder.path());
    let prefix = folder.path().join("a prefix");
    let arguments = [Path::new("--prefix"), &prefix, &archive];
    for _ in ["first", "upgrade"] {
        let (code, said) = install(&arguments);
        assert_eq!(code, 0, "{said}");
        assert!(said.starts_with("installed appstitch 1.2.3 --version as "), "{said}");
        assert!(said.contains("hint: add "), "it is not on the search path: {said}");
    }
    let program = Command::new(prefix.join("bin/appstitch")).arg("x").output().unwrap();
    assert_eq!(program.stdout, b"appstitch 1.2.3 x\n");
    let mut installed: Vec<String> = entries_of(&prefix)
        .ok()
        .unwrap()
        .into_iter()
        .map(|entry| entry.inside.display().to_string())
        .collect();
    installed.sort();
    let deploy = entries_of(&workspace().join("deploy")).ok().unwrap();
    let deploy =
        deploy.iter().map(|entry| format!("share/appstitch/deploy/{}", entry.inside.display()));
    let mut expected: Vec<String> = [
        "bin/appstitch",
        "share/bash-completion/completions/appstitch",
        "share/fish/vendor_completions.d/appstitch.fish",
        "share/man/man1/appstitch.1",
        "share/zsh/site-functions/_appstitch",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(deploy)
    .collect();
    expected.sort();
    assert_eq!(installed, expected);
    for file in ["install.sh", "appstitch.rb", "org.appstitch.serve.plist", "appstitch.service"] {
        assert!(prefix.join("share/appstitch/deploy").join(file).exists(), "{file}");
    }
}

#[test]
fn the_script_refuses_anything_but_the_released_archive() {
    let folder = tempfile::tempdir().unwrap();
    let archive = release(folder.path());
    let sums = archive.with_file_name("SHA256SUMS");
    let good = fs::read_to_string(&sums).unwrap();
    let bytes = fs::read(&archive).unwrap();
    let prefix = folder.path().join("prefix");
    let arguments = [Path::new("--prefix"), &prefix, &archive];
    let refuses = |arguments: &[&Path], why: &str| {
        let (code, said) = install(arguments);
        assert_eq!(code, 1, "{said}");
        assert!(said.starts_with("error: ") && said.contains(why), "{said}");
        assert!(said.ends_with("Nothing was installed.\n"), "{said}");
        assert!(!prefix.exists(), "nothing is installed");
    };
    fs::write(&archive, [&bytes[..], b"more"].concat()).unwrap();
    refuses(&arguments, "appstitch-1.tar.gz is damaged or not the released file: its SHA-256 is ");
    fs::write(&archive, &bytes).unwrap();
    fs::write(&sums, good.replace("appstitch-1", "appstitch-2")).unwrap();
    refuses(&arguments, "SHA256SUMS has no hash of appstitch-1.tar.gz");
    fs::remove_file(&sums).unwrap();
    refuses(&arguments, "SHA256SUMS; download it from where the archive is from");
    refuses(&[&prefix], "there is no file ");
    refuses(&[], "usage: sh install.sh [--prefix DIR] ARCHIVE");
    refuses(&[Path::new("--prefxi"), &prefix, &archive], "unknown option '--prefxi'");
    fs::write(&sums, good).unwrap();
    assert_eq!(install(&arguments).0, 0, "the released one is installed");
}

#[test]
fn the_formula_has_the_url_and_the_hash_of_the_source() {
    let formula = fs::read_to_string(workspace().join("deploy").join(FORMULA)).unwrap();
    let filled = fill(&formula, "https://apps.example/appstitch-1.2.3.tar.gz", "abc");
    assert!(filled.contains("  url \"https://apps.example/appstitch-1.2.3.tar.gz\"\n"), "{filled}");
    assert!(filled.contains("  sha256 \"abc\"\n") && !filled.contains('@'), "{filled}");
}

#[test]
fn the_source_is_what_git_knows() {
    let files: Vec<PathBuf> =
        source().ok().unwrap().into_iter().map(|entry| entry.inside).collect();
    for file in ["Cargo.lock", "crates/cli/Cargo.toml", "crates/publish/sample/records.ndjson"] {
        assert!(files.contains(&file.into()), "{file}");
    }
    assert!(files.iter().all(|file| !file.starts_with("target")));
}

#[test]
fn options_have_values() {
    let read = |arguments: &[&str]| {
        Options::read(&arguments.iter().map(|&argument| argument.to_owned()).collect::<Vec<_>>())
    };
    let both = read(&["--binary", "file", "--url", "https://apps.example"]).ok().unwrap();
    let url = Some("https://apps.example".to_owned());
    assert_eq!(both, Options { binary: Some("file".into()), url });
    assert_eq!(read(&[]).ok().unwrap(), Options::default());
    for wrong in [&["--binary"][..], &["--url", ""], &["file"], &["--fast", "yes"]] {
        assert!(read(wrong).is_err(), "{wrong:?}");
    }
}
