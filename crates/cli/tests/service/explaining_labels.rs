//! `appstitch labels explain`.

use serde_json::{Value, json};

use crate::{
    sources::label_archive,
    support::{Upstream, run, run_ok},
};

const LABEL: &str = "    name=\"Sample\"\n    type=\"dmg\"\n    appNewVersion=$(curl -fs \"https://example.com/versions/of/a/long/address/that/does/not/fit/one/line\" | grep -o 'v[0-9.]*' | head -1)\n    if [[ $(arch) == arm64 ]]; then\n        downloadURL=\"https://example.com/arm.dmg\"\n    else\n        downloadURL=$(curl -fs https://example.com/i | python3 -c x)\n    fi";

/// A folder with the labels and a file of cases.
fn scene() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let (labels, cases) = (folder.path().join("labels.tar.gz"), folder.path().join("cases.ndjson"));
    std::fs::write(&labels, label_archive(&[("sample", LABEL)])).unwrap();
    let case = json!({
        "case": "sample@one", "label": "sample", "arg": "sample", "expected": {},
        "fixtures": [{
            "method": "GET",
            "url": "https://example.com/versions/of/a/long/address/that/does/not/fit/one/line",
            "status": 200,
            "headers": [],
            "body": "\u{1b}[2J\u{7}news\r\nv1.2.3 and v1.2.2\n\u{202e}older\n",
        }],
    });
    std::fs::write(&cases, case.to_string()).unwrap();
    let text = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
    (folder, text(labels), text(cases))
}

#[test]
fn every_step_is_shown_on_80_columns_without_control_characters() {
    let (_folder, labels, cases) = scene();
    let explain = ["labels", "explain", "sample", "--labels", &labels, "--replay", &cases];
    let (code, stdout, stderr) = run(&explain);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
    let is_plain = |character: char| character == '\n' || !character.is_control();
    assert!(stdout.chars().all(is_plain) && !stdout.contains('\u{202e}'), "{stdout:?}");
    insta::assert_snapshot!(stdout);

    let (code, stdout, _) = run(&[&explain[..], &["--arch", "i386"]].concat());
    assert_eq!(code, 0);
    assert!(stdout.starts_with("sample (sample.sh) on i386\n"), "{stdout}");
    assert!(stdout.contains("unresolved: the command python3 is not supported"), "{stdout}");
}

#[test]
fn the_steps_are_available_as_json() {
    let (_folder, labels, cases) = scene();
    let explain = ["labels", "explain", "sample@one", "--labels", &labels, "--replay", &cases];
    let (code, stdout, _) = run(&[&explain[..], &["--json"]].concat());
    assert_eq!(code, 0);
    let run: Value = serde_json::from_str(&stdout).unwrap();
    let keys: Vec<&String> = run.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["label", "file", "arch", "steps", "values", "why"]);
    let steps = run["steps"].as_array().unwrap();
    let request = steps.iter().find(|step| step["step"] == "request").unwrap();
    assert_eq!((&request["method"], &request["status"]), (&json!("GET"), &json!(200)));
    assert!(request["bytes"].as_u64().unwrap() > 20, "{request}");
    let grep = steps.iter().filter(|step| step["step"] == "command");
    let mut grep = grep.filter(|step| step["call"].as_str().unwrap().starts_with("grep"));
    assert_eq!(grep.next().unwrap()["output"], "v1.2.3\nv1.2.2\n");
    assert_eq!(run["values"]["appNewVersion"], json!({"value": "v1.2.3", "why": null}));
}

#[test]
fn a_label_is_explained_with_the_live_network_too() {
    let upstream = Upstream::start("");
    upstream.serve("/v", "3.0\n");
    let folder = tempfile::tempdir().unwrap();
    let labels = folder.path().join("labels.tar.gz");
    let body = format!("    name=\"Sample\"\n    appNewVersion=$(curl -fs {}/v)", upstream.base);
    std::fs::write(&labels, label_archive(&[("sample", &body)])).unwrap();
    let labels = labels.to_str().unwrap();
    let explain = ["labels", "explain", "sample", "--labels", labels, "--allow-private"];
    let stdout = run_ok(&explain);
    assert!(stdout.contains("\n  answer   200, 4 bytes\n"), "{stdout}");
    assert!(stdout.contains("\n  appNewVersion   3.0\n"), "{stdout}");
    let (code, _, stderr) = run(&["labels", "explain", "simple", "--labels", labels]);
    assert_eq!(
        (code, stderr.starts_with("error: unknown label 'simple'\n")),
        (2, true),
        "{stderr}"
    );
    let store = format!("sqlite:{}", folder.path().join("missing.db").display());
    let (code, _, stderr) = run(&["labels", "explain", "sample", "--store", &store]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("--labels"), "{stderr}");
}
