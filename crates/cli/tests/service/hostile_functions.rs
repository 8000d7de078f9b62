//! Hostile version functions and values in generated fragments. Each fragment is evaluated in a real
//! zsh as the label tool does it, inside a `case`; defining a label must run nothing.

use std::{
    fmt::Write,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use appstitch_hostile::{Chance, HOSTILE_FUNCTIONS, function};
use appstitch_labels::check_function;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    label_fragments::zsh,
    support::{TestServer, ndjson},
};

const NAME: &str = "appCustomVersion";

/// A record whose label has these variables.
fn record(slug: &str, raw: &Value) -> Value {
    let label = json!({"label_name": slug, "label_url": "https://example.com/odd.sh", "raw": raw});
    json!({"app": {"slug": slug, "name": "Odd", "sources": ["label_tool"]},
        "sources": {"label_tool": label}})
}

async fn fragment(server: &TestServer, slug: &str) -> String {
    let path = format!("/apps/{slug}/generate-label");
    let request = server.request(Method::POST, &path).header("accept", "text/x-shellscript");
    server.send(request).await.text().to_owned()
}

/// Evaluates every text in a subshell of its own and returns those that ran the canary, changed
/// more than they should, or made zsh complain.
fn evaluated(zsh: &std::ffi::OsString, texts: &[(String, String)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    // Nothing but the canary can be run.
    let mut script = "PATH=/nowhere\ntouch() { print ran > $folder/canary }\n\
        arch() { print arm64 }\ncleanupAndExit() { }\n"
        .to_owned();
    for (number, (slug, text)) in texts.iter().enumerate() {
        let place = folder.path().join(number.to_string());
        fs::create_dir(&place).unwrap();
        fs::write(place.join("label.sh"), format!("case $label in\n{text}esac\n")).unwrap();
        let place = place.display();
        let _ = writeln!(
            script,
            "(\nfolder={place}\ncd {place}\nlabel={slug}\nbefore=${{#functions}}\n\
             source ./label.sh 2> complaints\n\
             print ${{#functions}} - $before - ${{+functions[{NAME}]}} > defined\n)"
        );
    }
    let path = folder.path().join("all.zsh");
    fs::write(&path, script).unwrap();
    let output = Command::new(zsh)
        .arg("-f")
        .arg(&path)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let suspicious = texts.iter().enumerate().filter_map(|(number, (_, text))| {
        let why = suspicion(&folder.path().join(number.to_string()))?;
        Some(format!("{why}:\n{text}"))
    });
    suspicious.collect()
}

fn suspicion(place: &Path) -> Option<String> {
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap_or_default();
    let mut names: Vec<String> = fs::read_dir(place)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    if names != ["complaints", "defined", "label.sh"] {
        return Some(format!("it ran: {names:?}"));
    }
    let complaints = read("complaints");
    if !complaints.is_empty() {
        return Some(complaints);
    }
    let defined = read("defined");
    let numbers: Vec<usize> =
        defined.trim().split(" - ").map(|number| number.parse().unwrap()).collect();
    (numbers[0] != numbers[1] + numbers[2]).then(|| format!("it defined others: {defined}"))
}

#[tokio::test]
async fn a_hostile_function_never_reaches_the_fragment_and_nothing_runs() {
    let zsh = zsh();
    let raw = |text: &str| json!({"name": "Odd", "type": "dmg", "appCustomVersion()": text});
    let slug = |number: usize| format!("odd-{number}");
    let records: Vec<Value> = HOSTILE_FUNCTIONS
        .iter()
        .enumerate()
        .map(|(number, text)| record(&slug(number), &raw(text)))
        .collect();
    let server = TestServer::empty();
    let response = server.upload(&ndjson(&records)).await.json();
    assert_eq!(response["accepted"], records.len(), "{response}");
    let mut fragments = Vec::new();
    for (number, hostile) in HOSTILE_FUNCTIONS.iter().enumerate() {
        let slug = slug(number);
        let text = fragment(&server, &slug).await;
        let code: Vec<&str> =
            text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
        assert_eq!(
            code,
            [
                format!("{slug})"),
                "    name=\"Odd\"".into(),
                "    type=\"dmg\"".into(),
                "    ;;".into()
            ],
            "{hostile:?}"
        );
        let label = server.post(&format!("/apps/{slug}/generate-label")).await.json();
        let warnings = label["warnings"].as_array().unwrap();
        let is_told = |warning: &Value| warning.as_str().unwrap().starts_with("appCustomVersion: ");
        assert!(warnings.iter().any(is_told), "{warnings:?}");
        fragments.push((slug, text));
    }
    assert!(fragments.len() > 100);
    assert_eq!(evaluated(&zsh, &fragments), Vec::<String>::new());
}

#[tokio::test]
async fn the_uploader_hears_why_a_function_is_not_used() {
    let server = TestServer::empty();
    let raw = json!({"appCustomVersion()": "appCustomVersion() { echo 1; }; touch canary"});
    let response = server.upload(&record("odd", &raw).to_string()).await.json();
    assert_eq!(response["accepted"], 1, "{response}");
    assert_eq!(
        response["problems"][0]["why"],
        "sources.label_tool.raw.appCustomVersion() is not used in generated labels: \
         line 1: text behind the function"
    );
}

/// Functions that are made up at random and happen to be accepted: zsh must agree.
#[test]
fn zsh_sees_one_function_wherever_the_check_does() {
    let zsh = zsh();
    let seeds: u64 = std::env::var("APPSTITCH_TEST_FUNCTIONS")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(5_000);
    let accepted: Vec<(String, String)> = (0..seeds)
        .map(|seed| function(&mut Chance::new(seed)))
        .filter(|text| check_function(NAME, text).is_ok())
        .map(|text| ("odd".to_owned(), format!("odd)\n    {text}\n    ;;\n")))
        .collect();
    assert!(accepted.len() > 50, "{}", accepted.len());
    for some in accepted.chunks(2000) {
        assert_eq!(evaluated(&zsh, some), Vec::<String>::new());
    }
}

/// Every parameter of the shell that a label could set must be known to be one.
#[tokio::test]
async fn no_parameter_of_the_shell_is_ever_set() {
    let zsh = zsh();
    let script = "zmodload zsh/parameter zsh/mapfile zsh/terminfo zsh/system zsh/langinfo zsh/zle \
        zsh/datetime zsh/sched zsh/watch zsh/zleparameter 2> /dev/null; \
        print -l ${(k)parameters[(R)*special*]}";
    let output = Command::new(&zsh).args(["-fc", script]).output().unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    let raw: serde_json::Map<String, Value> = listed
        .lines()
        .map(|name| (name.to_owned(), json!(["a", "touch canary"])))
        .chain([("name".to_owned(), json!("Odd"))])
        .collect();
    assert!(raw.len() > 80, "{raw:?}");
    let server = TestServer::with_records(&[record("odd", &Value::Object(raw))]).await;
    let label = server.post("/apps/odd/generate-label").await.json();
    assert_eq!(label["content"], json!({"name": "Odd"}));
}
