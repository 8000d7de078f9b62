//! `appstitch labels resolve --replay` and `--record`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{
    sources::label_archive,
    support::{Upstream, run, run_ok},
};

const LABEL: &str = "    name=\"Sample\"\n    appNewVersion=$(curl -fs https://example.com/v)\n    if [[ $(arch) == arm64 ]]; then\n        downloadURL=\"https://example.com/arm.dmg\"\n    else\n        downloadURL=$(curl -fs https://example.com/i | python3 -c x)\n    fi";

fn case(name: &str, label: &str, version: &str) -> Value {
    json!({
        "case": name, "label": label, "arg": label, "category": ["text"], "expected": {},
        "fixtures": [{"method": "GET", "url": "https://example.com/v", "status": 200, "headers": [], "body": version}],
        "requests": {},
    })
}

struct Scene {
    folder: tempfile::TempDir,
    labels: PathBuf,
}

impl Scene {
    fn new(labels: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("labels.tar.gz");
        std::fs::write(&file, label_archive(labels)).unwrap();
        Self { folder, labels: file }
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let file = self.folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        file
    }

    fn replay(&self, file: &Path, names: &[&str]) -> (i32, String, String) {
        let labels = self.labels.to_str().unwrap();
        let replay = ["labels", "resolve", "--replay", file.to_str().unwrap(), "--labels", labels];
        run(&[&replay[..], names].concat())
    }
}

#[test]
fn a_label_that_has_changed_since_it_was_recorded_is_reported() {
    let scene = Scene::new(&[("sample", LABEL)]);
    let mut changed = case("sample@old", "sample", "1.0");
    changed["fragment_sha256"] = json!("0".repeat(64));
    let cases = format!("{}\n{changed}", case("sample", "sample", "1.0"));
    let file = scene.file("cases.ndjson", cases.as_bytes());
    let (code, stdout, stderr) = scene.replay(&file, &[]);
    assert_eq!((code, stdout.lines().count()), (0, 4), "the case is played: {stderr}");
    let warning = "warning: these labels have changed since they were recorded: sample@old\n";
    assert_eq!(stderr, warning);
    let labels = scene.labels.to_str().unwrap();
    let explain = ["labels", "explain", "sample@old", "--labels", labels, "--replay"];
    let (_, _, stderr) = run(&[&explain[..], &[file.to_str().unwrap()]].concat());
    assert_eq!(stderr, warning);
}

#[test]
fn each_case_is_one_line_per_architecture() {
    let scene = Scene::new(&[("sample", LABEL)]);
    let cases = [
        case("sample", "sample", " 1.0\n"),
        case("sample@empty", "sample", ""),
        case("gone", "gone", "1.0"),
    ];
    let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
    let file = scene.file("cases.ndjson", lines.join("\n").as_bytes());
    let (code, stdout, stderr) = scene.replay(&file, &[]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let stopped = "downloadURL: the command python3 is not supported";
    let unknown = "downloadURL: unknown label 'gone'; appNewVersion: unknown label 'gone'";
    let line = |case: &str, arch: &str, url: Value, version: Value, why: Value| {
        json!({"case": case, "arch": arch, "downloadURL": url, "appNewVersion": version, "why": why})
            .to_string()
    };
    let arm = json!("https://example.com/arm.dmg");
    let (nothing, empty) = (Value::Null, json!(""));
    let expected = [
        line("sample", "arm64", arm.clone(), json!("1.0"), Value::Null),
        line("sample", "i386", nothing.clone(), json!("1.0"), json!(stopped)),
        line("sample@empty", "arm64", arm, empty.clone(), Value::Null),
        line("sample@empty", "i386", nothing.clone(), empty, json!(stopped)),
        line("gone", "arm64", nothing.clone(), nothing.clone(), json!(unknown)),
        line("gone", "i386", nothing.clone(), nothing, json!(unknown)),
    ];
    assert_eq!(stdout.lines().collect::<Vec<_>>(), expected);

    let (code, stdout, _) = scene.replay(&file, &["sample@empty"]);
    assert_eq!((code, stdout.lines().count()), (1, 2), "a named case stays unresolved");
    assert_eq!(scene.replay(&file, &["sample"]).1.lines().count(), 4, "all cases of a label");
    let (code, stdout, stderr) = scene.replay(&file, &["sampel"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("unknown label 'sampel'\nhint: did you mean sample"), "{stderr}");
}

#[test]
fn a_broken_file_is_reported_with_its_line() {
    let scene = Scene::new(&[("sample", LABEL)]);
    let lines = format!("{}\n{{\"case\":1}}\n", case("sample", "sample", "1.0"));
    let mut packed = Vec::new();
    let mut gzip = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, case("sample", "sample", "1.0").to_string().as_bytes())
        .unwrap();
    gzip.finish().unwrap();
    for (name, content, says) in [
        ("broken.ndjson", lines.as_bytes(), "line 2 is not a case"),
        ("cut.ndjson.gz", &packed[..packed.len() - 12], "cut.ndjson.gz: line 1"),
        ("binary", &[0xff, 0xfe, 0x0a], "line 1"),
    ] {
        let file = scene.file(name, content);
        let (code, stdout, stderr) = scene.replay(&file, &[]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{name}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.starts_with("error: cannot read ") && stderr.contains(says), "{stderr}");
    }
    let (code, _, stderr) = scene.replay(Path::new("/does/not/exist"), &[]);
    assert_eq!(code, 2, "{stderr}");
}

#[test]
fn what_is_recorded_gives_the_same_values_when_it_is_played() {
    let upstream = Upstream::start("");
    upstream.serve("/v", "1.2.3\n");
    let found = format!(
        "    name=\"Sample\"\n    appNewVersion=$(curl -fs {0}/v)\n    downloadURL=$(curl -fs {0}/missing)",
        upstream.base
    );
    let silent = "    name=\"Silent\"\n    appNewVersion=$(curl -fs http://127.0.0.1:9/v)\n    downloadURL=\"https://example.com/$(arch).dmg\"";
    let scene = Scene::new(&[("sample", &found), ("silent", silent)]);
    let labels = scene.labels.to_str().unwrap();
    for (name, packed) in [("cases.ndjson", false), ("cases.ndjson.gz", true)] {
        let file = scene.folder.path().join(name);
        let record = [
            "labels",
            "resolve",
            "--server",
            "http://127.0.0.1:9",
            "--dry-run",
            "--allow-private",
            "--labels",
            labels,
            "--record",
            file.to_str().unwrap(),
        ];
        run_ok(&record);
        let is_packed = std::fs::read(&file).unwrap().starts_with(&[0x1f, 0x8b]);
        assert_eq!(is_packed, packed);
        let (code, stdout, stderr) = scene.replay(&file, &[]);
        assert_eq!(code, 0, "{stderr}");
        let lines: Vec<Value> =
            stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 4);
        let [arm, intel] = [&lines[0], &lines[1]];
        for line in [arm, intel] {
            assert_eq!(
                (&line["case"], &line["appNewVersion"]),
                (&json!("sample"), &json!("1.2.3"))
            );
            assert_eq!(line["downloadURL"], "", "404 is an answer");
        }
        assert_eq!(lines[3]["downloadURL"], "https://example.com/i386.dmg");
        assert_eq!(lines[3]["appNewVersion"], Value::Null);
        assert!(lines[3]["why"].as_str().unwrap().contains("127.0.0.1:9"), "{lines:?}");
    }
    let file = scene.folder.path().join("cases.ndjson");
    let lines = std::fs::read_to_string(&file).unwrap();
    let recorded: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(recorded["expected"]["i386"]["appNewVersion"], "1.2.3");
    assert_eq!(recorded["requests"]["arm64"].as_array().unwrap().len(), 2);
    let files = std::fs::read_dir(scene.folder.path()).unwrap().count();
    assert_eq!(files, 3, "no temporary file is left");
}

#[test]
fn the_recorded_cases_give_what_a_real_shell_found() {
    let files = ["resolver/cases.ndjson.gz", "data/label_tool/labels.tar.gz"];
    let Some([cases, labels]) = appstitch_setup::real_files(files) else { return };
    let (code, stdout, stderr) = run(&[
        "labels",
        "resolve",
        "--replay",
        cases.to_str().unwrap(),
        "--labels",
        labels.to_str().unwrap(),
    ]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let mut text = String::new();
    let packed = std::fs::File::open(&cases).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed), &mut text).unwrap();
    let mut lines = stdout.lines();
    for case in text.lines() {
        let case: Value = serde_json::from_str(case).unwrap();
        for arch in ["arm64", "i386"] {
            let line: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
            assert_eq!((&line["case"], &line["arch"]), (&case["case"], &json!(arch)));
            for variable in ["downloadURL", "appNewVersion"] {
                let expected = case["expected"][arch][variable].as_str().unwrap().trim();
                assert_eq!(line[variable], expected, "{line}");
            }
        }
    }
    assert_eq!(lines.next(), None);
}
