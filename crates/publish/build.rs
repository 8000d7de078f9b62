//! Sets `APPSTITCH_RULES`, a hash over the code that makes the served bytes.
//!
//! A store keeps the served bytes. On startup they can be reused only if the same code made them.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    process::Command,
};

/// The packages that affect the served bytes, and what decides how they are built, relative to this
/// package.
const MADE_BY: [&str; 11] = [
    ".", "../labels", "../patch_source", "../snapshot", "../sources", "../stitching", "../text",
    "../types", "../versions", "../../Cargo.toml", "../../Cargo.lock",
];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for path in MADE_BY.map(Path::new) {
        let parts = if path.is_dir() {
            vec![path.join("src"), path.join("Cargo.toml")]
        } else {
            vec![path.to_owned()]
        };
        for part in parts {
            println!("cargo::rerun-if-changed={}", part.display());
            collect(&part, &mut files)?;
        }
    }
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in files {
        fs::read(&file)?.hash(&mut hash);
    }
    compiler()?.hash(&mut hash);
    println!("cargo::rustc-env=APPSTITCH_RULES={:016x}", hash.finish());
    Ok(())
}

/// The version of the compiler, because it includes the standard library.
fn compiler() -> io::Result<Vec<u8>> {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(Command::new(compiler).arg("--version").output()?.stdout)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
