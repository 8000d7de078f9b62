//! The examples in the documentation of the clients work as shown.

use crate::support::{Program, TestServer};

#[expect(dead_code, reason = "its main function is for the command line")]
#[path = "../../../client/examples/first_look.rs"]
mod first_look;

const DOCUMENT: &str = include_str!("../../../../docs/clients.md");

#[tokio::test]
async fn the_rust_example_runs_and_is_the_documented_one() {
    let server = TestServer::with_sample();
    let lines = first_look::look(&server.base).await.unwrap();
    assert_eq!(lines, ["Zoom 7.1.5.84650", "firefoxpkg"]);
    let shown = DOCUMENT.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let source = include_str!("../../../client/examples/first_look.rs");
    for line in shown.lines() {
        assert!(source.contains(line.trim()), "{line} is not in the example");
    }
}

#[tokio::test]
async fn the_commands_print_what_is_documented() {
    let server = TestServer::with_sample();
    let shown = DOCUMENT.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let mut examples = shown.split("$ appstitch ").skip(1).peekable();
    assert!(examples.peek().is_some());
    for example in examples {
        let (command, expected) = example.split_once('\n').unwrap();
        let output = Program::command()
            .args(command.split(' '))
            .env("APPSTITCH_SERVER", &server.base)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{command}");
    }
}
