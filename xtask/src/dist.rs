//! Packs a release: an archive with the binary, its bill of materials, completions, manual page,
//! documents and sample configurations, an archive with the source, and what installs them.
//!
//! The binary is that of `reproducible --once`, and times and owners in the archives are fixed, so the
//! same commit gives the same archives everywhere.

mod archive;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    reproducible,
    run::{Failure, Step, host, workspace},
    sbom,
};
use archive::{Archive, Entry};

/// The shells that have completions, and the name of each file.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "appstitch.bash"), ("zsh", "_appstitch"), ("fish", "appstitch.fish")];

const FILES: [&str; 6] = [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE-APACHE", "LICENSE-MIT",
];

/// The folders that are packed whole. The files above link to the documents.
const FOLDERS: [&str; 2] = ["deploy", "docs"];

const INSTALL_SCRIPT: &str = "install.sh";
const FORMULA: &str = "appstitch.rb";

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    /// Packs this binary instead of building one.
    binary: Option<PathBuf>,
    /// Where the release will be downloaded from; the formula says so.
    url: Option<String>,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let Options { binary, url } = Options::read(arguments)?;
    let time = reproducible::commit_time()?;
    let seconds = time.parse().map_err(|_| Failure(format!("'{time}' is not a time")))?;
    let binary = match binary {
        Some(binary) => binary,
        None => reproducible::build_once(&time)?,
    };
    let root = workspace().join("target").join("dist");
    let version = version(&binary)?;
    let name = format!("appstitch-{version}-{}", host()?);
    let folder = root.join(&name);
    lay_out(&folder, &binary, &sbom::document(Some(&time))?)?;
    let program = Archive { name: &name, entries: entries_of(&folder)? };
    // Homebrew reads the version from this name.
    let source_name = format!("appstitch-{version}");
    let source = Archive { name: &source_name, entries: source()? };
    let program = write(&program, &root, seconds)?;
    let source = write(&source, &root, seconds)?;
    let deploy = workspace().join("deploy");
    put(&root.join(INSTALL_SCRIPT), &read(&deploy.join(INSTALL_SCRIPT))?)?;
    let url = url.unwrap_or_else(|| format!("file://{}", root.display()));
    let formula = String::from_utf8_lossy(&read(&deploy.join(FORMULA))?).into_owned();
    let url = format!("{}/{}", url.trim_end_matches('/'), source.file);
    put(&root.join(FORMULA), fill(&formula, &url, &source.hash).as_bytes())?;
    let sums = format!(
        "{}  {}\n{}  {}\n{}  {name}/appstitch\n",
        program.hash,
        program.file,
        source.hash,
        source.file,
        reproducible::hash(&read(&binary)?)
    );
    put(&root.join("SHA256SUMS"), sums.as_bytes())?;
    print!("{sums}");
    println!("{}", root.join(program.file).display());
    Ok(())
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let value = arguments.next().filter(|value| !value.is_empty()).cloned();
            match (name.as_str(), value) {
                ("--binary", Some(file)) => options.binary = Some(file.into()),
                ("--url", Some(url)) => options.url = Some(url),
                _ => return Err(Failure("usage: dist [--binary FILE] [--url URL]".to_owned())),
            }
        }
        Ok(options)
    }
}

/// Fills the folder that becomes the archive of the binary.
fn lay_out(folder: &Path, binary: &Path, bill_of_materials: &str) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    put(&folder.join("appstitch"), &read(binary)?)?;
    make_executable(&folder.join("appstitch"))?;
    put(&folder.join("appstitch.1"), Step::new(binary, &["man"]).output()?.as_bytes())?;
    for (shell, file) in COMPLETIONS {
        let text = Step::new(binary, &["completions", shell]).output()?;
        put(&folder.join("completions").join(file), text.as_bytes())?;
    }
    put(&folder.join("appstitch.cdx.json"), bill_of_materials.as_bytes())?;
    for file in FILES {
        put(&folder.join(file), &read(&workspace().join(file))?)?;
    }
    for name in FOLDERS {
        for Entry { inside, file } in entries_of(&workspace().join(name))? {
            put(&folder.join(name).join(inside), &read(&file)?)?;
        }
    }
    Ok(())
}

/// The files that git knows, as they are now.
fn source() -> Result<Vec<Entry>, Failure> {
    let files = Step::new("git", &["ls-files", "-z"]).output()?;
    let entry = |file: &str| Entry { inside: file.into(), file: workspace().join(file) };
    Ok(files.split_terminator('\0').map(entry).collect())
}

struct Written {
    file: String,
    hash: String,
}

fn write(archive: &Archive<'_>, root: &Path, seconds: u64) -> Result<Written, Failure> {
    let file = format!("{}.tar.gz", archive.name);
    let bytes = archive.pack(seconds).map_err(|error| failed(&root.join(&file), &error))?;
    put(&root.join(&file), &bytes)?;
    Ok(Written { file, hash: reproducible::hash(&bytes) })
}

/// The formula with the URL and the hash of the source.
fn fill(formula: &str, url: &str, hash: &str) -> String {
    formula.replace("@URL@", url).replace("@SHA256@", hash)
}

fn version(binary: &Path) -> Result<String, Failure> {
    let output = Step::new(binary, &["--version"]).output()?;
    let version = output.split_whitespace().last().map(str::to_owned);
    version.ok_or_else(|| Failure("the binary prints no version".to_owned()))
}

/// All files below a folder.
fn entries_of(folder: &Path) -> Result<Vec<Entry>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        let entries = fs::read_dir(&inner).map_err(|error| failed(&inner, &error))?;
        for entry in entries {
            let file = entry.map_err(|error| failed(&inner, &error))?.path();
            if file.is_dir() {
                folders.push(file);
            } else {
                let inside = file.strip_prefix(folder).unwrap_or(&file).to_owned();
                files.push(Entry { inside, file });
            }
        }
    }
    Ok(files)
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
mod tests;
