//! The Rust example in the documentation works as shown.

use crate::support::TestServer;

#[expect(dead_code, reason = "its main function is for the command line")]
#[path = "../../../client/examples/first_look.rs"]
mod first_look;

const DOCUMENT: &str = include_str!("../../../../docs/api-and-clients.md");

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
