//! The web pages in a real browser: one test per topic, one browser for all of them.
//!
//! A topic is a program beside this file (`search.mjs` and so on). It gets the folder of the npm
//! packages, the address of the browser and the address of a server, and fails with a message.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod hostile_catalog;
mod launched;
#[path = "../service"]
mod service {
    #[expect(dead_code, unused_imports, reason = "these tests use a few of the helpers")]
    pub(crate) mod support;
}

use std::process::Command;

use launched::browser;
use service::support::{TOKEN, TestServer};

fn run(topic: &str, server: &TestServer) {
    let browser = browser();
    let output = Command::new("node")
        .arg(launched::program(topic))
        .args([&browser.packages, &browser.endpoint])
        .arg(&server.base)
        .env("APPSTITCH_TEST_TOKEN", TOKEN)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaints}");
}

#[tokio::test]
async fn every_page_opens_without_a_complaint_of_the_browser() {
    run("every_page.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn apps_are_found_with_the_keyboard_alone() {
    run("search.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn tables_are_filtered_and_sorted_by_their_address() {
    run("tables.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn labels_and_commands_are_copied_and_downloaded() {
    run("copying.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn inventories_are_checked_with_and_without_scripts() {
    run("checking.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn pages_fit_every_screen_and_both_color_schemes() {
    run("appearance.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn everything_can_be_read_without_scripts() {
    run("without_scripts.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn an_accessibility_engine_finds_nothing() {
    run("accessibility.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn no_link_is_dead() {
    run("links.mjs", &TestServer::with_sample());
}

#[tokio::test]
async fn markup_of_strangers_is_only_text() {
    run("hostile.mjs", &hostile_catalog::serve().await);
}
