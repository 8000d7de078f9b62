//! Which of a label's variables still fit if the download is the cask's.
//!
//! Such variables describe the label's own download. They fit the cask's if both are installed in
//! the same way and the cask knows the file that the variable names.

use serde_json::Value;

use super::literal::Literals;
use crate::{InstallMethod, Source, cask::CaskFacts};

/// Variables that describe the label's own download.
const OF_OWN_DOWNLOAD: [&str; 7] = [
    "archiveName",
    "CLIArguments",
    "CLIInstaller",
    "curlOptions",
    "folderName",
    "installerTool",
    "pkgName",
];

/// The variables of a label's own download that fit the chosen one.
#[derive(Clone, Copy)]
pub(super) struct OwnDownload {
    is_own: bool,
    /// Whether the label's installer program is in the download.
    has_installer: bool,
    /// Whether the label's package is in the download.
    has_package: bool,
}

impl OwnDownload {
    pub(super) fn compare(
        label: &Literals,
        cask: Option<&CaskFacts>,
        download: Option<Source>,
        method: Option<InstallMethod>,
    ) -> Self {
        let is_own = download.is_none_or(|source| source == Source::LabelTool);
        let of_label = label.text("type").and_then(InstallMethod::from_word);
        let same = cask.filter(|_| {
            download == Some(Source::CaskCatalog) && of_label.is_some() && of_label == method
        });
        let program = label.text("installerTool").or_else(|| label.text("CLIInstaller"));
        let has_installer =
            same.zip(program).is_some_and(|(cask, program)| brings_app(cask, program));
        let package = label.text("pkgName");
        let has_package = same.zip(package).is_some_and(|(cask, name)| {
            cask.packages.iter().any(|path| file_name(path).eq_ignore_ascii_case(file_name(name)))
        });
        Self { is_own, has_installer, has_package }
    }

    pub(super) fn fits(self, variable: &str) -> bool {
        self.is_own
            || match variable {
                "CLIInstaller" | "CLIArguments" | "installerTool" => self.has_installer,
                "pkgName" => self.has_package,
                _ => !OF_OWN_DOWNLOAD.contains(&variable),
            }
    }

    /// A warning if the arguments of a program that is run are known only to a shell.
    pub(super) fn warning(self, arguments: Option<&Value>, label: &Literals) -> Option<String> {
        let is_run = self.fits("CLIInstaller") && label.text("CLIInstaller").is_some();
        let is_lost = arguments.is_some() && label.value("CLIArguments").is_none();
        (is_run && is_lost).then(|| {
            "CLIArguments: the arguments of the label need a running shell; set them manually"
                .to_owned()
        })
    }
}

/// Whether the download contains the app that a path starts with.
fn brings_app(cask: &CaskFacts, path: &str) -> bool {
    let top = |path: &str| path.split('/').next().unwrap_or_default().to_ascii_lowercase();
    let installer = cask.installer.as_ref().map(|installer| installer.app.as_str());
    let mut apps = cask.archived_app.as_deref().into_iter().chain(installer);
    apps.any(|app| top(app) == top(path))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}
