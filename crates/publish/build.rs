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

/// Everything that affects the served bytes, relative to this package.
const MADE_BY: [&str; 10] = [
    "src",
    "Cargo.toml",
    "../snapshot/src",
    "../snapshot/Cargo.toml",
    "../catalog/src",
    "../catalog/Cargo.toml",
    "../sources/src",
    "../sources/Cargo.toml",
    "../../Cargo.toml",
    "../../Cargo.lock",
];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for path in MADE_BY {
        println!("cargo::rerun-if-changed={path}");
        collect(Path::new(path), &mut files)?;
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
