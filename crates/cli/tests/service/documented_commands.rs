//! The commands in the documentation print what is shown below them.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    real_data,
    support::{Program, TestServer},
};

/// Every command in a document's console blocks, and its output.
fn examples(document: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let examples = blocks.flat_map(|block| {
        block.strip_prefix("$ ").unwrap().split("\n$ ").map(|example| {
            let (command, output) = example.split_once('\n').unwrap();
            (command.to_owned(), output.trim_end().to_owned())
        })
    });
    examples.collect()
}

/// The search path with the program that is tested in front.
fn search_path() -> OsString {
    let folder = Path::new(env!("CARGO_BIN_EXE_appstitch")).parent().unwrap();
    let others = env::var_os("PATH").unwrap();
    let others = env::split_paths(&others).collect::<Vec<PathBuf>>();
    env::join_paths(std::iter::once(folder.to_owned()).chain(others)).unwrap()
}

/// What a command prints if the server at the default address is this one.
async fn printed(command: &str, server: &TestServer) -> String {
    if let Some(path) = command.strip_prefix("curl http://127.0.0.1:8000") {
        return server.get(path).await.text().to_owned();
    }
    let mut shell = Program::prepare(Command::new("sh"));
    shell.args(["-c", command]).env("PATH", search_path()).env("APPSTITCH_SERVER", &server.base);
    String::from_utf8(shell.output().unwrap().stdout).unwrap().trim_end().to_owned()
}

async fn check(document: &str, server: &TestServer) {
    let examples = examples(document);
    assert!(!examples.is_empty(), "{document}");
    for (command, shown) in examples {
        assert_eq!(printed(&command, server).await, shown, "{document}: {command}");
    }
}

#[tokio::test]
async fn examples_of_the_sample_are_as_documented() {
    let server = TestServer::with_sample();
    check("README.md", &server).await;
    check("docs/api-and-clients.md", &server).await;
}

#[tokio::test]
async fn examples_of_the_real_files_are_as_documented() {
    let Some(data) = real_data::data() else { return };
    let server = TestServer::empty();
    real_data::upload_all(&server, &data).await;
    let versions = std::fs::read(data.join("label_tool/resolved.tar.gz")).unwrap();
    assert_eq!(server.put("/admin/sources/label_versions", versions).await.status, 200);
    check("docs/first-fifteen-minutes.md", &server).await;
}
