//! The checksums in the lock file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::linked::PackageName;
use crate::run::Failure;

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// The SHA-256 hash of each package from a registry.
pub(super) fn checksums(lock: &str) -> Result<BTreeMap<PackageName, String>, Failure> {
    let lock: Lock = toml::from_str(lock)
        .map_err(|error| Failure(format!("cannot read the lock file: {error}")))?;
    let hash =
        |own: Package| Some((PackageName { name: own.name, version: own.version }, own.checksum?));
    Ok(lock.package.into_iter().filter_map(hash).collect())
}
