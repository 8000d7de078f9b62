//! The command line: output streams and exit codes.

use std::net::TcpListener;
#[cfg(target_os = "linux")]
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use crate::support::{Program, TestServer, ndjson, output, record, run, run_ok};

#[test]
fn without_a_command_it_prints_help_for_a_newcomer() {
    let (code, stdout, _) = run(&[]);
    assert_eq!(code, 0);
    for part in ["Usage:", "appstitch serve", "appstitch apps", "appstitch refresh"] {
        assert!(stdout.contains(part), "'{part}' in\n{stdout}");
    }
}

#[test]
fn help_can_be_asked_for_help() {
    let (code, expected, _) = run(&["help"]);
    assert_eq!(code, 0);
    for arguments in [&["help", "--help"][..], &["help", "-h"]] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (0, expected.as_str()), "{arguments:?}: {stderr}");
    }
    assert_eq!(run(&["help", "apps", "--help"]).1, run(&["help", "apps"]).1);
    assert_eq!(run(&["help", "--nonsense"]).0, 2);
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_server_names_its_addresses_and_what_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let program = Program::command();
    let program = program.get_program().to_str().unwrap();
    let mut process = Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .arg(format!("{program} serve --listen 127.0.0.1:0 --store {store}"))
        .arg("/dev/null")
        .env("APPSTITCH_LOG", "warn")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(process.stdout.take().unwrap()).lines();
    let lines: Vec<String> = output.map(Result::unwrap).take(7).collect();
    process.kill().unwrap();
    process.wait().unwrap();
    let base = lines[0].strip_prefix("listening on ").unwrap();
    assert_eq!(
        lines[1..],
        [
            format!("  pages       {base}/"),
            format!("  API         {base}/docs"),
            format!("  assistants  {base}/mcp"),
            "24 apps of the sample catalog loaded; for all apps, run".to_owned(),
            format!("  appstitch refresh --store {store}"),
            "press Ctrl-C to stop".to_owned(),
        ]
    );
}

#[test]
fn wrong_use_is_code_2() {
    for arguments in [
        &["nonsense"][..],
        &["serve", "--listen", "nowhere"],
        &["serve", "--store", "mysql://x"],
        &["serve", "--refresh-priority", "highest"],
        &["serve", "--deploy-token-file", "/does/not/exist"],
        &["records", "import", "/does/not/exist"],
    ] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stdout.is_empty() && stderr.starts_with("error: "), "{stderr}");
    }
}

#[test]
fn openapi_prints_the_document() {
    let (code, stdout, _) = run(&["openapi"]);
    assert_eq!(code, 0);
    let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(document["info"]["version"], "0.1.0");
}

#[test]
fn a_port_in_use_an_unreadable_and_a_newer_store_each_give_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    std::fs::write(folder.path().join("text.db"), "this is no database at all, only text").unwrap();
    drop(TestServer::on_store(&folder.path().join("newer.db")));
    rusqlite::Connection::open(folder.path().join("newer.db"))
        .unwrap()
        .execute(
            "INSERT INTO refinery_schema_history VALUES (99, 'later', '2030-01-01T00:00:00Z', '0')",
            [],
        )
        .unwrap();
    for (listen, store, says) in [
        (address.as_str(), file("fresh.db"), address.as_str()),
        ("127.0.0.1:0", file("text.db"), "text.db"),
        ("127.0.0.1:0", file("missing/folder.db"), "missing does not exist"),
        ("127.0.0.1:0", "sqlite:/proc/folder.db".to_owned(), "the folder /proc is not writable"),
        ("127.0.0.1:0", file("newer.db"), "schema 99"),
    ] {
        let (code, stdout, stderr) = run(&["serve", "--listen", listen, "--store", &store]);
        assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains(says), "'{says}' in {stderr}");
    }
}

#[tokio::test]
async fn the_deploy_token_can_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "  from a file\n").unwrap();
    let arguments = ["--no-sample", "--deploy-token-file", file.to_str().unwrap()];
    let server = TestServer::start(&folder.path().join("catalog.db"), &arguments, |_| {});
    let put = server.request(reqwest::Method::PUT, "/admin/records").bearer_auth("from a file");
    assert_eq!(server.send(put.body(record("a").to_string())).await.status, 200);

    std::fs::write(&file, " \n").unwrap();
    let (code, _, stderr) = run(&["serve", "--deploy-token-file", file.to_str().unwrap()]);
    assert_eq!(code, 2, "{stderr}");
}

#[tokio::test]
async fn settings_come_from_the_environment_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let (code, _, stderr) =
        output(Program::command().args(["records", "export"]).env("APPSTITCH_STORE", &store));
    assert_eq!(code, 3, "the store does not exist: {stderr}");
    let (code, _, _) = output(Program::command().arg("serve").env("APPSTITCH_LISTEN", "nonsense"));
    assert_eq!(code, 2);
}

#[tokio::test]
async fn records_are_exported_and_imported_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let store = |name: &str| format!("sqlite:{}", file(name));
    drop(TestServer::start(&folder.path().join("first.db"), &[], |_| {}));
    let (code, exported, _) = run(&["records", "export", "--store", &store("first.db")]);
    assert_eq!(code, 0);
    assert!(exported.lines().count() >= 20);
    let (code, stdout, _) =
        run(&["records", "export", &file("all.ndjson"), "--store", &store("first.db")]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(file("all.ndjson")).unwrap(), exported);
    let mut to_stdout = Program::command();
    to_stdout.args(["records", "export", "-", "--store", &store("first.db")]);
    let (code, stdout, _) = output(to_stdout.current_dir(folder.path()));
    assert_eq!((code, stdout), (0, exported.clone()));
    assert!(!folder.path().join("-").exists(), "- is standard output");

    run_ok(&["records", "import", &file("all.ndjson"), "--store", &store("second.db")]);
    let (_, again, _) = run(&["records", "export", "--store", &store("second.db")]);
    assert_eq!(again, exported);

    let copy = TestServer::on_store(&folder.path().join("second.db"));
    let original = TestServer::on_store(&folder.path().join("first.db"));
    for path in ["/apps?limit=1000", "/apps/drift", "/apps/slack/sources"] {
        assert_eq!(copy.get(path).await.text(), original.get(path).await.text(), "{path}");
    }
}

#[test]
fn an_import_that_shrinks_or_is_refused_says_so_in_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let import = |text: &str, more: &[&str]| {
        let file = folder.path().join("records.ndjson");
        std::fs::write(&file, text).unwrap();
        let arguments = ["records", "import", file.to_str().unwrap(), "--store", &store];
        run(&[&arguments[..], more].concat())
    };
    let two = ndjson(&[record("a"), record("b")]);
    assert_eq!(import(&two, &[]).0, 0);
    let (code, _, stderr) = import(&record("a").to_string(), &[]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("--allow-shrink"), "{stderr}");
    assert_eq!(import(&record("a").to_string(), &["--allow-shrink"]).0, 0);
    let (code, _, stderr) = import(&format!("{}\n{{}}\n", record("a")), &[]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("1 of 2 records imported"), "{stderr}");
    let (code, _, stderr) = import("no record in here", &[]);
    assert_eq!(code, 2, "{stderr}");
}
