//! Runs the examples of the README.

use std::path::Path;

use reqwest::Method;

use crate::support::TestServer;

/// Each command in the README's console block and its output.
fn examples() -> Vec<(String, String)> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let block = readme.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    block
        .split("$ curl ")
        .skip(1)
        .map(|example| {
            let (command, output) = example.split_once('\n').unwrap();
            (command.to_owned(), output.trim_end().to_owned())
        })
        .collect()
}

#[tokio::test]
async fn the_examples_print_what_the_readme_shows() {
    let server = TestServer::with_sample();
    let examples = examples();
    assert_eq!(examples.len(), 3);
    for (command, output) in examples {
        let (method, address) = match command.strip_prefix("-X POST ") {
            Some(address) => (Method::POST, address),
            None => (Method::GET, command.as_str()),
        };
        let path = address.trim_matches('\'').strip_prefix("http://127.0.0.1:8000").unwrap();
        assert_eq!(server.send(server.request(method, path)).await.text(), output, "{command}");
    }
}
