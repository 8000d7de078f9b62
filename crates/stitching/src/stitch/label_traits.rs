//! The values of a label that are compared with casks.

use std::collections::BTreeSet;

use appstitch_text::{fold_case, normal_name::normal};
use appstitch_types::{InstallMethod, LabelToolSource};
use serde_json::{Map, Value};
use url::Url;

use super::{
    addresses::{addresses, folder, sites},
    likeness::editions,
    majors::Majors,
    similar::{AddressWords, shortened},
};
use crate::{
    bounds::{NAME_BYTES, WRITTEN_NAMES},
    documents::LabelDocument,
    label::literal::Literals,
    repository::{label_repository, repository},
};

/// Words in the names of files for one kind of Mac.
const ARCHITECTURES: [&str; 10] =
    ["64", "aarch64", "amd64", "arm", "arm64", "intel", "silicon", "universal", "x64", "x86"];

/// Where the cask catalog describes a cask.
const CASK_CATALOG: [&str; 2] = ["formulae.brew.sh/cask/", "formulae.brew.sh/api/cask/"];

pub(super) struct LabelTraits {
    pub(super) slug: String,
    pub(super) other_names: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) app_file: Option<String>,
    /// Whether the download is an app, not a package.
    pub(super) is_app: bool,
    pub(super) package_id: Option<String>,
    pub(super) repository: Option<String>,
    pub(super) download: Option<DownloadFile>,
    /// Whether the download is where redirects ended: a file of one release.
    pub(super) is_one_release: bool,
    pub(super) sites: BTreeSet<String>,
    /// The app's names as the label writes them.
    pub(super) written: Vec<String>,
    pub(super) address_words: AddressWords,
    /// The folders of the download, as far as the shell does not compute them.
    pub(super) folders: BTreeSet<String>,
    pub(super) majors: Majors,
    pub(super) version: Option<String>,
    pub(super) editions: Vec<&'static str>,
    /// The cask whose version the label asks the cask catalog for, as a normal name.
    pub(super) asked_cask: Option<String>,
    /// The addresses of the label's file.
    pub(super) files: Vec<String>,
}

/// The host of a download and the letters of its file name.
pub(super) struct DownloadFile {
    pub(super) host: String,
    pub(super) file: String,
    /// With its digits.
    name: String,
    pub(super) path: String,
}

impl LabelTraits {
    /// Reads a label; `slugs` are those of all labels.
    pub(super) fn read(label: &LabelDocument, literals: &Literals, slugs: &BTreeSet<&str>) -> Self {
        let mut raw = label.source.raw.read();
        // Where a redirect ends says nothing about what the label is for.
        let recorded = raw.shift_remove(LabelToolSource::RECORDED);
        let written_text = recorded.and_then(|_| serde_json::to_string(&raw).ok());
        let written_text = written_text.as_deref().unwrap_or(label.source.raw.as_json());
        let without_ending = |file: &str| file.strip_suffix(".app").unwrap_or(file).to_owned();
        // The folder of an app in a suite can have the version in its name.
        let in_folder = || app_in_folder(raw.get("appName")?.as_str()?);
        let app_file = literals
            .text("appName")
            .map(without_ending)
            .or_else(in_folder)
            .or_else(|| literals.name().map(str::to_owned))
            .filter(|file| file.len() <= NAME_BYTES);
        let is_compared = |name: &&str| name.len() <= NAME_BYTES;
        let by_condition = names_by_condition(&raw);
        let name = literals.name().filter(is_compared);
        let mut written: Vec<String> = name.map(str::to_owned).into_iter().collect();
        written.extend(by_condition.iter().cloned());
        written.extend(app_file.clone().filter(|file| !written.contains(file)));
        let before_version = raw.get("name").and_then(Value::as_str).and_then(name_before_version);
        written.extend(before_version.clone());
        let names = std::iter::once(label.slug.as_str())
            .chain(label.used_names().iter().map(String::as_str).filter(is_compared))
            .chain(name)
            .chain(by_condition.iter().chain(&before_version).map(String::as_str))
            .map(normal)
            .filter(|name| !name.is_empty())
            .collect();
        let url = literals.text("downloadURL");
        let method = literals.text("type").and_then(InstallMethod::from_word);
        Self {
            slug: normal(label.slug.as_str()),
            other_names: label.used_names().iter().map(|name| normal(name)).collect(),
            names,
            app_file,
            is_app: method.is_some_and(|method| !method.is_package()),
            package_id: literals.text("packageID").map(str::to_owned),
            repository: label_repository(&label.source).or_else(|| url.and_then(repository)),
            download: url.and_then(DownloadFile::read),
            is_one_release: literals.has_recorded_address,
            sites: sites(written_text),
            address_words: AddressWords::read(written_text),
            folders: download_folders(raw.get("downloadURL")),
            majors: Majors::read(label, literals, &written, slugs),
            version: literals.version().map(str::to_owned),
            editions: editions(&written),
            written,
            asked_cask: asked_cask(written_text),
            files: url.into_iter().chain(literals.recorded_address()).map(str::to_owned).collect(),
        }
    }

    /// The keys of the casks that may match, the most specific ones first.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let tokens =
            self.names.iter().flat_map(|name| [format!("token:{name}"), format!("family:{name}")]);
        let names =
            self.names.iter().chain(&self.app_file).map(|name| format!("name:{}", normal(name)));
        let receipt = self
            .package_id
            .iter()
            .flat_map(|id| [format!("receipt:{id}"), format!("bundle:{}", fold_case(id))]);
        let repository = self.repository.iter().flat_map(|repository| {
            let name = repository.split('/').nth(1).unwrap_or_default();
            [format!("repository:{repository}"), format!("project:{name}")]
        });
        let similar = self.written.iter().flat_map(|name| shortened(name));
        let similar = similar.map(|name| format!("similar:{name}"));
        let folders = self.folders.iter().map(|folder| format!("folder:{folder}"));
        let files = self.files.iter().map(|file| format!("file:{file}"));
        let asked = self.asked_cask.iter().map(|token| format!("token:{token}"));
        let version = self.version.as_deref();
        let releases = self.files.iter().filter_map(move |file| release_key(file, version?));
        let exact = files.chain(asked).chain(releases);
        exact
            .chain(tokens)
            .chain(names)
            .chain(receipt)
            .chain(repository)
            .chain(similar)
            .chain(folders)
    }
}

impl DownloadFile {
    pub(super) fn read(url: &str) -> Option<Self> {
        let url = Url::parse(url).ok()?;
        let file = url.path().rsplit('/').next()?;
        let words = file.split(|c: char| !c.is_ascii_alphanumeric());
        let words = words.filter(|word| !ARCHITECTURES.contains(&&*word.to_ascii_lowercase()));
        let letters =
            words.flat_map(str::chars).filter(char::is_ascii_alphabetic).collect::<String>();
        Some(Self {
            host: url.host_str()?.to_owned(),
            file: letters.to_ascii_lowercase(),
            name: file.to_owned(),
            path: url.path().to_owned(),
        })
    }

    /// Whether both are the same file, in whatever release.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        self.host == other.host && self.file == other.file && !self.file.is_empty()
    }

    /// Whether both files have the same name, whatever their host is.
    pub(super) fn is_named_like(&self, other: &Self) -> bool {
        self.name == other.name && !self.file.is_empty()
    }

    /// Whether the file has this normal name, beside its version.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let ending = self.name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let stem = self.file.strip_suffix(&*ending.to_ascii_lowercase());
        stem == Some(name) && self.name.contains(|c: char| c.is_ascii_digit())
    }

    /// Whether both are the same file of the same release, which its name tells.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.is_of(other)
            && self.name == other.name
            && self.name.contains(|c: char| c.is_ascii_digit())
    }
}

/// The key of a release: the folder of its file and its version.
pub(super) fn release_key(url: &str, version: &str) -> Option<String> {
    let (folder, _) = url.split(['?', '#']).next()?.rsplit_once('/')?;
    version.contains('.').then(|| format!("release:{folder} {version}"))
}

/// The name in the label of an app whose file name ends in its version: `Sample-$appNewVersion`.
fn name_before_version(name: &str) -> Option<String> {
    let mut endings = ["$appNewVersion", "${appNewVersion}"].iter();
    let stem = endings.find_map(|ending| name.strip_suffix(ending))?;
    let stem = stem.trim_end_matches([' ', '-', '_']);
    (!stem.is_empty() && stem.len() <= NAME_BYTES && !stem.contains(['$', '`']))
        .then(|| stem.to_owned())
}

/// The cask that a text asks the cask catalog for, as a normal name; `None` if there are several.
fn asked_cask(text: &str) -> Option<String> {
    let tokens = CASK_CATALOG.iter().flat_map(|start| text.split(start).skip(1)).map(|rest| {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && !"-@+.".contains(c);
        let token = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        normal(token.strip_suffix(".json").unwrap_or(token))
    });
    let tokens: BTreeSet<String> = tokens.filter(|token| !token.is_empty()).collect();
    let mut tokens = tokens.into_iter();
    tokens.next().filter(|_| tokens.next().is_none())
}

fn names_by_condition(raw: &Map<String, Value>) -> Vec<String> {
    let names = raw.get("name").and_then(Value::as_array).into_iter().flatten();
    let names = names.filter_map(Value::as_str).filter(|name| !name.contains(['$', '`']));
    let names = names.filter(|name| name.len() <= NAME_BYTES);
    names.take(WRITTEN_NAMES).map(str::to_owned).collect()
}

/// The file name of an app in a folder whose name is computed, without `.app`.
fn app_in_folder(path: &str) -> Option<String> {
    let (_, file) = path.rsplit_once('/')?;
    let name = file.strip_suffix(".app")?;
    (!name.is_empty() && !name.contains(['$', '`', '}'])).then(|| name.to_owned())
}

/// The folders in the un-evaluated text of a download's URL.
fn download_folders(url: Option<&Value>) -> BTreeSet<String> {
    let texts: Vec<&str> = match url {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let addresses = texts.into_iter().flat_map(addresses);
    addresses.filter_map(|address| folder(&address)).collect()
}
