//! Lists what is linked into the binary, as a `CycloneDX` bill of materials.
//!
//! The packages are those of the binary with its default features on this platform, without the
//! dependencies of tests and build scripts and without macros. The same lock file gives the same
//! bytes: the only time in the document is `SOURCE_DATE_EPOCH`, if it is set.

mod linked;
mod locked;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fs};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::run::{Failure, Step, workspace};
use linked::{Linked, PackageName};
use locked::checksums;

/// The version of the `CycloneDX` format.
const FORMAT: &str = "1.6";

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

/// What cargo knows about a package.
#[derive(Deserialize)]
struct Described {
    name: String,
    version: String,
    license: Option<String>,
    description: Option<String>,
    repository: Option<String>,
    /// `None` for the packages of the workspace.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Described>,
}

/// The document, with this time in seconds.
pub(crate) fn document(time: Option<&str>) -> Result<String, Failure> {
    let mut linked = Linked::read(&Step::cargo(&linked::TREE).output()?)?;
    linked.add(&Step::cargo(&linked::PACKED).output()?)?;
    let metadata = Step::cargo(&["metadata", "--format-version", "1", "--locked"]).output()?;
    let lock = fs::read_to_string(workspace().join("Cargo.lock"));
    let lock = lock.map_err(|error| Failure(format!("Cargo.lock: {error}")))?;
    let time = time.map(timestamp).transpose()?;
    let bill = bill(&linked, &metadata, &lock, time)?;
    let text = serde_json::to_string_pretty(&bill).map_err(|error| Failure(error.to_string()))?;
    Ok(text + "\n")
}

fn timestamp(seconds: &str) -> Result<String, Failure> {
    let parsed =
        seconds.trim().parse().ok().and_then(|number| jiff::Timestamp::from_second(number).ok());
    parsed
        .map(|time| time.to_string())
        .ok_or_else(|| Failure(format!("SOURCE_DATE_EPOCH is not a number of seconds: {seconds}")))
}

/// The document.
fn bill(
    linked: &Linked,
    metadata: &str,
    lock: &str,
    time: Option<String>,
) -> Result<Value, Failure> {
    let metadata: Metadata = serde_json::from_str(metadata)
        .map_err(|error| Failure(format!("cannot read cargo's metadata: {error}")))?;
    let described: BTreeMap<PackageName, Described> =
        metadata.packages.into_iter().map(|own| (own.package_name(), own)).collect();
    let checksums = checksums(lock)?;
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for (name, needs) in &linked.packages {
        let package = described
            .get(name)
            .ok_or_else(|| Failure(format!("cargo does not describe {name:?}")))?;
        components.push(package.component(checksums.get(name))?);
        let needs: Vec<String> = needs.iter().map(PackageName::url).collect();
        dependencies.push(json!({"ref": name.url(), "dependsOn": needs}));
    }
    let binary = components.iter().position(|own| own["purl"] == json!(linked.root.url()));
    let mut binary = match binary {
        Some(position) => components.remove(position),
        None => return Err(Failure("the binary's own package is missing".to_owned())),
    };
    binary["type"] = json!("application");
    let mut about = json!({"component": binary});
    if let Some(time) = time {
        about["timestamp"] = json!(time);
    }
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": FORMAT,
        "version": 1,
        "metadata": about,
        "components": components,
        "dependencies": dependencies,
    }))
}

impl Described {
    fn package_name(&self) -> PackageName {
        PackageName { name: self.name.clone(), version: self.version.clone() }
    }

    /// The package as a component. Every package from a registry must have a checksum.
    fn component(&self, checksum: Option<&String>) -> Result<Value, Failure> {
        let url = self.package_name().url();
        let mut component = json!({
            "type": "library",
            "bom-ref": url,
            "name": self.name,
            "version": self.version,
            "purl": url,
        });
        if let Some(text) = &self.description {
            component["description"] = json!(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        match checksum {
            Some(hash) => component["hashes"] = json!([{"alg": "SHA-256", "content": hash}]),
            None if self.source.is_some() => {
                return Err(Failure(format!("{url} has no checksum in the lock file")));
            }
            None => {}
        }
        let license = self.license.as_deref();
        let license = license.ok_or_else(|| Failure(format!("{url} names no license")))?;
        // Old packages separate alternatives with a slash.
        component["licenses"] = json!([{"expression": license.replace('/', " OR ")}]);
        if let Some(repository) = &self.repository {
            component["externalReferences"] = json!([{"type": "vcs", "url": repository}]);
        }
        Ok(component)
    }
}
