//! Lists what is linked into the binary, as a `CycloneDX` bill of materials.
//!
//! The packages are those of the binary with its default features on this platform, without the
//! dependencies of tests and build scripts and without macros. The same lock file gives the same
//! bytes: the only time in the document is the given one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::run::{Failure, Step, workspace};

/// The version of the `CycloneDX` format.
const FORMAT: &str = "1.6";

/// Prints a line for each package: `DEPTH NAME vVERSION …|LICENSE|REPOSITORY`.
const TREE: [&str; 6] = ["tree", "--locked", "--prefix", "depth", "--format", " {p}|{l}|{r}|"];

const BINARY: [&str; 4] = ["--package", "appstitch", "--edges", "normal,no-proc-macro"];

/// What the server's build script packs into the binary.
const PACKED: [&str; 6] =
    ["--package", "appstitch-server", "--edges", "build,no-proc-macro", "--depth", "1"];

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let time = std::env::var("SOURCE_DATE_EPOCH").ok();
    let document = document(time.as_deref())?;
    match arguments {
        [] => {
            print!("{document}");
            Ok(())
        }
        [file] if !file.starts_with('-') => {
            fs::write(file, document).map_err(|error| Failure(format!("{file}: {error}")))
        }
        _ => Err(Failure("the only argument is a file to write to".to_owned())),
    }
}

/// The document, with this time in seconds.
pub(crate) fn document(time: Option<&str>) -> Result<String, Failure> {
    let checksums = checksums()?;
    let mut packages = BTreeMap::new();
    for tree in [&BINARY[..], &PACKED] {
        read_tree(&Step::cargo(&[&TREE[..], tree].concat()).output()?, &mut packages)?;
    }
    let dependencies: Vec<Value> = packages
        .iter()
        .map(|(url, package)| json!({"ref": url, "dependsOn": package.needs}))
        .collect();
    let is_binary = |package: &Package| package.name == "appstitch";
    let mut binary = Value::Null;
    let mut components = Vec::new();
    for (url, package) in &packages {
        let component = package.component(url, &checksums)?;
        if is_binary(package) { binary = component } else { components.push(component) }
    }
    binary["type"] = json!("application");
    let mut metadata = json!({"component": binary});
    if let Some(time) = time {
        metadata["timestamp"] = json!(timestamp(time)?);
    }
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": FORMAT,
        "version": 1,
        "metadata": metadata,
        "components": components,
        "dependencies": dependencies,
    });
    Ok(format!("{bill:#}\n"))
}

fn timestamp(seconds: &str) -> Result<String, Failure> {
    let time = seconds.parse().ok().and_then(|number| jiff::Timestamp::from_second(number).ok());
    time.map(|time| time.to_string())
        .ok_or_else(|| Failure(format!("SOURCE_DATE_EPOCH is not a number of seconds: {seconds}")))
}

struct Package {
    name: String,
    version: String,
    license: String,
    repository: String,
    needs: BTreeSet<String>,
}

impl Package {
    /// Every package from a registry must have a checksum.
    fn component(
        &self,
        url: &str,
        checksums: &BTreeMap<(String, String), Option<String>>,
    ) -> Result<Value, Failure> {
        let Self { name, version, license, repository, .. } = self;
        if license.is_empty() {
            return Err(Failure(format!("{url} names no license")));
        }
        let mut component = json!({
            "type": "library",
            "bom-ref": url,
            "name": name,
            "version": version,
            "purl": url,
            // Old packages separate alternatives with a slash.
            "licenses": [{"expression": license.replace('/', " OR ")}],
        });
        match checksums.get(&(name.clone(), version.clone())) {
            Some(Some(hash)) => component["hashes"] = json!([{"alg": "SHA-256", "content": hash}]),
            _ if name.starts_with("appstitch") => {}
            _ => return Err(Failure(format!("{url} has no checksum in the lock file"))),
        }
        if !repository.is_empty() {
            component["externalReferences"] = json!([{"type": "vcs", "url": repository}]);
        }
        Ok(component)
    }
}

fn read_tree(tree: &str, packages: &mut BTreeMap<String, Package>) -> Result<(), Failure> {
    // The packages from the root to the current line.
    let mut above: Vec<String> = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (depth, package) = read_line(line)
            .filter(|(depth, _)| *depth <= above.len())
            .ok_or_else(|| Failure(format!("cannot read this line of the tree: {line}")))?;
        // A plus sign separates build metadata from a version.
        let url = format!("pkg:cargo/{}@{}", package.name, package.version.replace('+', "%2B"));
        above.truncate(depth);
        if let Some(needing) = above.last().and_then(|needing| packages.get_mut(needing)) {
            needing.needs.insert(url.clone());
        }
        packages.entry(url.clone()).or_insert(package);
        above.push(url);
    }
    Ok(())
}

fn read_line(line: &str) -> Option<(usize, Package)> {
    let mut parts = line.split('|');
    let mut words = parts.next()?.split_whitespace();
    let depth = words.next()?.parse().ok()?;
    let package = Package {
        name: words.next()?.to_owned(),
        version: words.next()?.strip_prefix('v')?.to_owned(),
        license: parts.next()?.to_owned(),
        repository: parts.next()?.to_owned(),
        needs: BTreeSet::new(),
    };
    Some((depth, package))
}

/// The hashes in the lock file, by name and version.
fn checksums() -> Result<BTreeMap<(String, String), Option<String>>, Failure> {
    #[derive(Deserialize)]
    struct Lock {
        package: Vec<Locked>,
    }
    #[derive(Deserialize)]
    struct Locked {
        name: String,
        version: String,
        checksum: Option<String>,
    }
    let failed = |why: &dyn std::fmt::Display| Failure(format!("Cargo.lock: {why}"));
    let text = fs::read_to_string(workspace().join("Cargo.lock")).map_err(|why| failed(&why))?;
    let lock: Lock = toml::from_str(&text).map_err(|why| failed(&why))?;
    Ok(lock
        .package
        .into_iter()
        .map(|package| ((package.name, package.version), package.checksum))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_gives_packages_and_what_they_need() {
        let mut packages = BTreeMap::new();
        let tree = "0 a v1.0.0 (/somewhere)|MIT||\n1 b v2.0.0+1.2|MIT/Apache-2.0|https://b|\n1 b v2.0.0+1.2|MIT/Apache-2.0|https://b| (*)\n";
        assert!(read_tree(tree, &mut packages).is_ok());
        let needs: Vec<_> = packages["pkg:cargo/a@1.0.0"].needs.iter().collect();
        assert_eq!(needs, ["pkg:cargo/b@2.0.0%2B1.2"]);
        assert!(read_tree("1 a v1.0.0|MIT||", &mut packages).is_err(), "no root");
    }

    /// The required fields of the `CycloneDX` schema, and that every reference leads somewhere.
    #[test]
    fn the_document_is_valid_and_the_same_each_time() {
        let made = || document(Some("86400")).unwrap_or_else(|Failure(why)| panic!("{why}"));
        let text = made();
        assert_eq!(made(), text);
        let here = workspace().display().to_string();
        assert!(!text.contains(&here), "no path of this machine");
        let bill: Value = serde_json::from_str(&text).unwrap();
        let format = (&bill["bomFormat"], &bill["specVersion"]);
        assert_eq!(format, (&json!("CycloneDX"), &json!(FORMAT)));
        assert_eq!(bill["metadata"]["timestamp"], "1970-01-02T00:00:00Z");
        assert_eq!(bill["metadata"]["component"]["type"], "application");
        let mut components = bill["components"].as_array().unwrap().clone();
        components.push(bill["metadata"]["component"].clone());
        let mut references = BTreeSet::new();
        for component in &components {
            for field in ["type", "name", "version", "purl", "bom-ref"] {
                assert!(component[field].is_string(), "{field} of {component}");
            }
            assert!(component["licenses"][0]["expression"].is_string(), "{component}");
            let reference = component["bom-ref"].as_str().unwrap();
            assert!(references.insert(reference), "{reference} is listed once");
            let is_ours = component["name"].as_str().unwrap().starts_with("appstitch");
            let hash = component["hashes"][0]["content"].as_str().map_or(0, str::len);
            assert_eq!(hash, if is_ours { 0 } else { 64 }, "{component}");
        }
        for dependency in bill["dependencies"].as_array().unwrap() {
            let needs = dependency["dependsOn"].as_array().unwrap();
            for reference in needs.iter().chain([&dependency["ref"]]) {
                let reference = reference.as_str().unwrap();
                assert!(references.contains(reference), "{reference} is described");
            }
        }
        let names: BTreeSet<&str> =
            components.iter().map(|component| component["name"].as_str().unwrap()).collect();
        for linked in ["appstitch-server", "libsqlite3-sys", "rustls", "mimalloc"] {
            assert!(names.contains(linked), "{linked} is linked");
        }
        for other in ["xtask", "insta", "proptest", "serde_derive", "cc"] {
            assert!(!names.contains(other), "{other} is not linked");
        }
    }
}
