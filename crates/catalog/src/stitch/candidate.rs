//! Compares one cask with a label, signal by signal.

use std::collections::BTreeSet;

use super::{
    addresses::{is_shared_host, repository_of, sites},
    evidence::{Evidence, Signal},
    likeness::{DISTINCTIVE, compare_app_files, has_number, is_other_major},
    names::normal,
    wanted::{Download, Wanted},
};
use crate::{CaskCatalogSource, Uri, cask::CaskFacts};

/// A cask that may match the label.
pub(super) struct Candidate<'a> {
    pub(super) cask: &'a CaskCatalogSource,
    pub(super) facts: &'a CaskFacts,
    pub(super) wanted: &'a Wanted,
    /// The number of casks with the label's receipt.
    pub(super) receipt_owners: usize,
}

impl Candidate<'_> {
    /// The evidence for and against the match.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence::of([
            self.token(),
            self.name(),
            self.app_file(),
            self.receipt(),
            self.repository(),
            self.download(),
            self.site(),
            self.variant(),
            self.facts.disabled.then_some(Signal::Disabled),
            (self.facts.is_command && self.wanted.is_app).then_some(Signal::NoApp),
            self.major(),
        ])
    }

    fn is_named(&self, name: &str) -> bool {
        self.wanted.names.contains(&normal(name))
    }

    fn token(&self) -> Option<Signal> {
        let token = normal(&self.cask.token);
        if self.wanted.slug == token {
            Some(Signal::SameToken)
        } else if self.wanted.other_names.contains(&token) {
            Some(Signal::SimilarToken)
        } else if self.wanted.names.contains(&token) {
            Some(Signal::NamedToken)
        } else {
            let former = self.facts.old_tokens.iter().any(|token| self.is_named(token));
            former.then_some(Signal::FormerToken)
        }
    }

    fn name(&self) -> Option<Signal> {
        let shared = self.facts.names.iter().filter(|name| self.is_named(name));
        let longest = shared.map(|name| normal(name).chars().count()).max()?;
        Some(if longest >= DISTINCTIVE { Signal::Name } else { Signal::ShortName })
    }

    fn app_file(&self) -> Option<Signal> {
        let signal = compare_app_files(self.wanted.app_file.as_deref()?, &self.facts.app_names)?;
        // A label that checks a receipt can have any name, so a different name means nothing.
        let named_freely = self.wanted.package_id.is_some();
        (!named_freely || signal != Signal::OtherAppFile).then_some(signal)
    }

    fn receipt(&self) -> Option<Signal> {
        let id = self.wanted.package_id.as_ref()?;
        let alone = self.receipt_owners == 1;
        let signal = if alone { Signal::Receipt } else { Signal::SharedReceipt };
        self.facts.receipts.contains(id).then_some(signal)
    }

    fn repository(&self) -> Option<Signal> {
        let (left, right) = (self.wanted.repository.as_ref()?, repository_of(self.facts)?);
        let owner = |repository: &str| repository.split('/').next().map(str::to_owned);
        Some(if *left == right {
            Signal::Repository
        } else if owner(left) == owner(&right) {
            Signal::Owner
        } else {
            Signal::OtherRepository
        })
    }

    fn download(&self) -> Option<Signal> {
        let left = self.wanted.download.as_ref()?;
        let right = Download::read(self.facts.url.as_ref()?.as_str())?;
        if *left == right && !left.file.is_empty() {
            return Some(Signal::DownloadPath);
        }
        (left.host == right.host && !is_shared_host(&left.host)).then_some(Signal::DownloadHost)
    }

    /// Compares the sites of the label with those of the cask's download and home page.
    fn site(&self) -> Option<Signal> {
        let addresses = self.facts.url.as_ref().map(Uri::as_str).into_iter();
        let own: BTreeSet<String> =
            addresses.chain(self.facts.homepage.as_deref()).flat_map(sites).collect();
        if self.wanted.sites.is_empty() || own.is_empty() {
            None
        } else if self.wanted.sites.is_disjoint(&own) {
            // A vendor can have several sites. Only a short name needs the same one.
            (self.wanted.slug.len() < DISTINCTIVE).then_some(Signal::OtherSite)
        } else {
            Some(Signal::Site)
        }
    }

    fn variant(&self) -> Option<Signal> {
        let (_, variant) = self.cask.token.split_once('@')?;
        let variant = normal(variant);
        let numbered = variant.chars().all(|character| character.is_ascii_digit());
        let asked = self.wanted.names.iter().any(|name| {
            if numbered { has_number(name, &variant) } else { name.contains(&variant) }
        });
        Some(if asked { Signal::Asked } else { Signal::Unasked })
    }

    fn major(&self) -> Option<Signal> {
        let token = normal(&self.cask.token);
        is_other_major(&self.wanted.slug, &token, self.facts.version.as_deref())
            .then_some(Signal::OtherMajor)
    }
}
