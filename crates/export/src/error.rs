//! Why an export fails. The export that was there before is still served.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum ExportError {
    /// Something else is in the folder.
    #[error("{} is neither empty nor an export; use an empty folder", .0.display())]
    NotOurs(PathBuf),
    /// Another export into the same folder is running.
    #[error("another export into {} is running", .0.display())]
    Busy(PathBuf),
    /// A file or folder cannot be read or written.
    #[error("cannot write {}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The service answers with something unexpected.
    #[error("cannot export {address}: the service answers with status {status}")]
    UnexpectedStatus { address: String, status: u16 },
    #[error("the export was stopped")]
    Stopped,
}

impl ExportError {
    /// For `map_err`: what cannot be written.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
