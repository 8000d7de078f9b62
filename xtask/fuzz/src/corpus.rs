//! The committed inputs of a target: one file each, in `corpus/TARGET`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The inputs of a target, sorted by the names of their files; none if there is no folder.
pub(crate) fn read(target: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut paths: Vec<PathBuf> = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, fs::read(path)?))
    };
    paths.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TARGETS;

    #[test]
    fn every_target_has_committed_inputs() {
        for target in TARGETS {
            assert!(!read(target.name).unwrap().is_empty(), "corpus/{} is empty", target.name);
        }
    }
}
