//! The recorded cases and the labels.

use std::{collections::HashMap, fs::File, io::Read, path::Path};

use appstitch_labels::{Case, read_cases};
use flate2::read::GzDecoder;

use crate::run::Failure;

/// Reads the cases.
pub(crate) fn read(file: &Path) -> Result<Vec<Case>, Failure> {
    let failure =
        |error: &dyn std::fmt::Display| Failure(format!("cannot read {}: {error}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| failure(&error))?;
    read_cases(&bytes).map_err(|error| failure(&error))
}

/// The text of every label, by the name of its file.
pub(crate) fn fragments(archive: &Path) -> Result<HashMap<String, String>, Failure> {
    let failure =
        |error: std::io::Error| Failure(format!("cannot read {}: {error}", archive.display()));
    let open = File::open(archive).map_err(failure)?;
    let mut fragments = HashMap::new();
    for entry in tar::Archive::new(GzDecoder::new(open)).entries().map_err(failure)? {
        let mut entry = entry.map_err(failure)?;
        let path = entry.path().map_err(failure)?.into_owned();
        let in_labels = path.parent().is_some_and(|folder| folder.ends_with("fragments/labels"));
        let Some(name) = path.file_stem().and_then(|name| name.to_str()).filter(|_| in_labels)
        else {
            continue;
        };
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(failure)?;
        fragments.insert(name.to_owned(), String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok(fragments)
}
