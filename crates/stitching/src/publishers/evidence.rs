//! The keys of publishers in the sources of an app.

use appstitch_types::{AppSources, LabelToolSource, MdmInstallerSource, Source, TeamId, Uri};
use url::Url;

use super::KeyKind;
use crate::{cask::CaskFacts, label::literal::Literals, repository::label_repository};

/// How closely a clue is tied to the maker of the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// The app itself or its home page: signature, identifiers, site.
    Own,
    Download,
    /// A host that a label contacts.
    Mention,
}

/// A value that may contain a key: a Team ID, a bundle identifier, a host or an owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clue {
    pub kind: KeyKind,
    /// The value; in lowercase, except a Team ID.
    pub value: String,
}

/// Clues of the same weight from one source. They identify a publisher only if they agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clues {
    pub source: Source,
    pub strength: Strength,
    pub all: Vec<Clue>,
}

/// All clues of an app, strongest first.
///
/// The signature comes first: a Team ID cannot be copied. Then the home page, because an app that is
/// sold or forked gets a new home page but keeps its bundle identifier, which names the former
/// owner. Installer receipts follow, because a package can contain parts of others. Downloads can be
/// on the hosts of others, and a label can ask anyone for a version number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence(Vec<Clues>);

impl Evidence {
    pub fn read(sources: &AppSources) -> Self {
        let label = sources.label_tool.as_ref();
        let literals = label.map(|label| Literals::read(&label.raw));
        let facts = sources.cask_catalog.as_ref().map(|cask| CaskFacts::read(&cask.entry_json));
        let id = facts.as_ref().and_then(|facts| facts.bundle_id.as_deref());
        Self::of(label.zip(literals.as_ref()), facts.as_ref(), id, sources.mdm_installer.as_ref())
    }

    /// Collects the clues of an app whose sources have been read. `cask_id` is the bundle identifier
    /// of the cask.
    pub(crate) fn of(
        label: Option<(&LabelToolSource, &Literals)>,
        cask: Option<&CaskFacts>,
        cask_id: Option<&str>,
        title: Option<&MdmInstallerSource>,
    ) -> Self {
        let mut evidence = Self::default();
        if let Some((_, literals)) = label {
            let team_id = literals.text("expectedTeamID").filter(|id| TeamId::parse(id).is_ok());
            let clue = team_id.map(|id| Clue { kind: KeyKind::TeamId, value: id.to_owned() });
            evidence.add(Source::LabelTool, Strength::Own, clue);
        }
        if let Some(facts) = cask {
            let page = facts.homepage.as_deref().into_iter().flat_map(address);
            evidence.add(Source::CaskCatalog, Strength::Own, page);
            evidence.add(Source::CaskCatalog, Strength::Own, cask_id.map(bundle_id));
        }
        if let Some(title) = title {
            let id = title.bundle_id.as_deref().map(bundle_id);
            evidence.add(Source::MdmInstaller, Strength::Own, id);
        }
        if let Some((_, literals)) = label {
            let receipt = literals.text("packageID").map(bundle_id);
            evidence.add(Source::LabelTool, Strength::Own, receipt);
        }
        if let Some(facts) = cask {
            let receipts = facts.receipts.iter().map(|receipt| bundle_id(receipt));
            evidence.add(Source::CaskCatalog, Strength::Own, receipts);
        }
        if let Some((label, literals)) = label {
            let repository = label_repository(label);
            let owner =
                repository.and_then(|repository| Some(owner(repository.split('/').next()?)));
            evidence.add(Source::LabelTool, Strength::Download, owner);
            let url = literals.text("downloadURL").into_iter().flat_map(address);
            evidence.add(Source::LabelTool, Strength::Download, url);
        }
        if let Some(facts) = cask {
            let url = facts.url.as_ref().map(Uri::as_str).into_iter().flat_map(address);
            evidence.add(Source::CaskCatalog, Strength::Download, url);
        }
        if let Some((label, _)) = label {
            let hosts = hosts(label.raw.as_json());
            evidence.add(Source::LabelTool, Strength::Mention, hosts);
        }
        evidence
    }

    fn add(&mut self, source: Source, strength: Strength, clues: impl IntoIterator<Item = Clue>) {
        let all: Vec<Clue> = clues.into_iter().collect();
        if !all.is_empty() {
            self.0.push(Clues { source, strength, all });
        }
    }

    /// The same without the Team ID.
    #[must_use]
    pub fn unsigned(&self) -> Self {
        let is_signature =
            |clues: &&Clues| clues.all.iter().any(|clue| clue.kind == KeyKind::TeamId);
        Self(self.0.iter().filter(|clues| !is_signature(clues)).cloned().collect())
    }

    /// Strongest first.
    pub fn clues(&self) -> &[Clues] {
        &self.0
    }
}

fn bundle_id(id: &str) -> Clue {
    Clue { kind: KeyKind::BundleIdPrefix, value: id.to_ascii_lowercase() }
}

fn owner(login: &str) -> Clue {
    Clue { kind: KeyKind::RepositoryOwner, value: login.to_ascii_lowercase() }
}

fn host(name: &str) -> Clue {
    Clue { kind: KeyKind::Domain, value: name.to_ascii_lowercase() }
}

/// The host of a URL, and the owner of the repository that it is a page or file of.
fn address(url: &str) -> Vec<Clue> {
    let Ok(url) = Url::parse(url) else { return Vec::new() };
    let Some(name) = url.host_str() else { return Vec::new() };
    let on_github = matches!(name, "github.com" | "www.github.com" | "raw.githubusercontent.com");
    let login = match name.strip_suffix(".github.io") {
        Some(login) => Some(login),
        None if on_github => url.path_segments().and_then(|mut parts| parts.next()),
        None => None,
    };
    let login = login.filter(|login| !login.is_empty());
    std::iter::once(host(name)).chain(login.map(owner)).collect()
}

/// The hosts of all URLs in a text, each once.
fn hosts(text: &str) -> Vec<Clue> {
    let mut names: Vec<&str> = text
        .split("://")
        .skip(1)
        .map(|rest| {
            let end = rest.find(|character: char| {
                !character.is_ascii_alphanumeric() && character != '.' && character != '-'
            });
            &rest[..end.unwrap_or(rest.len())]
        })
        .filter(|name| name.contains('.'))
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(host).collect()
}
