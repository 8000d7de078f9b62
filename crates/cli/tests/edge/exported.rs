//! A folder with an export.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::service::support::Program;

/// The address that feeds, pages and the sitemap link to.
pub(crate) const PUBLIC_URL: &str = "https://apps.example";

/// A folder for an export of a store.
pub(crate) struct Exported {
    folder: TempDir,
    store: String,
    public_url: &'static str,
    signing: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) address: String,
    pub(crate) route: String,
    pub(crate) file: String,
    pub(crate) sha256: String,
    pub(crate) packed: bool,
    pub(crate) headers: BTreeMap<String, String>,
}

impl Entry {
    /// Whether programs get another answer at its address.
    pub(crate) fn is_for_browsers(&self) -> bool {
        let is_of_apps = self.route == "/apps" && !self.file.starts_with("apps/@pages/");
        is_of_apps || self.file == "changes.html"
    }
}

impl Exported {
    pub(crate) fn new(store: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, store: store.to_owned(), public_url: "", signing: Vec::new() }
    }

    pub(crate) fn of_file(store: &Path) -> Self {
        Self::new(&format!("sqlite:{}", store.display()))
    }

    pub(crate) fn with_public_url(mut self) -> Self {
        self.public_url = PUBLIC_URL;
        self
    }

    pub(crate) fn signed_with(mut self, key: &str) -> Self {
        self.signing = ["--signing-key-file", key].map(str::to_owned).into();
        self
    }

    /// The folder that is exported to. It does not exist before the first export.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("edge")
    }

    /// The release that is served.
    pub(crate) fn current(&self) -> PathBuf {
        fs::canonicalize(self.path().join("current")).unwrap()
    }

    pub(crate) fn command(&self) -> Command {
        self.with_arguments(Program::command())
    }

    /// The command after something that the shell does in the same process, such as `ulimit`.
    pub(crate) fn command_after(&self, shell: &str) -> Command {
        self.with_arguments(Program::command_after(shell))
    }

    fn with_arguments(&self, mut command: Command) -> Command {
        command.arg("export").arg(self.path());
        command.args(["--store", &self.store, "--public-url", self.public_url]);
        command.args(&self.signing);
        command
    }

    pub(crate) async fn run(&self) -> String {
        let (code, printed) = code_and_text(&output(self.command()).await);
        assert_eq!(code, Some(0), "{printed}");
        printed
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let manifest = fs::read(self.current().join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let entry = |entry: &Value| {
            let kind =
                &manifest["kinds"][usize::try_from(entry["kind"].as_u64().unwrap()).unwrap()];
            let further = entry["headers"].as_object().into_iter().flatten();
            let fields = kind.as_object().unwrap().iter().chain(further);
            Entry {
                address: text(&entry["address"]),
                route: text(&entry["route"]),
                file: text(&entry["file"]),
                sha256: text(&entry["sha256"]),
                packed: entry["packed"].as_bool().unwrap(),
                headers: fields.map(|(name, value)| (name.clone(), text(value))).collect(),
            }
        };
        manifest["files"].as_array().unwrap().iter().map(entry).collect()
    }

    /// The inode of a file, and when it was last written.
    pub(crate) fn node(&self, file: &str) -> (u64, i64) {
        let metadata = fs::metadata(self.current().join(file)).unwrap();
        (metadata.ino(), metadata.mtime_nsec())
    }
}

/// Runs a command to its end, elsewhere: the connections of this thread must notice what happens.
pub(crate) async fn output(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap()
}

/// The exit code and both streams.
pub(crate) fn code_and_text(output: &Output) -> (Option<i32>, String) {
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "talk goes to stderr");
    (output.status.code(), String::from_utf8(output.stderr.clone()).unwrap())
}
