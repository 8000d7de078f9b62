//! The committed inputs of a target: one file each, in `corpus/TARGET`.

use std::{fs, io, path::Path};

/// The inputs of a target, sorted by the names of their files.
pub fn committed_inputs(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}
