//! PostgreSQL for the tests of the store. The tests start a server themselves; this finds its programs
//! or installs Debian's.

use std::ffi::OsString;

use appstitch_cluster::{BIN_VARIABLE, SERVER_VARIABLE, programs};

use crate::{debian, run::Failure};

const DEBIAN_PACKAGE: &str = "postgresql";

/// Names what `folder` would install; `None` if PostgreSQL is there.
pub(crate) fn to_install() -> Option<String> {
    if programs().is_some() { None } else { Some(debian::describe(DEBIAN_PACKAGE)) }
}

/// The folder of the programs. They are installed if they are missing.
pub(crate) fn folder() -> Result<OsString, Failure> {
    if let Some(folder) = programs() {
        return Ok(folder.into());
    }
    debian::install_packages(DEBIAN_PACKAGE).map_err(|Failure(why)| {
        Failure(format!(
            "{why}\nhint: the tests of the store need PostgreSQL; install it and set {BIN_VARIABLE} to the folder of its programs, or set {SERVER_VARIABLE} to the URL of a server as well"
        ))
    })?;
    let folder = programs();
    folder
        .map(Into::into)
        .ok_or_else(|| Failure(format!("{DEBIAN_PACKAGE}: installed, but not found")))
}
