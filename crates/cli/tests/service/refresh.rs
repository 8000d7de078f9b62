//! `appstitch refresh` and `appstitch upload`, with a small test upstream.

use std::path::Path;

use crate::support::{
    Program, TOKEN, TestServer, Upstream, casks, output, run, run_ok, write_config,
};

fn config(folder: &Path, sources: &[(&str, String)]) -> String {
    let sources: Vec<(&str, Vec<String>)> =
        sources.iter().map(|(source, address)| (*source, vec![address.clone()])).collect();
    write_config(folder, &sources)
}

#[tokio::test]
async fn a_refresh_fetches_what_changed_and_publishes_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let address = format!("sqlite:{}", store.display());
    let upstream = Upstream::start(casks(&["a", "b", "c", "d", "e"]));
    let config = config(folder.path(), &[("cask_catalog", format!("{}/cask.json", upstream.base))]);
    let refresh = ["refresh", "--store", &address, "--config", &config, "--allow-private"];

    let stdout = run_ok(&[&refresh[..], &["--dry-run"]].concat());
    assert!(stdout.contains("cask_catalog") && !stdout.contains("revision"), "{stdout}");
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("5 apps (5 added, 0 updated, 0 removed)"), "{stdout}");
    let (code, stdout, _) = run(&refresh);
    assert_eq!((code, stdout.contains("unchanged")), (0, true), "{stdout}");
    assert_eq!(upstream.full_responses(), 2, "the third request is conditional");

    upstream.serve("", casks(&["a", "b", "c", "d", "new"]));
    assert_eq!(run(&refresh).0, 0);
    let server = TestServer::on_store(&store);
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b", "c", "d", "new"]);

    upstream.serve("", casks(&["a"]));
    let (code, stdout, stderr) = run(&refresh);
    assert_eq!(code, 1, "a source that shrinks keeps its last good data: {stderr}");
    assert!(stdout.contains("failed") && stderr.contains("--allow-shrink"), "{stdout}{stderr}");
    assert_eq!(server.get("/apps").await.slugs().len(), 5);
    assert_eq!(run(&[&refresh[..], &["--allow-shrink"]].concat()).0, 0);
}

#[tokio::test]
async fn one_source_that_fails_leaves_the_others_and_its_own_data_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let upstream = Upstream::start(casks(&["a"]));
    let sources = [
        ("cask_catalog", format!("{}/cask.json", upstream.base)),
        ("recipe_index", format!("{}/missing", upstream.base)),
        ("store_listing", format!("{}/not-a-lookup", upstream.base)),
    ];
    let config = config(folder.path(), &sources);
    let refresh = ["refresh", "--store", &store, "--config", &config, "--allow-private"];
    let (code, stdout, stderr) = run(&refresh);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("1 app (1 added"), "{stdout}");
    assert!(stderr.contains("404") && stderr.contains("not a lookup response"), "{stderr}");
    let (code, _, _) = run(&[&refresh[..], &["--only", "cask_catalog"]].concat());
    assert_eq!(code, 0);
}

#[test]
fn nothing_private_is_fetched_unless_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let upstream = Upstream::start(casks(&["a"]));
    let config = config(folder.path(), &[("cask_catalog", upstream.base.clone())]);
    let (code, _, stderr) = run(&["refresh", "--store", &store, "--config", &config]);
    assert_eq!(code, 1);
    assert!(stderr.contains("--allow-private"), "{stderr}");
    assert_eq!(upstream.full_responses(), 0);
}

#[tokio::test]
async fn files_go_to_a_running_server_too() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::empty();
    let upstream = Upstream::start(casks(&["a", "b"]));
    let config = config(folder.path(), &[("cask_catalog", format!("{}/cask.json", upstream.base))]);
    let send = |arguments: &[&str], token: Option<&str>| {
        let mut command = Program::command();
        command.args(arguments);
        if let Some(token) = token {
            command.env("APPSTITCH_DEPLOY_TOKEN", token);
        }
        let (code, _, stderr) = output(&mut command);
        (code, stderr)
    };
    let refresh = ["refresh", "--server", &server.base, "--config", &config, "--allow-private"];
    let (code, stderr) = send(&refresh, None);
    assert_eq!(code, 2, "{stderr}");
    let (code, stderr) = send(&refresh, Some(TOKEN));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b"]);

    let file = folder.path().join("cask.json");
    std::fs::write(&file, casks(&["a", "b", "c"])).unwrap();
    let upload = ["upload", "cask_catalog", file.to_str().unwrap(), "--server", &server.base];
    let (code, stderr) = send(&upload, Some(TOKEN));
    assert_eq!((code, stderr.contains("3 of 3 entries accepted")), (0, true), "{stderr}");
    assert_eq!(send(&upload, Some("wrong")).0, 1);
    std::fs::write(&file, "[]").unwrap();
    let (code, stderr) = send(&upload, Some(TOKEN));
    assert_eq!((code, stderr.contains("--allow-empty")), (1, true), "{stderr}");
    std::fs::write(&file, casks(&["a"])).unwrap();
    let (code, stderr) = send(&upload, Some(TOKEN));
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.ends_with("\nhint: pass --allow-shrink if this is intended\n"), "{stderr}");
    assert!(!stderr.contains("allow_shrink"), "names the flag, not the query parameter: {stderr}");
    assert_eq!(
        send(
            &["upload", "cask_catalog", file.to_str().unwrap(), "--server", "http://127.0.0.1:9"],
            Some(TOKEN)
        )
        .0,
        3
    );
    let lookup = folder.path().join("lookup.toml");
    std::fs::write(&lookup, "[sources]\n[store_listings]\ncountry = \"us\"\n").unwrap();
    let lookup = lookup.to_str().unwrap();
    let (code, stderr) =
        send(&["refresh", "--server", &server.base, "--config", lookup], Some(TOKEN));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("nothing to send for store_listing"), "{stderr}");
    assert_eq!(send(&["upload", "nonsense", file.to_str().unwrap()], Some(TOKEN)).0, 2);
}
