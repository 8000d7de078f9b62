//! `appstitch hooks`, and what it and the log never tell.

use std::process::Stdio;

use super::{publish, receiver::Receiver};
use crate::support::{Program, TOKEN, TestServer, output};

const SECRET: &str = "whsec_c2VzYW1lc2VzYW1lc2VzYW1lc2VzYW1l";

fn hooks(server: &TestServer, arguments: &[&str], secret: Option<&str>) -> (i32, String, String) {
    let mut command = Program::command();
    command.arg("hooks").args(arguments).args(["--server", &server.base]);
    command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN).stdin(Stdio::null());
    if let Some(secret) = secret {
        command.env("APPSTITCH_HOOK_SECRET", secret);
    }
    output(&mut command)
}

#[tokio::test]
async fn hooks_are_managed_from_the_command_line_and_no_secret_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut server = TestServer::start(
        &folder.path().join("catalog.db"),
        &["--no-sample", "--allow-private-hooks"],
        |command| {
            command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN).env("APPSTITCH_LOG", "trace");
            command.stderr(std::fs::File::create(&log).unwrap());
        },
    );
    let mut receiver = Receiver::start();
    let url = format!("{}?token=sesame", receiver.url());

    let (code, generated, errors) = hooks(&server, &["add", "ops", &url, "--kind", "added"], None);
    assert_eq!(code, 0, "{errors}");
    assert!(generated.starts_with("whsec_") && generated.lines().count() == 1, "{generated}");
    assert!(errors.contains("The receiver needs this secret"), "{errors}");
    let file = folder.path().join("url");
    std::fs::write(&file, format!("{url}\n")).unwrap();
    let add = ["add", "chat", "--format", "slack", "--url-file", file.to_str().unwrap()];
    let (code, output, errors) = hooks(&server, &add, Some(SECRET));
    assert_eq!((code, output.as_str()), (0, ""), "{errors}");
    let (_, _, errors) = hooks(&server, &[&add[..], &["--rotate-secret"]].concat(), None);
    assert!(errors.contains("Slack and Teams do not check signatures"), "{errors}");

    publish(&server, 1, "1").await;
    receiver.next().await;
    receiver.next().await;
    let mut said = String::new();
    for (arguments, expected) in [
        (&["list"][..], 0),
        (&["list", "--json"], 0),
        (&["test", "ops"], 0),
        (&["deliveries", "ops"], 0),
        (&["deliveries", "ops", "--json"], 0),
        (&["replay", "ops", "--since", "0"], 0),
        (&["enable", "ops"], 0),
        (&["remove", "ops"], 0),
        (&["remove", "ops"], 1),
        (&["test", "none"], 1),
        (&["replay", "chat", "--since", "ffffffff-1"], 1),
        (&["add", "ops", "ftp://sesame"], 2),
        (&["add", "ops"], 2),
        (&["replay", "chat"], 2),
    ] {
        let (code, output, errors) = hooks(&server, arguments, None);
        assert_eq!(code, expected, "{arguments:?}: {output}{errors}");
        if !arguments.contains(&"ftp://sesame") {
            said = said + &output + &errors;
        }
    }
    assert!(said.contains("enabled") && said.contains("catalog.changed"), "{said}");
    let (code, _, errors) = hooks(&server, &["add", "chat", &url, "--rotate-secret"], None);
    assert_eq!(code, 0, "{errors}");
    server.signal("-TERM");
    server.wait();
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("wrote a hook") && log.contains("removed a hook"), "{log}");
    let (random, given) = (&generated.trim()["whsec_".len()..], &SECRET["whsec_".len()..]);
    for text in [&said, &log] {
        for secret in ["sesame", random, given] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
    }
}

#[test]
fn an_unavailable_server_and_a_missing_token_are_reported() {
    let run = |token: Option<&str>| {
        let mut command = Program::command();
        command.args(["hooks", "list", "--server", "http://127.0.0.1:9"]);
        if let Some(token) = token {
            command.env("APPSTITCH_DEPLOY_TOKEN", token);
        }
        output(&mut command)
    };
    let (code, _, errors) = run(None);
    assert!(code == 2 && errors.contains("no deploy token"), "{errors}");
    let (code, _, errors) = run(Some("token"));
    assert!(code == 3 && errors.contains("server unavailable"), "{errors}");
}
