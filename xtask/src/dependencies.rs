//! Checks that docs/contributing/dependencies.md lists the dependencies of the manifest, and that no crate
//! depends on what it must know nothing about.

use std::{collections::BTreeSet, fs};

use crate::run::{Step, workspace};

/// The names in the workspace's dependency table, without the workspace's own packages.
fn named_in_manifest() -> BTreeSet<String> {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let table = manifest.split("[workspace.dependencies]").nth(1).unwrap();
    let table = table.split("\n[").next().unwrap();
    let names = table.lines().filter_map(|line| line.split_once(" = "));
    names.map(|(name, _)| name.to_owned()).filter(|name| !name.starts_with("appstitch")).collect()
}

/// The names in the first column of the document's table.
fn named_in_document() -> BTreeSet<String> {
    let document =
        fs::read_to_string(workspace().join("docs/contributing/dependencies.md")).unwrap();
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()).map(str::to_owned).collect()
}

#[test]
fn every_dependency_has_its_line() {
    assert_eq!(named_in_document(), named_in_manifest());
}

/// The names of everything that a package is built from.
fn built_from(arguments: &[&str]) -> BTreeSet<String> {
    let tree = ["tree", "--locked", "--edges", "normal", "--prefix", "none"];
    let output = Step::cargo(&[&tree, arguments].concat()).output();
    let text = output.unwrap_or_else(|failure| panic!("{}", failure.0));
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn only_the_server_knows_the_http_stack() {
    let server = built_from(&["--package", "appstitch-server"]);
    for stack in ["axum", "hyper"] {
        assert!(server.contains(stack), "the server is built from {stack}");
    }
    // Downloading needs an HTTP client, and with it hyper.
    let commands = built_from(&["--package", "appstitch", "--no-default-features"]);
    for stack in ["appstitch-server", "axum"] {
        assert!(!commands.contains(stack), "refresh, records and mcp build without {stack}");
    }
    let snapshot = built_from(&["--package", "appstitch-snapshot"]);
    for stack in ["http", "hyper", "axum", "reqwest"] {
        assert!(!snapshot.contains(stack), "the snapshot knows nothing of {stack}");
    }
}

#[test]
fn the_shipped_binary_has_no_fail_points() {
    let features = ["tree", "--locked", "--package", "appstitch", "--prefix", "none", "--edges"];
    let of = |edges| {
        let output = Step::cargo(&[&features[..], &[edges]].concat()).output();
        output.unwrap_or_else(|failure| panic!("{}", failure.0))
    };
    let name = "appstitch-store feature \"fail-points\"";
    assert!(of("normal,dev,features").contains(name), "the tests have them");
    assert!(!of("normal,build,features").contains(name));
}
