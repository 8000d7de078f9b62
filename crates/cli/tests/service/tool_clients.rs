//! Third-party clients of the tool protocol, with the real binary.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use appstitch_setup::{NODE, PYTHON, installed};

use crate::support::{Program, TestServer, succeed};

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

/// The arguments of every client: the program, a store, a server.
fn places(server: &TestServer) -> [String; 3] {
    let store = format!("sqlite:{}", server.store().display());
    [env!("CARGO_BIN_EXE_appstitch").to_owned(), store, server.base.clone()]
}

#[tokio::test]
async fn the_official_python_client_sees_the_same_over_every_transport() {
    let python = installed(PYTHON);
    let server = TestServer::with_sample();
    succeed(Command::new(python).arg(script("tools.py")).args(places(&server)));
}

#[tokio::test]
async fn the_official_typescript_client_sees_the_same_over_every_transport() {
    let packages = installed(NODE);
    let server = TestServer::with_sample();
    let mut command = Command::new("node");
    succeed(command.arg(script("tools.mjs")).arg(packages).args(places(&server)));
}

/// The protocol's conformance checks, except those that need the tools of the reference server.
#[tokio::test]
async fn the_conformance_checks_of_the_protocol_pass() {
    let packages = installed(NODE);
    let server = TestServer::with_sample();
    let program =
        Path::new(&packages).join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    for scenario in [
        "server-initialize",
        "ping",
        "completion-complete",
        "tools-list",
        "resources-list",
        "prompts-list",
        "dns-rebinding-protection",
    ] {
        let url = format!("{}/mcp", server.base);
        let mut command = Command::new("node");
        command.arg(&program).args(["server", "--url", &url, "--scenario", scenario]);
        succeed(&mut command);
    }
}

#[test]
fn without_a_store_or_a_server_the_command_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("none.db").display());
    let server = "http://127.0.0.1:9";
    let no_store = format!("error: cannot read {store}: ");
    let no_server = format!("error: server unavailable at {server}: ");
    for (arguments, environment, says) in [
        (&["--store", store.as_str()][..], "", &no_store),
        (&["--server", server], "", &no_server),
        (&[], server, &no_server),
        // Flags take precedence over the environment.
        (&["--store", store.as_str()], server, &no_store),
        (&["--server", server], "http://127.0.0.1:8", &no_server),
    ] {
        let mut command = Program::command();
        command.arg("mcp").args(arguments).env("APPSTITCH_SERVER", environment);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert_eq!(output.stdout, b"", "standard output belongs to the protocol");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.starts_with(says.as_str()), "'{says}' in {stderr}");
        assert_eq!(stderr.lines().count(), 2, "an error and a hint: {stderr}");
        assert!(stderr.lines().nth(1).unwrap().starts_with("hint: "), "{stderr}");
    }
    let both = ["mcp", "--store", store.as_str(), "--server", server];
    let output = Program::command().args(both).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Read access to the store's file is enough; nothing is written to its folder.
#[tokio::test]
async fn a_store_that_may_not_be_written_to_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let server = TestServer::with_sample();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("mirror#1.db");
    let original = format!("sqlite:{}", server.store().display());
    let exported = Program::command().args(["records", "export", "--store", &original]).output();
    let file = folder.path().join("all.ndjson");
    std::fs::write(&file, exported.unwrap().stdout).unwrap();
    let store = format!("sqlite:{}", copy.display());
    let import = Program::command()
        .args(["records", "import"])
        .arg(&file)
        .args(["--store", &store])
        .output()
        .unwrap();
    assert!(import.status.success(), "{import:?}");
    std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o444)).unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let read = Program::command().args(["records", "export", "--store", &store]).output().unwrap();
    assert!(read.status.success() && !read.stdout.is_empty(), "{read:?}");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn nonsense_on_standard_input_is_no_end_and_a_closed_one_is() {
    let server = TestServer::with_sample();
    let store = format!("sqlite:{}", server.store().display());
    let mut child = Program::command()
        .args(["mcp", "--store", &store])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\nthis is no message\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"get_app\",\"arguments\":{\"slug\":\"zoom\"}}}\n",
        )
        .unwrap();
    // Reads the response before closing stdin, so that it is not cut off.
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let seen: Vec<String> = lines.by_ref().map(Result::unwrap).take(3).collect();
    assert!(seen.iter().any(|line| line.contains("-32700")), "no error response: {seen:?}");
    let response = seen.iter().find(|line| line.contains("\"id\":2")).unwrap();
    assert!(response.contains("\"slug\":\"zoom\""), "{response}");
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The configurations in the documentation start a working server.
#[tokio::test]
async fn the_documented_configurations_work() {
    let server = TestServer::with_sample();
    let text = include_str!("../../../../docs/assistants.md");
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let blocks: Vec<serde_json::Value> =
        blocks.map(|block| serde_json::from_str(block).unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    let here = |text: &str| text.replace("http://127.0.0.1:8000", &server.base);

    let entry = &blocks[0]["mcpServers"]["appstitch"];
    assert_eq!(entry["command"], "appstitch");
    let arguments = entry["args"].as_array().unwrap();
    let arguments = arguments.iter().map(|argument| here(argument.as_str().unwrap()));
    let mut child = Program::command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{hello}").unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(lines.next().unwrap().unwrap().contains("\"appstitch\""));
    drop(input);
    child.wait().unwrap();

    let address = here(blocks[1]["servers"]["appstitch"]["url"].as_str().unwrap());
    let path = address.strip_prefix(&server.base).unwrap();
    let request = server
        .request(reqwest::Method::POST, path)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(hello);
    assert_eq!(server.send(request).await.json()["result"]["serverInfo"]["name"], "appstitch");
}
