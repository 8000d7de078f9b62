//! Packs a release: the binary with its checksum, bill of materials, completions and manual page.
//!
//! The binary is that of `reproducible --once`, and times and owners in the archive are fixed, so the
//! same commit gives the same archive everywhere.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use flate2::{Compression, GzBuilder};

use crate::{
    reproducible,
    run::{Failure, Step, host, workspace},
    sbom,
};

/// The shells that have completions, and the name of each file.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "appstitch.bash"), ("zsh", "_appstitch"), ("fish", "appstitch.fish")];

const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if !arguments.is_empty() {
        return Err(Failure("dist takes no arguments".to_owned()));
    }
    let time = reproducible::commit_time()?;
    let binary = reproducible::build_once(&time)?;
    let name = format!("appstitch-{}-{}", version(&binary)?, host()?);
    let root = workspace().join("target").join("dist");
    let folder = root.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    }
    put(&folder.join("appstitch"), &read(&binary)?)?;
    make_executable(&folder.join("appstitch"))?;
    put(&folder.join("appstitch.1"), Step::new(&binary, &["man"]).output()?.as_bytes())?;
    for (shell, file) in COMPLETIONS {
        let text = Step::new(&binary, &["completions", shell]).output()?;
        put(&folder.join("completions").join(file), text.as_bytes())?;
    }
    put(&folder.join("appstitch.cdx.json"), sbom::document(Some(&time))?.as_bytes())?;
    for file in FILES {
        put(&folder.join(file), &read(&workspace().join(file))?)?;
    }
    let deploy = workspace().join("deploy");
    for file in files_in(&deploy)? {
        let inside = file.strip_prefix(&deploy).unwrap_or(&file);
        put(&folder.join("deploy").join(inside), &read(&file)?)?;
    }
    let archive = root.join(format!("{name}.tar.gz"));
    let seconds = time.parse().map_err(|_| Failure(format!("'{time}' is not a time")))?;
    let bytes = pack(&folder, &name, seconds).map_err(|error| failed(&archive, &error))?;
    put(&archive, &bytes)?;
    let sums = format!(
        "{}  {name}.tar.gz\n{}  {name}/appstitch\n",
        reproducible::hash(&bytes),
        reproducible::hash(&read(&binary)?)
    );
    put(&root.join("SHA256SUMS"), sums.as_bytes())?;
    print!("{sums}");
    println!("{}", archive.display());
    Ok(())
}

fn version(binary: &Path) -> Result<String, Failure> {
    let output = Step::new(binary, &["--version"]).output()?;
    let version = output.split_whitespace().last().map(str::to_owned);
    version.ok_or_else(|| Failure("the binary prints no version".to_owned()))
}

/// All files below a folder, in order of their paths.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| failed(&folder, &error))?;
        for entry in entries {
            let path = entry.map_err(|error| failed(&folder, &error))?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

/// The folder as an archive. Times, owners and the order of the files are fixed.
fn pack(folder: &Path, name: &str, seconds: u64) -> io::Result<Vec<u8>> {
    let gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(gzip);
    let files = files_in(folder).map_err(|Failure(why)| io::Error::other(why))?;
    for file in files {
        let bytes = fs::read(&file)?;
        let inside = file.strip_prefix(folder).unwrap_or(&file);
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mtime(seconds);
        header.set_mode(if inside == Path::new("appstitch") { 0o755 } else { 0o644 });
        archive.append_data(&mut header, Path::new(name).join(inside), bytes.as_slice())?;
    }
    archive.into_inner()?.finish()
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| failed(path, &error))
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    fs::write(path, bytes).map_err(|error| failed(path, &error))
}

fn make_executable(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, executable).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_archive_with_an_executable_binary() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("name");
        for (file, text) in [("appstitch", "binary"), ("completions/_appstitch", "zsh"), ("a", "b")]
        {
            put(&inside.join(file), text.as_bytes()).ok().unwrap();
        }
        let bytes = pack(&inside, "name", 1_794_832_980).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        put(&inside.join("a"), b"b").ok().unwrap();
        assert_eq!(pack(&inside, "name", 1_794_832_980).unwrap(), bytes);
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let entries: Vec<(String, u32)> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let path = entry.path().unwrap().display().to_string();
                (path, entry.header().mode().unwrap())
            })
            .collect();
        let expected =
            [("name/a", 0o644), ("name/appstitch", 0o755), ("name/completions/_appstitch", 0o644)];
        assert_eq!(entries, expected.map(|(path, mode)| (path.to_owned(), mode)));
    }
}
