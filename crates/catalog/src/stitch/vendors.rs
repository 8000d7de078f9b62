//! The vendor of an app. It always comes from a source and is never guessed from the name.

use std::collections::{BTreeMap, HashMap};

use url::Url;

use super::{
    Parts,
    addresses::repository,
    attributed::{Attributed, LISTING},
    names::normal,
};
use crate::{Documents, Source, cask::CaskFacts, served};

/// The names of known organizations, by the word used for them in URLs and identifiers.
pub(super) struct Vendors(HashMap<String, String>);

impl Vendors {
    /// Collects the most common spelling of each publisher in the titles: `google` is Google.
    pub(super) fn learn(documents: &Documents) -> Self {
        let mut spellings: HashMap<String, BTreeMap<&str, usize>> = HashMap::new();
        let published = documents.titles.iter().filter_map(|title| title.publisher.as_deref());
        for name in published.filter(|name| is_served(name)) {
            *spellings.entry(normal(name)).or_default().entry(name).or_default() += 1;
        }
        let most_used = |names: BTreeMap<&str, usize>| {
            names
                .into_iter()
                .max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)))
                .map(|(name, _)| name.to_owned())
        };
        Self(
            spellings
                .into_iter()
                .filter_map(|(word, names)| Some((word, most_used(names)?)))
                .collect(),
        )
    }

    /// The vendor of an app, in order of preference: the publisher of its title, the seller in the
    /// store, a known organization in its bundle identifier or home page, the owner of its
    /// repository.
    pub(super) fn of(&self, parts: &Parts<'_>) -> Attributed<String> {
        let facts = parts.cask.map(|(_, facts)| facts);
        let publisher = parts.title.and_then(|title| title.publisher.clone());
        let seller = || {
            let raw = parts.listing?.raw.read();
            raw.get("sellerName").or_else(|| raw.get("artistName"))?.as_str().map(str::to_owned)
        };
        let told = |source: &'static str, name: Option<String>| {
            name.filter(|name| is_served(name)).map(|name| (source, name))
        };
        told(Source::MdmInstaller.token(), publisher).or_else(|| told(LISTING, seller())).or_else(
            || told(Source::CaskCatalog.token(), facts.and_then(|facts| self.of_cask(facts))),
        )
    }

    fn of_cask(&self, facts: &CaskFacts) -> Option<String> {
        let by_bundle_id = || {
            let organisation = facts.bundle_id.as_deref()?.split('.').nth(1)?;
            let tells = !matches!(organisation, "github" | "gitlab" | "sourceforge" | "electron");
            self.0.get(&normal(organisation)).filter(|_| tells).cloned()
        };
        let by_homepage = || self.0.get(&organisation(facts.homepage.as_deref()?)?).cloned();
        let by_repository = || {
            let url = facts.url.as_ref()?.as_str();
            repository(url)?;
            let (_, rest) = url.split_once("://github.com/")?;
            rest.split('/').next().map(str::to_owned)
        };
        by_bundle_id().or_else(by_homepage).or_else(by_repository)
    }
}

/// Hosts for pages of many vendors; a home page there does not identify the vendor.
const HOSTS_OF_OTHERS: [&str; 10] = [
    "github.com",
    "github.io",
    "gitlab.com",
    "gitlab.io",
    "bitbucket.org",
    "codeberg.org",
    "sourceforge.net",
    "sourceforge.io",
    "apps.apple.com",
    "archive.org",
];

fn is_served(name: &str) -> bool {
    served::check_text("vendor", name).is_ok()
}

/// The word before the public suffix of a host: `example` for `www.example.co.uk`.
fn organisation(url: &str) -> Option<String> {
    let host = Url::parse(url).ok()?.host_str()?.to_owned();
    if HOSTS_OF_OTHERS.iter().any(|other| host == *other || host.ends_with(&format!(".{other}"))) {
        return None;
    }
    let mut labels: Vec<&str> = host.split('.').collect();
    let is_country = labels.pop()?.len() == 2;
    // Suffixes such as .co.uk have a short word before the country.
    if is_country && labels.len() > 1 && labels.last().is_some_and(|label| label.len() <= 3) {
        labels.pop();
    }
    labels.last().map(|label| normal(label))
}
