//! Checks that docs/dependencies.md lists the dependencies of the manifest.

use std::{collections::BTreeSet, fs};

use crate::run::workspace;

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
    let document = fs::read_to_string(workspace().join("docs/dependencies.md")).unwrap();
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()).map(str::to_owned).collect()
}

#[test]
fn every_dependency_has_its_line() {
    assert_eq!(named_in_document(), named_in_manifest());
}
