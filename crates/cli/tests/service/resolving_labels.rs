//! `appstitch labels resolve` with a small web server: choosing labels, publishing, the report.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    sources::label_archive,
    support::{Program, TOKEN, TestServer, Upstream, output, run, write_config},
};

/// A web server, the archive of labels that ask it, and a folder for a store.
struct Scene {
    upstream: Upstream,
    folder: TempDir,
    archive: PathBuf,
    store: String,
}

impl Scene {
    /// Labels with these bodies, in which `BASE` stands for the web server.
    fn new(labels: &[(&str, &str)]) -> Self {
        let upstream = Upstream::start("");
        let folder = tempfile::tempdir().unwrap();
        let bodies: Vec<(&str, String)> = labels
            .iter()
            .map(|(name, body)| (*name, body.replace("BASE", &upstream.base)))
            .collect();
        let bodies: Vec<(&str, &str)> =
            bodies.iter().map(|(name, body)| (*name, body.as_str())).collect();
        let archive = folder.path().join("labels.tar.gz");
        std::fs::write(&archive, label_archive(&bodies)).unwrap();
        let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
        Self { upstream, folder, archive, store }
    }

    fn with_store(self) -> Self {
        let source = ("label_tool", vec![format!("file://{}", self.archive.display())]);
        let config = write_config(self.folder.path(), &[source]);
        let (code, _, stderr) = run(&["refresh", "--store", &self.store, "--config", &config]);
        assert_eq!(code, 0, "{stderr}");
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn resolve(&self, arguments: &[&str]) -> (i32, String, String) {
        let resolve = ["labels", "resolve", "--store", &self.store, "--allow-private"];
        run(&[&resolve[..], arguments].concat())
    }

    fn report(&self, arguments: &[&str]) -> Value {
        let (_, stdout, stderr) = self.resolve(&[arguments, &["--json"]].concat());
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"))
    }
}

fn resolve_to(server: &str, token: Option<&str>, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Program::command();
    command.args(["labels", "resolve", "--server", server, "--allow-private"]).args(arguments);
    if let Some(token) = token {
        command.env("APPSTITCH_DEPLOY_TOKEN", token);
    }
    output(&mut command)
}

const ONE: &str = "    name=\"One\"\n    type=\"dmg\"\n    appNewVersion=$(curl -fs BASE/one)\n    downloadURL=\"https://example.com/one-${appNewVersion}.dmg\"\n    expectedTeamID=\"ABCDE12345\"";
const TWO: &str = "    name=\"Two\"\n    type=\"dmg\"\n    appNewVersion=$(curl -fs BASE/two | python3 -c x)\n    downloadURL=\"https://example.com/two.dmg\"\n    expectedTeamID=\"ABCDE12345\"";
const PLAIN: &str = "    name=\"Plain\"\n    type=\"dmg\"\n    appNewVersion=\"3.0\"\n    downloadURL=\"https://example.com/plain.dmg\"\n    expectedTeamID=\"ABCDE12345\"";

fn version(store: &Path, slug: &str) -> Value {
    let output = run(&["records", "export", "--store", &format!("sqlite:{}", store.display())]);
    assert_eq!(output.0, 0, "{}", output.2);
    let records = output.1.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut records = records.filter(|record| record["app"]["slug"] == slug);
    records.next().unwrap()["app"]["current_version"].clone()
}

#[test]
fn versions_are_found_published_and_reported() {
    let scene = Scene::new(&[("one", ONE), ("two", TWO), ("plain", PLAIN)]).with_store();
    let store = scene.path("catalog.db");
    scene.upstream.serve("/one", "1.0");
    scene.upstream.serve("/two", "2.0");
    let report = scene.report(&[]);
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "labels", "resolved", "unchanged", "changed", "unresolved", "pending", "rejected",
            "left", "requests", "not_modified", "limited_hosts", "revision"
        ]
    );
    assert_eq!((&report["labels"], &report["resolved"]), (&json!(2), &json!(1)));
    assert_eq!(report["changed"], json!([{"label": "one", "old": null, "new": "1.0"}]));
    let unresolved = &report["unresolved"][0];
    assert_eq!((&unresolved["count"], &unresolved["labels"]), (&json!(1), &json!(["two"])));
    assert!(unresolved["reason"].as_str().unwrap().contains("python3"), "{report}");
    assert_eq!(version(&store, "one"), "1.0");
    assert_eq!(version(&store, "two"), Value::Null, "an unresolved value is never a guess");
    let revision = report["revision"].clone();
    assert!(revision.is_string());

    let again = scene.report(&[]);
    assert_eq!((&again["changed"], &again["revision"]), (&json!([]), &revision));
    assert_eq!(again["not_modified"], 2, "the requests are conditional: {again}");

    scene.upstream.serve("/one", "1.1");
    let (code, table, stderr) = scene.resolve(&[]);
    assert_eq!(code, 0, "unresolved labels are normal: {stderr}");
    assert!(stderr.starts_with("resolving 2 labels\n"), "{stderr}");
    assert!(table.contains("one                            1.0 → 1.1\n"), "{table}");
    assert!(table.contains("unresolved               1\n"), "{table}");
    assert_eq!(version(&store, "one"), "1.1");

    // A page that is gone leaves what is known.
    scene.upstream.serve("/one", "");
    let (code, table, _) = scene.resolve(&["one"]);
    assert_eq!(code, 1, "a named label stays unresolved: {table}");
    assert!(table.contains("appNewVersion is empty"), "{table}");
    assert_eq!(version(&store, "one"), "1.1");
}

#[test]
fn junk_and_lower_versions_are_reported_and_not_published() {
    let scene = Scene::new(&[("one", ONE)]).with_store();
    scene.upstream.serve("/one", "2.0");
    scene.report(&[]);
    scene.upstream.serve("/one", "1.0");
    let report = scene.report(&[]);
    let pending = &report["pending"][0];
    assert_eq!((&pending["label"], &pending["version"]), (&json!("one"), &json!("1.0")));
    assert_eq!(pending["known"], "2.0");
    scene.upstream.serve("/one", "agent");
    let (_, _, stderr) = scene.resolve(&[]);
    assert!(stderr.contains("\"agent\" is rejected"), "{stderr}");
    assert_eq!(version(&scene.path("catalog.db"), "one"), "2.0");
}

#[test]
fn labels_can_be_chosen() {
    let scene = Scene::new(&[("one", ONE), ("two", TWO)]).with_store();
    scene.upstream.serve("/one", "1.0");
    assert_eq!(scene.report(&["one"])["labels"], 1);
    assert_eq!(scene.report(&["--only-missing"])["labels"], 1, "only two is missing");
    let (code, stdout, stderr) = scene.resolve(&["--older-than", "1h"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert_eq!(stderr, "no label needs a run\n");
    assert_eq!(scene.report(&["--older-than", "1h"])["labels"], 0);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(scene.report(&["--older-than", "1s"])["labels"], 2);

    let (code, _, stderr) = scene.resolve(&["onne", "two"]);
    assert_eq!(
        (code, stderr.as_str()),
        (2, "error: unknown label 'onne'\nhint: did you mean one?\n")
    );
}

#[test]
fn a_dry_run_publishes_nothing() {
    let scene = Scene::new(&[("one", ONE)]).with_store();
    scene.upstream.serve("/one", "1.0");
    let report = scene.report(&["--dry-run"]);
    assert_eq!((&report["resolved"], &report["revision"]), (&json!(1), &Value::Null));
    assert_eq!(report["changed"][0]["new"], "1.0", "it tells what would change");
    assert_eq!(version(&scene.path("catalog.db"), "one"), Value::Null);
    let report = scene.report(&["--older-than", "1h"]);
    assert_eq!(report["labels"], 1, "a label whose findings are not published counts as not run");
    assert_eq!(version(&scene.path("catalog.db"), "one"), "1.0");
}

#[test]
fn a_failed_request_does_not_discard_what_others_found() {
    let half = "    name=\"One\"\n    appNewVersion=$(curl -fs BASE/one)\n    downloadURL=$(curl -fs http://127.0.0.1:9/)";
    let scene = Scene::new(&[("one", half)]).with_store();
    scene.upstream.serve("/one", "1.0");
    let (code, stdout, stderr) = scene.resolve(&[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_eq!(version(&scene.path("catalog.db"), "one"), "1.0");
}

#[test]
fn findings_are_published_even_if_the_record_cannot_be_written() {
    let scene = Scene::new(&[("one", ONE)]).with_store();
    scene.upstream.serve("/one", "1.0");
    // The folder exists, but no file can have so long a name.
    let file = scene.path(&"x".repeat(300));
    let (code, stdout, stderr) = scene.resolve(&["--record", file.to_str().unwrap()]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("error: cannot write "), "{stderr}");
    assert!(stdout.contains("1.0"), "{stdout}");
    assert_eq!(version(&scene.path("catalog.db"), "one"), "1.0");
}

#[tokio::test]
async fn findings_go_to_a_running_server_too() {
    let scene = Scene::new(&[("one", ONE), ("plain", PLAIN)]);
    scene.upstream.serve("/one", "1.0");
    let archive = scene.archive.to_str().unwrap();
    let server = TestServer::empty();
    let put = server.admin(reqwest::Method::PUT, "/admin/sources/label_tool");
    let put = put.body(std::fs::read(archive).unwrap());
    assert_eq!(server.send(put).await.status, 200);

    let resolve =
        |token: Option<&str>, arguments: &[&str]| resolve_to(&server.base, token, arguments);
    let (code, _, stderr) = resolve(None, &["--labels", archive]);
    assert_eq!((code, stderr.lines().next()), (2, Some("error: no deploy token")), "{stderr}");
    assert_eq!(resolve(None, &["--labels", archive, "--dry-run"]).0, 0, "needs no token");
    let (code, _, stderr) = resolve(Some("wrong"), &["--labels", archive]);
    assert_eq!(code, 1, "{stderr}");
    let (code, stdout, stderr) =
        resolve(Some(TOKEN), &["--labels", archive, "--only-missing", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["changed"], json!([{"label": "one", "old": null, "new": "1.0"}]));
    assert!(report["revision"].is_string());
    assert_eq!(server.get("/apps/one").await.json()["current_version"], "1.0");

    let (code, _, stderr) = resolve(Some(TOKEN), &["--labels", archive, "--only-missing"]);
    assert_eq!((code, stderr.as_str()), (0, "no label needs a run\n"));

    // Without an archive, the labels are downloaded from the label source.
    let source = ("label_tool", vec![format!("{}/labels.tar.gz", scene.upstream.base)]);
    scene.upstream.serve("/labels.tar.gz", std::fs::read(archive).unwrap());
    let config = write_config(scene.folder.path(), &[source]);
    let (code, stdout, stderr) = resolve(Some(TOKEN), &["--config", &config, "one"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("unchanged                1\n"), "{stdout}");

    let (code, _, stderr) = resolve_to("http://127.0.0.1:9", Some(TOKEN), &["--labels", archive]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("server unavailable at http://127.0.0.1:9"), "{stderr}");
}

#[test]
fn a_network_without_answers_is_code_3() {
    let scene = Scene::new(&[(
        "one",
        "    name=\"One\"\n    appNewVersion=$(curl -fs http://127.0.0.1:9/)",
    )]);
    let scene = scene.with_store();
    let (code, _, stderr) = scene.resolve(&[]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("error: no request was answered; nothing is published\n"), "{stderr}");
    // Without the permission, private addresses are not asked at all.
    let (code, stdout, _) = run(&["labels", "resolve", "--store", &scene.store]);
    assert_eq!(code, 3);
    assert!(stdout.contains("private"), "{stdout}");
    // Nothing was found, so the labels count as not run.
    let (code, _, _) = scene.resolve(&["--older-than", "1h"]);
    assert_eq!(code, 3);
}

#[test]
fn wrong_use_is_reported_before_anything_is_asked() {
    let scene = Scene::new(&[("one", ONE)]).with_store();
    let token = scene.path("token");
    std::fs::write(&token, "\n").unwrap();
    let token = token.to_str().unwrap();
    let server = ["--server", "http://127.0.0.1:9"];
    for arguments in [
        &["--older-than", "soon"][..],
        &["--older-than", "0s"],
        &["--time-limit", "5"],
        &["--replay", "x", "--record", "y"],
        &["--replay", "x", "--only-missing"],
        &["--replay", "x", "--server", "http://127.0.0.1:9"],
        &["--labels", "/does/not/exist"],
        &["--record", "/does/not/exist/cases.ndjson"],
        &["--record", "/"],
        &["--github-token-file", "/does/not/exist"],
        &["--github-token-file", token],
        &[server[0], server[1], "--older-than", "1h"],
        &[server[0], server[1], "--store", "sqlite:x.db"],
        &[server[0], server[1]],
    ] {
        let (code, stdout, stderr) = run(&[&["labels", "resolve"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: "), "{stderr}");
    }
    assert_eq!(scene.upstream.full_responses(), 0);
}

#[test]
fn a_store_without_labels_is_not_created_or_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("catalog.db");
    let store = format!("sqlite:{}", file.display());
    let (code, _, stderr) = run(&["labels", "resolve", "--store", &store]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("there is no such store") && !file.exists(), "{stderr}");
    let records = folder.path().join("records.ndjson");
    std::fs::write(&records, "").unwrap();
    run(&["records", "import", records.to_str().unwrap(), "--store", &store]);
    let (code, _, stderr) = run(&["labels", "resolve", "--store", &store]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.starts_with("error: the store has no labels\nhint: "), "{stderr}");
}

#[test]
fn a_refresh_resolves_labels_on_request() {
    let scene = Scene::new(&[("one", ONE), ("two", TWO)]);
    scene.upstream.serve("/one", "1.0");
    scene.upstream.serve("/two", "2.0");
    let source = ("label_tool", vec![format!("file://{}", scene.archive.display())]);
    let config = write_config(scene.folder.path(), &[source]);
    let refresh = ["refresh", "--store", &scene.store, "--config", &config, "--allow-private"];
    let (code, stdout, stderr) = run(&refresh);
    assert_eq!((code, stdout.contains("labels")), (0, false), "{stdout}{stderr}");
    assert_eq!(scene.upstream.full_responses(), 0);
    let (code, stdout, stderr) = run(&[&refresh[..], &["--resolve-labels"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let summary = "\n2 labels run: 1 resolved (1 changed), 1 unresolved, revision ";
    assert!(stdout.contains(summary), "{stdout}");
    assert!(stderr.contains("warning: 1 unresolved: ") && stderr.contains("(two)"), "{stderr}");
    assert_eq!(version(&scene.path("catalog.db"), "one"), "1.0");
    assert_eq!(run(&[&refresh[..], &["--time-limit", "1"]].concat()).0, 2);
    assert_eq!(run(&[&refresh[..], &["--resolve-labels", "--dry-run"]].concat()).0, 2);
}

#[test]
fn a_wrong_token_is_noticed_before_anything_is_asked() {
    let scene = Scene::new(&[("one", ONE)]);
    scene.upstream.serve("/one", "1.0");
    let server = TestServer::empty();
    let labels = ["--labels", scene.archive.to_str().unwrap()];
    let (code, stdout, stderr) = resolve_to(&server.base, Some("wrong"), &labels);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains("APPSTITCH_DEPLOY_TOKEN"), "{stderr}");
    let source = ("cask_catalog", vec![format!("{}/one", scene.upstream.base)]);
    let config = write_config(scene.folder.path(), &[source]);
    let mut refresh = Program::command();
    refresh.args(["refresh", "--server", &server.base, "--config", &config, "--allow-private"]);
    let output = refresh.env("APPSTITCH_DEPLOY_TOKEN", "wrong").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(scene.upstream.full_responses(), 0);
}

#[test]
fn labels_that_cannot_be_resolved_do_not_harm_a_refresh() {
    let body = "    name=\"One\"\n    appNewVersion=$(curl -fs http://127.0.0.1:9/)";
    let scene = Scene::new(&[("one", body)]);
    let source = ("label_tool", vec![format!("file://{}", scene.archive.display())]);
    let config = write_config(scene.folder.path(), &[source]);
    let refresh = ["refresh", "--store", &scene.store, "--config", &config];
    let (code, stdout, stderr) = run(&[&refresh[..], &["--resolve-labels"]].concat());
    assert_eq!(code, 1, "{stderr}");
    assert!(
        stdout.contains("\n1 app (1 added") && stdout.ends_with("labels not resolved\n"),
        "{stdout}"
    );
    assert!(stderr.contains("the sources are refreshed"), "{stderr}");
}
