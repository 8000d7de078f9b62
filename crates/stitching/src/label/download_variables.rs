//! Which of a label's variables still fit if the download is the cask's.
//!
//! Such variables describe the label's download. They fit the cask's if both are installed in
//! the same way and the cask knows the file that the variable names.

use appstitch_types::{InstallMethod, Source};
use serde_json::Value;

use super::literal::Literals;
use crate::cask::CaskFacts;

/// Variables that describe the label's download.
const OF_DOWNLOAD: [&str; 7] = [
    "archiveName", "CLIArguments", "CLIInstaller", "curlOptions", "folderName", "installerTool",
    "pkgName",
];

/// The variables of a label's download that fit the chosen one.
pub(super) struct DownloadVariables {
    is_of_label: bool,
    /// Those that fit the download of the cask, too.
    kept: Vec<&'static str>,
}

impl DownloadVariables {
    pub(super) fn compare(
        label: &Literals,
        cask: Option<&CaskFacts>,
        download: Option<Source>,
        method: Option<InstallMethod>,
    ) -> Self {
        let is_of_label = download.is_none_or(|source| source == Source::LabelTool);
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
        let has_folder = same.zip(label.text("folderName")).is_some_and(|(cask, folder)| {
            let is_inside =
                |app: &str| app.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            let mut apps = label.text("appName").into_iter().chain(cask.archived_app.as_deref());
            apps.all(is_inside)
        });
        let kept = [
            ("CLIArguments", has_installer),
            ("CLIInstaller", has_installer),
            ("installerTool", has_installer),
            ("folderName", has_folder),
            ("pkgName", has_package),
        ];
        let kept = kept.into_iter().filter_map(|(variable, fits)| fits.then_some(variable));
        Self { is_of_label, kept: kept.collect() }
    }

    pub(super) fn fits(&self, variable: &str) -> bool {
        self.is_of_label || self.kept.contains(&variable) || !OF_DOWNLOAD.contains(&variable)
    }

    /// A warning if the arguments of a program that is run are known only to a shell.
    pub(super) fn warning(&self, arguments: Option<&Value>, label: &Literals) -> Option<String> {
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
    // The label tool puts a slash before the path, and so do some labels.
    let top = |path: &str| {
        let path = path.trim_start_matches('/');
        path.split('/').next().unwrap_or_default().to_ascii_lowercase()
    };
    let installer = cask.installer.as_ref().map(|installer| installer.app.as_str());
    let mut apps = cask.archived_app.as_deref().into_iter().chain(installer);
    apps.any(|app| top(app) == top(path))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}
