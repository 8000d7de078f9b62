//! Builds the release binary in two folders and compares the bytes.
//!
//! The builds share nothing but the toolchain and the downloaded crates: each has its own copy of
//! the source, its own target folder and its own path to the crates. Paths are the only thing that
//! would differ, so they are mapped to fixed names.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use ring::digest::{SHA256, digest};

use crate::run::{Failure, Step, workspace};

/// Builds only one binary, to compare its hash with a published one.
const ONCE: &str = "--once";

/// Folders of different lengths: the length of a path must not matter either.
const FOLDERS: [&str; 2] = ["first", "second/in-a-longer-path"];

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let folders = match arguments {
        [] => &FOLDERS[..],
        [option] if option == ONCE => &FOLDERS[..1],
        _ => return Err(Failure(format!("the only option is {ONCE}"))),
    };
    let root = workspace().join("target").join("reproducible");
    let time = commit_time()?;
    // Both copies are made before the builds, which take minutes: a file that is edited meanwhile must
    // not make them differ.
    let folders: Vec<Folder> = folders
        .iter()
        .map(|folder| Folder::prepare(&root.join(folder)))
        .collect::<Result<_, _>>()?;
    let mut binaries = Vec::new();
    for folder in &folders {
        let binary = folder.build(&time)?;
        let bytes = fs::read(&binary).map_err(|error| failed(&binary, &error))?;
        println!("{}  {}", hash(&bytes), binary.display());
        binaries.push(bytes);
    }
    match first_difference(&binaries) {
        None => Ok(()),
        Some(place) => Err(Failure(format!(
            "the builds differ from byte {place} on; to see why, run diffoscope on them"
        ))),
    }
}

/// The time of the commit, in seconds. Builds have no other time.
pub(crate) fn commit_time() -> Result<String, Failure> {
    let time = Step::new("git", &["log", "-1", "--format=%ct"]).output()?;
    Ok(time.trim().to_owned())
}

pub(crate) fn build_once(time: &str) -> Result<PathBuf, Failure> {
    let root = workspace().join("target").join("reproducible");
    Folder::prepare(&root.join(FOLDERS[0]))?.build(time)
}

struct Folder {
    source: PathBuf,
    cargo_home: PathBuf,
}

impl Folder {
    /// Copies the files that git knows, as they are now.
    fn prepare(root: &Path) -> Result<Self, Failure> {
        if root.exists() {
            fs::remove_dir_all(root).map_err(|error| failed(root, &error))?;
        }
        let folder = Self { source: root.join("source"), cargo_home: root.join("cargo-home") };
        let files = Step::new("git", &["ls-files", "-z"]).output()?;
        for file in files.split_terminator('\0') {
            let to = folder.source.join(file);
            copy(&workspace().join(file), &to).map_err(|error| failed(&to, &error))?;
        }
        folder.share_crates().map_err(|error| failed(&folder.cargo_home, &error))?;
        Ok(folder)
    }

    /// Uses the crates that are downloaded already, under another path.
    fn share_crates(&self) -> io::Result<()> {
        fs::create_dir_all(&self.cargo_home)?;
        let shared = env::var_os("CARGO_HOME").map(PathBuf::from);
        let shared = shared.or_else(|| Some(env::home_dir()?.join(".cargo")));
        for name in ["config.toml", "registry"] {
            if let Some(there) =
                shared.as_ref().map(|home| home.join(name)).filter(|at| at.exists())
            {
                std::os::unix::fs::symlink(there, self.cargo_home.join(name))?;
            }
        }
        Ok(())
    }

    fn build(&self, time: &str) -> Result<PathBuf, Failure> {
        let (source, home) = (self.source.display(), self.cargo_home.display());
        // A later mapping takes precedence; the separator allows spaces in paths.
        let rust = format!(
            "--remap-path-prefix={home}=/cargo\u{1f}--remap-path-prefix={source}=/appstitch"
        );
        let c = format!("-ffile-prefix-map={home}=/cargo -ffile-prefix-map={source}=/appstitch");
        let target = self.source.join("target");
        let manifest = self.source.join("Cargo.toml");
        Step::cargo(&["build", "--release", "--locked", "--package", "appstitch"])
            .arguments(&["--manifest-path".to_owned(), manifest.display().to_string()])
            .variable("CARGO_ENCODED_RUSTFLAGS", rust.as_ref())
            .variable("CARGO_HOME", self.cargo_home.as_os_str())
            .variable("CARGO_TARGET_DIR", target.as_os_str())
            .variable("CFLAGS", c.as_ref())
            .variable("SOURCE_DATE_EPOCH", time.as_ref())
            .run()?;
        Ok(target.join("release").join("appstitch"))
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map(drop)
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("{}: {error}", path.display()))
}

/// As `sha256sum` prints it.
pub(crate) fn hash(bytes: &[u8]) -> String {
    digest(&SHA256, bytes)
        .as_ref()
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// Where files differ; `None` if they are all the same.
fn first_difference(files: &[Vec<u8>]) -> Option<usize> {
    files.windows(2).find(|pair| pair[0] != pair[1]).map(|pair| {
        pair[0].iter().zip(&pair[1]).take_while(|(first, second)| first == second).count()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_found_where_it_starts() {
        let files = |texts: &[&str]| -> Vec<Vec<u8>> {
            texts.iter().map(|text| text.as_bytes().to_vec()).collect()
        };
        assert_eq!(first_difference(&files(&["same"])), None);
        assert_eq!(first_difference(&files(&["same", "same"])), None);
        assert_eq!(first_difference(&files(&["same", "sane"])), Some(2));
        assert_eq!(first_difference(&files(&["same", "same and more"])), Some(4));
    }

    #[test]
    fn the_hash_is_the_usual_one() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hash(b""), empty);
    }
}
