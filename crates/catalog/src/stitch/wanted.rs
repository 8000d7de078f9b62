//! The values of a label that are compared with casks.

use std::collections::BTreeSet;

use url::Url;

use super::{
    addresses::{repository, sites},
    names::normal,
};
use crate::{InstallMethod, LabelDocument, LabelToolSource, label::literal::Literals};

/// The values of a label that are compared with casks.
pub(super) struct Wanted {
    pub(super) slug: String,
    /// The label's other names.
    pub(super) other_names: Vec<String>,
    /// All names of the app.
    pub(super) names: Vec<String>,
    pub(super) app_file: Option<String>,
    /// Whether the download is an app, not a package.
    pub(super) is_app: bool,
    pub(super) package_id: Option<String>,
    pub(super) repository: Option<String>,
    pub(super) download: Option<Download>,
    /// The web sites in the label's text.
    pub(super) sites: BTreeSet<String>,
}

/// The host of a download and the letters of its file name.
#[derive(PartialEq, Eq)]
pub(super) struct Download {
    pub(super) host: String,
    pub(super) file: String,
}

impl Wanted {
    pub(super) fn read(label: &LabelDocument, literals: &Literals) -> Self {
        let app_file = literals.text("appName").or_else(|| literals.name());
        let app_file = app_file.map(|file| file.strip_suffix(".app").unwrap_or(file).to_owned());
        let own = std::iter::once(label.slug.as_str());
        let names = own
            .chain(label.other_names.iter().map(String::as_str))
            .chain(literals.name())
            .map(normal)
            .filter(|name| !name.is_empty())
            .collect();
        let url = literals.text("downloadURL");
        let method = literals.text("type").and_then(InstallMethod::from_word);
        Self {
            slug: normal(label.slug.as_str()),
            other_names: label.other_names.iter().map(|name| normal(name)).collect(),
            names,
            app_file,
            is_app: method.is_some_and(|method| !method.is_package()),
            package_id: literals.text("packageID").map(str::to_owned),
            repository: label_repository(&label.source).or_else(|| url.and_then(repository)),
            download: url.and_then(Download::read),
            sites: sites(label.source.raw.as_json()),
        }
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let names =
            self.names.iter().chain(&self.app_file).map(|name| format!("name:{}", normal(name)));
        let receipt = self.package_id.iter().map(|id| format!("receipt:{id}"));
        let repository =
            self.repository.iter().map(|repository| format!("repository:{repository}"));
        names.chain(receipt).chain(repository)
    }
}

impl Download {
    pub(super) fn read(url: &str) -> Option<Self> {
        let url = Url::parse(url).ok()?;
        let file = url.path().rsplit('/').next()?;
        let file = file.chars().filter(char::is_ascii_alphabetic).collect::<String>();
        Some(Self { host: url.host_str()?.to_owned(), file: file.to_ascii_lowercase() })
    }
}

/// The repository that a label queries for the newest release: `downloadURLFromGit OWNER NAME`.
pub(crate) fn label_repository(label: &LabelToolSource) -> Option<String> {
    let raw = label.raw.as_json();
    let call = ["downloadURLFromGit ", "versionFromGit "]
        .iter()
        .find_map(|function| raw.split_once(function));
    if let Some((_, rest)) = call {
        let plain =
            |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        let mut words =
            rest.split([' ', ')', '"', '\\', '|']).filter(|word| !word.is_empty()).take(2);
        let (owner, name) = (words.next().filter(plain)?, words.next().filter(plain)?);
        return Some(format!("{owner}/{name}").to_ascii_lowercase());
    }
    let (_, rest) = raw.split_once("api.github.com/repos/")?;
    repository(&format!("https://github.com/{rest}"))
}
