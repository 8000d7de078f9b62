//! Runs generated fragments in a real zsh: each must be valid and set the values of its JSON form.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fmt::Write,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::{
    real_data::{all_apps, data, upload_all},
    support::TestServer,
};

pub(crate) fn zsh() -> OsString {
    appstitch_setup::installed(appstitch_setup::ZSH)
}

/// An app's label in both forms.
struct Generated {
    slug: String,
    content: Map<String, Value>,
    warnings: Vec<String>,
    fragment: String,
}

async fn generate(server: &TestServer, slug: &str) -> Option<Generated> {
    let path = format!("/apps/{}/generate-label", slug.replace('+', "%2B"));
    let response = server.post(&path).await;
    if response.status == 422 {
        return None;
    }
    let label = response.json();
    let request = server.request(Method::POST, &path).header("accept", "text/x-shellscript");
    let warnings = label["warnings"].as_array().unwrap().iter();
    Some(Generated {
        slug: slug.to_owned(),
        content: label["content"].as_object().unwrap().clone(),
        warnings: warnings.map(|warning| warning.as_str().unwrap().to_owned()).collect(),
        fragment: server.send(request).await.text().to_owned(),
    })
}

async fn generate_all(server: &TestServer) -> Vec<Generated> {
    let mut all = Vec::new();
    for app in all_apps(server).await {
        all.extend(generate(server, app["slug"].as_str().unwrap()).await);
    }
    all
}

/// The values that the fragments set on a Mac of this architecture: for each variable a list, which
/// starts with the variable's kind.
fn run(
    zsh: &OsString,
    architecture: &str,
    labels: &[Generated],
) -> BTreeMap<(String, String), Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let mut script = format!("arch() {{ echo {architecture} }}\ncleanupAndExit() {{ exit 0 }}\n");
    for (number, label) in labels.iter().enumerate() {
        let file = folder.path().join(format!("{number}.sh"));
        fs::write(&file, format!("case $label in\n{}esac\n", label.fragment)).unwrap();
        let slug = &label.slug;
        // The label tool converts label names to lower case.
        let _ =
            writeln!(script, "(\nlabel='{slug}'\nlabel=${{label:l}}\nsource {}", file.display());
        for name in label.content.keys() {
            let values = format!("\"${{(@){name}}}\"");
            let _ =
                writeln!(script, "print -rN -- '{slug}' '{name}' ${{(t){name}}} $#{name} {values}");
        }
        script.push_str(")\n");
    }
    let path = folder.path().join("all.zsh");
    fs::write(&path, &script).unwrap();
    parse(&output(Command::new(zsh).arg("-f").arg(&path)))
}

fn output(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaints, "", "zsh reports errors");
    String::from_utf8(output.stdout).unwrap()
}

fn parse(text: &str) -> BTreeMap<(String, String), Vec<String>> {
    let mut words = text.split('\0').map(str::to_owned);
    let mut found = BTreeMap::new();
    while let (Some(slug), Some(name), Some(kind), Some(count)) =
        (words.next(), words.next(), words.next(), words.next())
    {
        let array = kind.starts_with("array");
        let count = if array { count.parse().unwrap() } else { 1 };
        let values = words.by_ref().take(count);
        let kind = if array { "array" } else { "scalar" };
        found.insert((slug, name), std::iter::once(kind.to_owned()).chain(values).collect());
    }
    found
}

/// A JSON value in the form that `run` returns.
fn quoted(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| item.as_str().unwrap().to_owned());
            std::iter::once("array".to_owned()).chain(items).collect()
        }
        value => vec!["scalar".to_owned(), value.as_str().unwrap().to_owned()],
    }
}

fn check_syntax(zsh: &OsString, label: &Generated, folder: &Path) {
    let file = folder.join("one.sh");
    fs::write(&file, format!("case $label in\n{}esac\n", label.fragment)).unwrap();
    let checked = Command::new(zsh).arg("-n").arg(&file).output().unwrap();
    assert!(checked.status.success(), "{}\n{checked:?}", label.fragment);
}

fn check_all(zsh: &OsString, labels: &[Generated]) {
    let folder = tempfile::tempdir().unwrap();
    for label in labels {
        check_syntax(zsh, label, folder.path());
    }
    let found = run(zsh, "arm64", labels);
    for label in labels {
        for (name, value) in &label.content {
            let set = found.get(&(label.slug.clone(), name.clone()));
            assert_eq!(set, Some(&quoted(value)), "{name} of {}:\n{}", label.slug, label.fragment);
        }
    }
}

#[tokio::test]
async fn every_fragment_of_the_sample_sets_what_its_label_says() {
    let zsh = zsh();
    let server = TestServer::with_sample();
    let labels = generate_all(&server).await;
    assert!(labels.len() >= 10, "{}", labels.len());
    check_all(&zsh, &labels);
}

#[tokio::test]
async fn values_of_any_kind_survive_the_shell() {
    let zsh = zsh();
    let raw = json!({
        "name": "It's \"quoted\" \\ back! *~#?[a] (b) {c,d} <e> & ; % ^ = 名前",
        "type": "dmg", "downloadURL": "https://example.com/a.dmg?x=1&y='2'",
        "blockingProcesses": ["A B", "c\"d", "e'f", "\\", "-n", "*"],
        "folderName": "=ls", "CLIArguments": ["--x=~", "a b"],
        "IFS": ":", "PATH": "/nowhere", "argv": ["x"],
    });
    let record = |slug: &str| {
        json!({"app": {"slug": slug, "name": "Odd", "sources": ["label_tool"]},
        "sources": {"label_tool": {"label_name": slug, "label_url": "https://example.com/odd.sh", "raw": raw}}})
    };
    let slugs = ["odd", "Odd.Case", "odd@beta", "odd++", "1.odd_x"];
    let server = TestServer::with_records(&slugs.map(record)).await;
    let labels = generate_all(&server).await;
    assert_eq!(labels.len(), slugs.len());
    assert!(labels.iter().all(|label| label.content.len() == 6), "{:?}", labels[0].content);
    check_all(&zsh, &labels);
}

#[tokio::test]
async fn an_intel_mac_gets_its_own_values_or_a_clear_refusal() {
    let zsh = zsh();
    let cask = |token: &str, more: Value| {
        let mut entry = json!({
            "token": token, "name": [token], "version": "2.0", "sha256": "a".repeat(64),
            "url": format!("https://example.com/{token}-arm64.dmg"),
            "artifacts": [{"app": [format!("{token}.app")]}],
        });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"app": {"slug": token, "name": token, "sources": ["cask_catalog"]},
        "sources": {"cask_catalog": {"token": token, "entry_json": entry}}})
    };
    let records = [
        cask(
            "both",
            json!({"variations": {"tahoe": {"url": "https://example.com/both-x64.dmg", "version": "1.9"},
            "sonoma": {"url": "https://example.com/old.dmg"}}}),
        ),
        cask("silicon", json!({"depends_on": {"arch": [{"type": "arm", "bits": 64}]}})),
        cask(
            "universal",
            json!({"variations": {"sonoma": {"url": "https://example.com/old.dmg"}}}),
        ),
    ];
    let server = TestServer::with_records(&records).await;
    let labels = generate_all(&server).await;
    check_all(&zsh, &labels);
    let intel = run(&zsh, "i386", &labels);
    let value = |slug: &str, name: &str| {
        intel.get(&(slug.to_owned(), name.to_owned())).map(|values| values[1].clone())
    };
    assert_eq!(value("both", "downloadURL").as_deref(), Some("https://example.com/both-x64.dmg"));
    assert_eq!(value("both", "appNewVersion").as_deref(), Some("1.9"));
    assert_eq!(value("both", "name").as_deref(), Some("both"));
    assert_eq!(value("silicon", "name"), None, "the label tool exits with a message");
    assert!(labels[1].fragment.contains("no download of silicon for Intel Macs is known"));
    assert!(!labels[2].fragment.contains("arch"), "{}", labels[2].fragment);
}

#[tokio::test]
async fn every_fragment_of_the_real_files_sets_what_its_label_says() {
    let zsh = zsh();
    let Some(data) = data() else { return };
    let server = TestServer::empty();
    upload_all(&server, &data).await;
    let labels = generate_all(&server).await;
    check_all(&zsh, &labels);

    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in labels.iter().flat_map(|label| &label.warnings) {
        let (key, advice) = warning.split_once(": ").expect("a warning starts with its key");
        assert!(advice.len() > 20, "{warning}");
        *warnings.entry(key).or_default() += 1;
    }
    let complete = labels.iter().filter(|label| label.warnings.is_empty()).count();
    let branching = labels.iter().filter(|label| label.fragment.contains("$(arch)")).count();
    println!(
        "labels {}, complete {complete}, with an architecture branch {branching}, warnings {warnings:?}",
        labels.len()
    );
    for label in &labels {
        check_parts_fit(label);
    }
}

/// Type, download URL and archive name fit together.
fn check_parts_fit(label: &Generated) {
    let text = |name: &str| label.content.get(name).and_then(Value::as_str);
    let Some(kind) = text("type") else { return };
    for part in [text("downloadURL"), text("archiveName")].into_iter().flatten() {
        let path = part.split(['?', '#']).next().unwrap().to_ascii_lowercase();
        for (ending, kinds) in [
            (".dmg", &["dmg", "pkgInDmg"][..]),
            (".pkg", &["pkg"]),
            (".zip", &["zip", "pkgInZip", "appInDmgInZip"]),
        ] {
            assert!(!path.ends_with(ending) || kinds.contains(&kind), "{}", label.fragment);
        }
    }
}
