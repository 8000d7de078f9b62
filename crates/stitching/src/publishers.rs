//! The directory of publishers: who makes an app, by the keys in its sources.
//!
//! Upstreams rarely name the maker of an app, but they contain keys that belong to one maker: the
//! Team ID it signs with, its web site, the prefix of its bundle identifiers, the owner of its
//! source repository. `publishers.jsonl` lists the keys of each publisher, [`Evidence`] collects the
//! keys of an app, and [`Directory::find`] compares them. Hosts and prefixes that many publishers
//! share never identify one (see `shared_keys`).

mod directory;
mod evidence;
pub(crate) mod names;
mod signer;

use std::sync::LazyLock;

use serde::Deserialize;

pub use directory::{Broken, Directory};
pub use evidence::{Clue, Clues, Evidence, Strength};

use crate::shared_keys::{is_shared_host, is_shared_prefix};
use appstitch_types::TeamId;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publisher {
    /// The usual short name, without a legal form: "Example", not "Example Inc.".
    pub name: String,
    #[serde(default)]
    pub team_ids: Vec<TeamId>,
    /// Its web sites. A key also covers the hosts below it.
    #[serde(default)]
    pub domains: Vec<String>,
    /// The prefixes of its bundle identifiers, in whole parts and in lowercase.
    #[serde(default)]
    pub bundle_id_prefixes: Vec<String>,
    /// The owners of its repositories on GitHub, in lowercase.
    #[serde(default)]
    pub repository_owners: Vec<String>,
    /// Whether it also signs apps that others publish under their own name: its Team ID does not tell
    /// who publishes an app.
    #[serde(default)]
    pub signs_for_others: bool,
    /// Why the entry has keys that occur in no upstream file, if it does.
    #[serde(default)]
    pub unused: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyKind {
    TeamId,
    BundleIdPrefix,
    Domain,
    RepositoryOwner,
}

pub fn is_shared(kind: KeyKind, key: &str) -> bool {
    match kind {
        KeyKind::TeamId | KeyKind::RepositoryOwner => false,
        KeyKind::Domain => is_shared_host(key),
        KeyKind::BundleIdPrefix => is_shared_prefix(key),
    }
}

impl KeyKind {
    /// Every kind, strongest first.
    pub const ALL: [Self; 4] =
        [Self::TeamId, Self::BundleIdPrefix, Self::Domain, Self::RepositoryOwner];

    pub const fn list(self) -> &'static str {
        match self {
            Self::TeamId => "team_ids",
            Self::BundleIdPrefix => "bundle_id_prefixes",
            Self::Domain => "domains",
            Self::RepositoryOwner => "repository_owners",
        }
    }
}

impl Publisher {
    pub fn keys(&self) -> impl Iterator<Item = (KeyKind, &str)> {
        let lists = [
            (KeyKind::BundleIdPrefix, &self.bundle_id_prefixes),
            (KeyKind::Domain, &self.domains),
            (KeyKind::RepositoryOwner, &self.repository_owners),
        ];
        let team_ids = self.team_ids.iter().map(|id| (KeyKind::TeamId, id.as_str()));
        let texts = lists
            .into_iter()
            .flat_map(|(kind, keys)| keys.iter().map(move |key| (kind, key.as_str())));
        team_ids.chain(texts)
    }
}

const DATA: &str = include_str!("publishers/publishers.jsonl");

/// The directory of all known publishers. If the data file were broken, it would be empty: a test
/// rejects such a file, and a missing vendor is better than a service that does not start.
pub fn directory() -> &'static Directory {
    static DIRECTORY: LazyLock<Directory> =
        LazyLock::new(|| Directory::parse(DATA).unwrap_or_default());
    &DIRECTORY
}

#[cfg(test)]
mod tests;
