//! `appstitch refresh` with several files of one source, compressed files and local files.

use std::{io::Write, path::Path};

use serde_json::json;

use crate::support::{Program, TOKEN, TestServer, Upstream, casks, run, run_ok, write_config};

fn store(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("catalog.db").display())
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(content).unwrap();
    gzip.finish().unwrap()
}

fn label_archive() -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let text = b"labelled)\n    name=\"Labelled\"\n    type=\"dmg\"\n    ;;\n";
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_cksum();
    archive.append_data(&mut header, "main/fragments/labels/labelled.sh", &text[..]).unwrap();
    archive.into_inner().unwrap()
}

#[test]
fn several_addresses_of_one_source_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let (store, upstream) = (store(folder.path()), Upstream::start(""));
    upstream.serve("/one.json", casks(&["a", "b"]));
    upstream.serve("/two.json", casks(&["b", "c"]));
    let addresses = ["one", "two"].map(|name| format!("{}/{name}.json", upstream.base)).to_vec();
    let config = write_config(folder.path(), &[("cask_catalog", addresses)]);
    let refresh = ["refresh", "--store", &store, "--config", &config, "--allow-private"];
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("3 apps (3 added"), "{stdout}");

    upstream.serve("/one.json", casks(&["a", "b", "d"]));
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("unchanged"), "{stdout}");
    assert!(stdout.contains("4 apps (1 added, 0 updated, 0 removed)"), "{stdout}");
    assert_eq!(upstream.full_responses(), 3, "the request for the second file is conditional");

    upstream.serve("/one.json", casks(&["a", "b", "d", "e"]));
    upstream.serve("/two.json", "");
    let (code, stdout, stderr) = run(&refresh);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("5 apps (1 added, 0 updated, 0 removed)"), "{stdout}");
}

#[test]
fn packed_files_and_files_of_this_machine_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (store, upstream) = (store(folder.path()), Upstream::start(""));
    upstream.serve("/cask.json.gz", gzip(casks(&["a"]).as_bytes()));
    upstream.serve("/more.json", zstd::bulk::compress(casks(&["b"]).as_bytes(), 3).unwrap());
    std::fs::write(folder.path().join("labels"), label_archive()).unwrap();
    let casks = ["cask.json.gz", "more.json"].map(|name| format!("{}/{name}", upstream.base));
    let labels = format!("file://{}", folder.path().join("labels").display());
    let sources = [("cask_catalog", casks.to_vec()), ("label_tool", vec![labels])];
    let config = write_config(folder.path(), &sources);
    let refresh = ["refresh", "--store", &store, "--config", &config, "--allow-private"];
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("3 apps (3 added"), "{stdout}");
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("3 apps") && stdout.contains("(unchanged)"), "{stdout}");

    for (address, says) in [("file:labels", "file:///"), ("file:///missing/file", "cannot read")] {
        let config = write_config(folder.path(), &[("label_tool", vec![address.to_owned()])]);
        let (code, _, stderr) = run(&["refresh", "--store", &store, "--config", &config]);
        assert_eq!(code, 1);
        assert!(stderr.contains(says), "{stderr}");
    }
}

#[tokio::test]
async fn a_file_is_fetched_again_after_an_upload_of_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let (store, upstream) = (store(folder.path()), Upstream::start(casks(&["a", "b"])));
    let addresses = vec![format!("{}/cask.json", upstream.base)];
    let config = write_config(folder.path(), &[("cask_catalog", addresses)]);
    let refresh = ["refresh", "--store", &store, "--config", &config, "--allow-private"];
    assert_eq!(run(&refresh).0, 0);
    let server = TestServer::on_store(&folder.path().join("catalog.db"));
    assert_eq!(
        server.put("/admin/sources/cask_catalog", casks(&["a", "b", "uploaded"])).await.status,
        200
    );
    let stdout = run_ok(&[&refresh[..], &["--allow-shrink"]].concat());
    assert!(stdout.contains("2 apps (0 added, 0 updated, 1 removed)"), "{stdout}");
    assert_eq!(upstream.full_responses(), 2);
}

#[tokio::test]
async fn a_source_that_shrinks_on_a_server_leaves_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (server, upstream) = (TestServer::empty(), Upstream::start(""));
    upstream.serve("/cask.json", casks(&["a", "b"]));
    let listing = |count: usize| {
        let entry = |number| json!({"kind": "mac-software", "bundleId": format!("com.{number}")});
        json!({"results": (0..count).map(entry).collect::<Vec<_>>()}).to_string()
    };
    upstream.serve("/lookup.json", listing(10));
    let address = |name: &str| vec![format!("{}/{name}.json", upstream.base)];
    let sources = [("cask_catalog", address("cask")), ("store_listing", address("lookup"))];
    let config = write_config(folder.path(), &sources);
    let refresh = |more: &[&str]| {
        let mut command = Program::command();
        command.args(["refresh", "--server", &server.base, "--config", &config]);
        command.arg("--allow-private").args(more).env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    };
    let (code, text) = refresh(&[]);
    assert_eq!(code, 0, "{text}");

    upstream.serve("/cask.json", casks(&["a", "b", "c"]));
    upstream.serve("/lookup.json", listing(1));
    let (code, text) = refresh(&[]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("9 of 10 entries") && text.contains("--allow-shrink"), "{text}");
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b", "c"]);
    let (code, text) = refresh(&["--allow-shrink"]);
    assert_eq!(code, 0, "{text}");
}

#[tokio::test]
async fn a_source_goes_to_a_server_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (server, upstream) = (TestServer::empty(), Upstream::start(""));
    upstream.serve("/one.json", casks(&["a"]));
    upstream.serve("/two.json", casks(&["b"]));
    let addresses = ["one", "two"].map(|name| format!("{}/{name}.json", upstream.base)).to_vec();
    let config = write_config(folder.path(), &[("cask_catalog", addresses)]);
    let refresh = || {
        let mut command = Program::command();
        command.args(["refresh", "--server", &server.base, "--config", &config]);
        command.args(["--allow-private", "--allow-shrink"]).env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        command.output().unwrap().status.code().unwrap()
    };
    assert_eq!(refresh(), 0);
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b"]);
    upstream.serve("/one.json", casks(&["a", "c"]));
    upstream.serve("/two.json", "");
    assert_eq!(refresh(), 1);
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b"], "the last good data is kept");
}
