//! The browser that all topics share. It ends with the process of the tests.

use std::{
    ffi::OsString,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::LazyLock,
};

use appstitch_setup::{CHROMIUM, NODE, installed};

pub(crate) struct Browser {
    /// The folder of the npm packages.
    pub(crate) packages: OsString,
    /// Where the topics connect to.
    pub(crate) endpoint: OsString,
    /// Its standard input is open until this process ends; then the browser ends, too.
    _process: Child,
}

/// The browser, started by the first topic.
pub(crate) fn browser() -> &'static Browser {
    static BROWSER: LazyLock<Browser> = LazyLock::new(launch);
    &BROWSER
}

pub(crate) fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(name)
}

fn launch() -> Browser {
    let packages = installed(NODE);
    let chromium = installed(CHROMIUM);
    let mut process = Command::new("node")
        .arg(program("launch.mjs"))
        .args([&packages, &chromium])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut endpoint = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut endpoint).unwrap();
    assert!(endpoint.starts_with("ws:"), "the browser did not start: {endpoint:?}");
    Browser { packages, endpoint: endpoint.trim_end().into(), _process: process }
}
