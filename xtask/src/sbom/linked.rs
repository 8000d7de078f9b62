//! What is linked into the binary, according to `cargo tree`.

use std::collections::{BTreeMap, BTreeSet};

use crate::run::Failure;

/// The command that prints the packages: `DEPTH NAME vVERSION …`, one per line.
pub(super) const TREE: [&str; 10] = [
    "tree",
    "--locked",
    "--package",
    "appstitch",
    "--edges",
    "normal,no-proc-macro",
    "--prefix",
    "depth",
    "--format",
    " {p}",
];

/// The command that prints what the server's build script packs into the binary, in the same form.
pub(super) const PACKED: [&str; 12] = [
    "tree",
    "--locked",
    "--package",
    "appstitch-server",
    "--edges",
    "build,no-proc-macro",
    "--depth",
    "1",
    "--prefix",
    "depth",
    "--format",
    " {p}",
];

/// A package of the lock file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackageName {
    pub(super) name: String,
    pub(super) version: String,
}

impl PackageName {
    /// The package as a package URL, which is its identity in the document.
    pub(super) fn url(&self) -> String {
        // A plus sign separates build metadata from a version.
        format!("pkg:cargo/{}@{}", self.name, self.version.replace('+', "%2B"))
    }
}

/// The binary's package and everything below it.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) root: PackageName,
    /// Each package with the packages that it needs.
    pub(super) packages: BTreeMap<PackageName, BTreeSet<PackageName>>,
}

impl Linked {
    pub(super) fn read(tree: &str) -> Result<Self, Failure> {
        let mut packages = BTreeMap::new();
        let root = read_tree(tree, &mut packages)?;
        Ok(Self { root, packages })
    }

    /// Adds another tree, whose root is one of the packages.
    pub(super) fn add(&mut self, tree: &str) -> Result<(), Failure> {
        read_tree(tree, &mut self.packages).map(drop)
    }
}

/// Reads a tree of packages. Returns its root.
fn read_tree(
    tree: &str,
    packages: &mut BTreeMap<PackageName, BTreeSet<PackageName>>,
) -> Result<PackageName, Failure> {
    // The packages from the root to the current line.
    let mut above: Vec<PackageName> = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (depth, package) = read_line(line)
            .filter(|(depth, _)| *depth <= above.len())
            .ok_or_else(|| Failure(format!("cannot read this line of the tree: {line}")))?;
        above.truncate(depth);
        if let Some(needing) = above.last() {
            packages.entry(needing.clone()).or_default().insert(package.clone());
        }
        packages.entry(package.clone()).or_default();
        above.push(package);
    }
    let root = above.into_iter().next();
    root.ok_or_else(|| Failure("the tree of packages is empty".to_owned()))
}

fn read_line(line: &str) -> Option<(usize, PackageName)> {
    let mut words = line.split_whitespace();
    let depth = words.next()?.parse().ok()?;
    let name = words.next()?.to_owned();
    let version = words.next()?.strip_prefix('v')?.to_owned();
    Some((depth, PackageName { name, version }))
}
