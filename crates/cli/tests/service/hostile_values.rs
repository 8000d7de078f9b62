//! Values of any kind in a fragment: they come out of zsh as they went in, and nothing runs.

use std::{fmt::Write, fs, process::Command};

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::{label_fragments::zsh, support::TestServer};

const LABELS: usize = 64;

/// Parts of values that mean something to a shell. Joined at random they look like code.
fn value() -> impl Strategy<Value = String> {
    let signs = prop::sample::select(vec![
        "$(touch canary)", "`touch canary`", "${x}", "\"", "'", "\\", "\\\"", ";", "&&", "|",
        ">canary", "<(touch canary)", "=(touch canary)", "*", "?", "[a]", "~", "=ls", "#", "!",
        "!!", "^", "%", "{a,b}", "{", "}", "(", ")", "(#q)", "(e:'touch canary':)", ";;", "esac",
        "\n", "\r", "\0", "\t", "\u{7}", "\u{2028}", "\u{85}", "\u{202e}", "\u{a0}", "-n", "--",
        " ", "a", "名前", "é", "👩\u{200d}💻",
    ]);
    prop::collection::vec(signs, 1..6).prop_map(|parts| parts.concat())
}

fn raw() -> impl Strategy<Value = Value> {
    let texts = [
        "name", "appName", "packageID", "appNewVersion", "expectedTeamID", "downloadURL", "type",
        "archiveName", "folderName", "versionKey", "custom_variable",
    ];
    let lists = ["blockingProcesses", "CLIArguments", "curlOptions"];
    let texts = prop::collection::vec((prop::sample::select(texts.to_vec()), value()), 1..9);
    let listed = prop::collection::vec(value(), 1..4);
    let lists = prop::collection::vec((prop::sample::select(lists.to_vec()), listed), 0..3);
    let names = prop::collection::vec((value(), value()), 0..2);
    (texts, lists, names).prop_map(|(texts, lists, names)| {
        let mut raw = Map::new();
        raw.extend(texts.into_iter().map(|(name, value)| (name.to_owned(), json!(value))));
        raw.extend(lists.into_iter().map(|(name, values)| (name.to_owned(), json!(values))));
        // Names of variables are values of the payload, too.
        raw.extend(names.into_iter().map(|(name, value)| (name, json!(value))));
        Value::Object(raw)
    })
}

#[tokio::test]
async fn values_survive_the_shell_exactly_and_nothing_runs() {
    let zsh = zsh();
    let mut runner = TestRunner::deterministic();
    let raws: Vec<Value> =
        (0..LABELS).map(|_| raw().new_tree(&mut runner).unwrap().current()).collect();
    let records: Vec<Value> = raws
        .iter()
        .enumerate()
        .map(|(number, raw)| {
            let slug = format!("odd-{number}");
            json!({"app": {"slug": slug, "name": "Odd", "sources": []}, "sources": {"label_tool":
                {"label_name": slug, "label_url": "https://example.com/odd.sh", "raw": raw}}})
        })
        .collect();
    let server = TestServer::with_records(&records).await;
    let mut served = 0;
    for (number, raw) in raws.iter().enumerate() {
        let path = format!("/apps/odd-{number}/generate-label");
        let label = server.post(&path).await.json();
        let content = label["content"].as_object().unwrap();
        served += content.len();
        let request = server.request(Method::POST, &path).header("accept", "text/x-shellscript");
        let fragment = server.send(request).await.text().to_owned();
        let folder = tempfile::tempdir().unwrap();
        let mut shown = String::new();
        for name in content.keys() {
            let _ = writeln!(shown, "print -rN -- \"${{(@){name}}}\"");
        }
        let script = format!(
            "touch() {{ print ran > canary }}\ncleanupAndExit() {{ }}\nlabel=odd-{number}\n\
             case $label in\n{fragment}esac\n{shown}"
        );
        fs::write(folder.path().join("all.zsh"), script).unwrap();
        let output =
            Command::new(&zsh).args(["-f", "all.zsh"]).current_dir(folder.path()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{raw}\n{fragment}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "it ran: {raw}\n{fragment}");
        let expected: String = content.values().map(printed).collect();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{raw}\n{fragment}");
    }
    assert!(served > LABELS, "{served} values were compared");
}

/// What `print -rN` makes of a value.
fn printed(value: &Value) -> String {
    let text = |value: &Value| format!("{}\0", value.as_str().unwrap_or_default());
    match value {
        Value::Array(items) => items.iter().map(text).collect(),
        value => text(value),
    }
}
