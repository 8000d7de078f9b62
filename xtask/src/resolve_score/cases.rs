//! The recorded cases and the labels.

use std::{
    collections::HashMap,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use appstitch_labels::{Case, read_cases};
use flate2::read::GzDecoder;

use crate::run::Failure;

pub(crate) fn read(file: &Path) -> Result<Vec<Case>, Failure> {
    let failure =
        |error: &dyn std::fmt::Display| Failure(format!("cannot read {}: {error}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| failure(&error))?;
    read_cases(&bytes).map_err(|error| failure(&error))
}

/// The text of every label, by the name of its file.
pub(crate) fn fragments(archive: &Path) -> Result<HashMap<String, String>, Failure> {
    let mut fragments = HashMap::new();
    for (path, text) in texts(archive, |path| in_folder(path, "fragments/labels"))? {
        if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
            fragments.insert(name.to_owned(), text);
        }
    }
    Ok(fragments)
}

/// The functions that labels call.
#[cfg(test)]
pub(crate) fn helpers(archive: &Path) -> Result<String, Failure> {
    let is_file = |path: &Path| path.ends_with("fragments/functions.sh");
    let found = texts(archive, is_file)?.into_iter().next();
    found.map(|(_, text)| text).ok_or_else(|| Failure("the archive has no functions".to_owned()))
}

fn in_folder(path: &Path, folder: &str) -> bool {
    path.parent().is_some_and(|parent| parent.ends_with(folder))
}

fn texts(archive: &Path, is_chosen: fn(&Path) -> bool) -> Result<Vec<(PathBuf, String)>, Failure> {
    let failure =
        |error: std::io::Error| Failure(format!("cannot read {}: {error}", archive.display()));
    let open = File::open(archive).map_err(failure)?;
    let mut texts = Vec::new();
    for entry in tar::Archive::new(GzDecoder::new(open)).entries().map_err(failure)? {
        let mut entry = entry.map_err(failure)?;
        let path = entry.path().map_err(failure)?.into_owned();
        if is_chosen(&path) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(failure)?;
            texts.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok(texts)
}
