//! The configuration file, `appstitch config check`, and what depends on it.

use std::{fs, path::Path};

use appstitch_upstreams::{JamfServer, JamfState};
use serde_json::json;

use crate::support::{
    Program, TOKEN, TestServer, Upstream, casks, output, run, run_ok, write_config,
};

fn write(folder: &Path, text: &str) -> String {
    let file = folder.join("appstitch.toml");
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn jamf() -> JamfServer {
    let title = json!({
        "id": "0A1", "bundleId": "com.example.app", "titleName": "App", "version": "1.0",
        "architecture": "universal", "originalMediaSources": [],
    });
    let patch = json!([{
        "name_id": "0A1", "app_name": "App", "publisher": "Example", "current_version": "1.0",
        "last_modified": "2026-03-05T06:07:08Z",
    }]);
    let patch = json!({"available_titles": patch}).to_string().into_bytes();
    let state = JamfState { patch_titles_json: Some(patch), ..JamfState::new(vec![title]) };
    JamfServer::start(state).unwrap()
}

fn titles(folder: &Path, server: &JamfServer) -> String {
    fs::write(folder.join("secret"), JamfState::new(Vec::new()).secret).unwrap();
    format!(
        "[titles]\nserver = \"{}\"\nclient_id = \"client\"\nclient_secret_file = \"secret\"\n",
        server.host.base()
    )
}

#[test]
fn it_is_shown_and_tried_source_by_source() {
    let folder = tempfile::tempdir().unwrap();
    let (upstream, jamf) = (Upstream::start(casks(&["a", "b"])), jamf());
    let text = format!(
        "[sources]\ncask_catalog = {{ addresses = [\"{}/cask.json\"], every = \"2h\" }}\n{}",
        upstream.base,
        titles(folder.path(), &jamf)
    );
    let file = write(folder.path(), &text);
    let stdout = run_ok(&["config", "check", &file]);
    let line = |start: &str| {
        let line = stdout.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{start}: {stdout}")).to_owned()
    };
    assert!(line("cask_catalog").contains("2h") && line("label_tool").contains("nothing"));
    assert!(line("mdm_installer").contains("titles API"), "{stdout}");
    assert!(!stdout.contains("sesame"), "{stdout}");
    assert_eq!((upstream.full_responses(), jamf.seen().tokens), (0, 0), "nothing is asked");

    let connect = ["config", "check", &file, "--connect", "--allow-private"];
    let stdout = run_ok(&connect);
    assert!(stdout.contains("ok: ") && !stdout.contains("sesame"), "{stdout}");
    // Titles and patch titles are tried by themselves, each with its own token.
    assert_eq!((upstream.full_responses(), jamf.seen().tokens), (1, 2));
    fs::write(folder.path().join("secret"), "another-secret-of-nobody").unwrap();
    let (code, stdout, stderr) = run(&connect);
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("refused the client ID or the client secret"), "{stdout}");
    fs::remove_file(folder.path().join("secret")).unwrap();
    let (code, _, stderr) = run(&["config", "check", &file]);
    assert_eq!(code, 1);
    assert!(stderr.contains("cannot read the client secret"), "{stderr}");
}

#[test]
fn a_broken_file_is_rejected_also_by_a_server_that_does_not_refresh() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let file = write(folder.path(), "[source]\ncask_catalog = []\n");
    for command in [
        &["serve", "--listen", "127.0.0.1:0", "--store", &store, "--config", &file][..],
        &["refresh", "--store", &store, "--config", &file],
        &["config", "check", &file],
    ] {
        let (code, _, stderr) = run(command);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains("did you mean 'sources'?"), "{stderr}");
    }
    assert!(!folder.path().join("catalog.db").exists());
}

#[tokio::test]
async fn the_titles_are_read_by_api_and_a_page_without_a_table_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let (page, jamf) = (Upstream::start("<html><p>loading</p></html>"), jamf());
    let store = folder.path().join("catalog.db");
    let address = format!("sqlite:{}", store.display());
    let table = format!("[sources]\nmdm_installer = [\"{}/titles\"]\n", page.base);
    let file = write(folder.path(), &table);
    let refresh = ["refresh", "--store", &address, "--config", &file, "--allow-private"];
    let (code, _, stderr) = run(&refresh);
    assert_eq!(code, 1);
    assert!(stderr.contains("no table of titles") && stderr.contains("[titles]"), "{stderr}");
    assert!(!stderr.contains("last good data is kept"), "there is none: {stderr}");
    write(folder.path(), &format!("{table}{}", titles(folder.path(), &jamf)));
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("nothing") && stdout.contains("read"), "{stdout}");
    let server = TestServer::on_store(&store);
    let stats = server.get("/sources").await.json();
    let titles = stats["sources"].as_array().unwrap();
    let titles = titles.iter().find(|source| source["source"] == "mdm_installer").unwrap();
    assert_eq!(titles["documents"], 1);
    for name in ["catalog.db", "catalog.db-wal"] {
        let bytes = fs::read(folder.path().join(name)).unwrap_or_default();
        assert!(!bytes.windows(6).any(|bytes| bytes == b"sesame"), "{name}");
    }
}

#[test]
fn a_dry_run_says_what_would_change() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let upstream = Upstream::start(casks(&["a", "b", "c", "d", "e", "f"]));
    let sources = [("cask_catalog", vec![format!("{}/cask.json", upstream.base)])];
    let config = write_config(folder.path(), &sources);
    let refresh = ["refresh", "--store", &store, "--config", &config, "--allow-private"];
    run_ok(&refresh);
    let changed = casks(&["a", "b", "c", "d", "e", "new"]).replacen("\"1.0\"", "\"2.0\"", 1);
    upstream.serve("", changed);
    let stdout = run_ok(&[&refresh[..], &["--dry-run"]].concat());
    assert!(stdout.contains("1 app would be added, 1 updated, 1 removed"), "{stdout}");
    assert!(stdout.contains("a: 1.0 -> 2.0"), "{stdout}");
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("1 added, 1 updated, 1 removed"), "it was not published: {stdout}");
    let (code, _, stderr) = run(&[&refresh[..], &["--only", "label_tool"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("nothing to fetch for label_tool"), "{stderr}");
}

#[tokio::test]
async fn several_files_are_one_upload_and_a_file_without_entries_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::empty();
    let file = |name: &str, text: String| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let upload = |arguments: &[&str]| {
        let mut command = Program::command();
        command.args(["upload", "--server", &server.base, "cask_catalog"]).args(arguments);
        output(command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN))
    };
    let (first, second) = (file("1.json", casks(&["a"])), file("2.json", casks(&["b"])));
    let (code, _, stderr) = upload(&[&first, &second]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("2 of 2 entries"), "{stderr}");
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b"]);

    for useless in [file("3.json", "[]".to_owned()), file("4.json", r#"[{"x":1}]"#.to_owned())] {
        let etag = server.etag().await;
        let (code, _, stderr) = upload(&[&first, &useless]);
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains("--allow-empty") && stderr.contains(&useless), "{stderr}");
        assert_eq!(server.etag().await, etag);
        let (code, _, stderr) = upload(&["--allow-empty", "--allow-shrink", &first, &useless]);
        assert_eq!(code, 0, "{stderr}");
        upload(&[&first, &second]);
    }
    let (code, _, _) = upload(&[]);
    assert_eq!(code, 2);
}

#[tokio::test]
async fn each_source_tells_how_refreshing_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let bad = r#"[{"token":"a","name":["a"],"version":"1.0"},{"name":["no token"]}]"#;
    let upstream = Upstream::start(bad);
    let sources = [
        ("cask_catalog", vec![format!("{}/cask.json", upstream.base)]),
        ("recipe_index", vec![format!("{}/missing", upstream.base)]),
    ];
    let config = write_config(folder.path(), &sources);
    let arguments =
        ["--no-sample", "--refresh-every", "6h", "--allow-private", "--config", &config];
    let server = TestServer::start(&folder.path().join("catalog.db"), &arguments, |_| {});
    crate::support::eventually("refreshed", async || {
        server.get("/health").await.json()["refresh_sources"]["recipe_index"]["problem"]
            == "returned 404 Not Found"
    })
    .await;
    let status = server.get("/sources").await.json();
    let casks = &status["sources"][1];
    assert_eq!((&casks["source"], &casks["rejected"]), (&"cask_catalog".into(), &1.into()));
    assert_eq!(casks["refresh"]["rejects"].as_array().unwrap().len(), 1, "{casks}");
    assert!(casks["refresh"]["problem"].is_null() && casks["refresh"]["succeeded_at"].is_string());
    let recipes = &status["sources"][2]["refresh"];
    assert_eq!(recipes["problem"], "returned 404 Not Found");
    assert!(recipes["succeeded_at"].is_null());
    assert!(!status.to_string().contains(&upstream.base), "addresses are not public");
    let response = server.get("/metrics").await;
    for line in [
        "appstitch_source_failures{source=\"recipe_index\"} 1",
        "appstitch_source_rejected{source=\"cask_catalog\"} 1",
        "appstitch_source_succeeded_timestamp_seconds{source=\"recipe_index\"} 0",
    ] {
        assert!(response.text().lines().any(|metric| metric == line), "{line}");
    }
    let (code, stdout, _) = server.run(&["sources", "--verbose"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("failed: returned 404") && stdout.contains("rejected: "), "{stdout}");
    let (_, stdout, _) = server.run(&["health"]);
    assert!(stdout.contains("problem returned 404 Not Found"), "{stdout}");
}

#[tokio::test]
async fn a_name_can_be_listened_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let (code, _, stderr) = run(&["serve", "--listen", "nowhere", "--store", &store]);
    assert_eq!(code, 2);
    assert!(stderr.contains("such as 127.0.0.1:8000"), "{stderr}");
    let mut command = Program::command();
    command.args(["serve", "--listen", "localhost:0", "--store", &store]);
    command.stdout(std::process::Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut line = String::new();
    let stdout = process.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).unwrap();
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(line.starts_with("listening on http://"), "{line}");
}
