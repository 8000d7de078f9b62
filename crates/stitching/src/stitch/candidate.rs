//! Compares one cask with a label, signal by signal.

use std::collections::BTreeSet;

use appstitch_text::{fold_case, normal_name::normal};
use appstitch_types::{CaskCatalogSource, Uri};
use appstitch_versions::{Version, stated::Stated};

use super::{
    addresses::{is_shared_host, repository_of, sites},
    evidence::{Evidence, Signal},
    label_traits::{DownloadFile, LabelTraits, release_key},
    likeness::{DISTINCTIVE, compare_app_files, editions, has_number, has_words_of},
    majors::leading_number,
    similar::{AddressWords, Side, Similarity, similarity},
};
use crate::{
    cask::{CaskFacts, plain_token},
    url_version,
};

/// How many major versions a source can be behind.
const LAGGING_MAJORS: u16 = 3;

/// The minimum length of a word that makes another product.
const MIN_EDITION: usize = 4;

pub(super) struct Candidate<'a> {
    pub(super) cask: &'a CaskCatalogSource,
    pub(super) facts: &'a CaskFacts,
    pub(super) label: &'a LabelTraits,
    /// The number of casks with the label's receipt.
    pub(super) receipt_owners: usize,
    /// Whether no other cask's download is in the label's folder.
    pub(super) has_folder_alone: bool,
}

impl Candidate<'_> {
    pub(super) fn evidence(&self) -> Evidence {
        let (token, name) = (self.token(), self.name());
        // A product that changed its name also changed the name of its app.
        let is_renamed = token == Some(Signal::FormerToken);
        let app_file = self.app_file();
        let app_file = app_file.filter(|signal| !is_renamed || *signal != Signal::OtherAppFile);
        let is_named = token.is_some() || name.is_some();
        let similar = if is_named { None } else { self.similar_name() };
        let similar_name = similar.map(|found| {
            if found.letters >= DISTINCTIVE {
                Signal::SimilarName
            } else {
                Signal::ShortSimilarName
            }
        });
        Evidence::of([
            token,
            self.named_token(),
            name,
            similar_name,
            similar.filter(|found| found.has_maker).map(|_| Signal::Maker),
            similar.filter(|found| found.has_number).map(|_| Signal::SameMajor),
            app_file,
            self.bundle_id(),
            self.folder(),
            self.receipt(),
            self.repository(),
            self.download(),
            self.has_file().then_some(Signal::SameFile),
            self.is_asked_for().then_some(Signal::AskedCask),
            self.site(),
            self.variant(),
            self.facts.disabled.then_some(Signal::Disabled),
            (self.facts.is_command && self.label.is_app).then_some(Signal::NoApp),
            self.major(),
            self.edition(),
            self.other_release(),
            self.other_receipt(),
            self.channel(),
        ])
    }

    fn is_named(&self, name: &str) -> bool {
        self.label.names.contains(&normal(name))
    }

    fn token(&self) -> Option<Signal> {
        let token = normal(&self.cask.token);
        if self.label.slug == token {
            Some(Signal::SameToken)
        } else if self.label.other_names.contains(&token) {
            Some(Signal::SimilarToken)
        } else if self.label.names.contains(&token) {
            Some(Signal::NamedToken)
        } else {
            let former = self.facts.old_tokens.iter().any(|token| self.is_named(token));
            former.then_some(Signal::FormerToken)
        }
    }

    fn name(&self) -> Option<Signal> {
        let shared = self.facts.names.iter().filter(|name| self.is_named(name));
        let longest = shared.map(|name| normal(name).chars().count()).max()?;
        // `Sample Pro` is not Sample, even if the label is called `sample`.
        let written = &self.label.written;
        let is_same = |name: &String| written.iter().any(|text| normal(text) == normal(name));
        let is_longer = |name: &String| written.iter().any(|text| has_words_of(text, name));
        let is_other =
            !self.facts.names.iter().any(is_same) && self.facts.names.iter().all(is_longer);
        Some(if longest >= DISTINCTIVE && !is_other { Signal::Name } else { Signal::ShortName })
    }

    /// Another name of the label is the token, and the app is also called like that.
    fn named_token(&self) -> Option<Signal> {
        let token = normal(&self.cask.token);
        let is_written = self.label.written.iter().any(|text| normal(text) == token);
        (is_written && self.token() == Some(Signal::SimilarToken)).then_some(Signal::NamedToken)
    }

    fn app_file(&self) -> Option<Signal> {
        let file = self.label.app_file.as_deref()?;
        if compare_app_files(file, &self.facts.renamed_apps) == Some(Signal::AppFile) {
            return Some(Signal::RenamedAppFile);
        }
        // These names can be of other apps as well, so a different one means nothing.
        let other = compare_app_files(file, &self.facts.other_app_names);
        let other = other.filter(|signal| *signal != Signal::OtherAppFile);
        let signal = other.or_else(|| compare_app_files(file, &self.facts.app_names))?;
        // A label that checks a receipt can have any name, so a different name means nothing.
        let named_freely = self.label.package_id.is_some();
        (!named_freely || signal != Signal::OtherAppFile).then_some(signal)
    }

    fn receipt(&self) -> Option<Signal> {
        let id = self.label.package_id.as_ref()?;
        let alone = self.receipt_owners == 1;
        let signal = if alone { Signal::Receipt } else { Signal::SharedReceipt };
        let by_pattern = self.facts.receipt_beginnings.iter().any(|start| id.starts_with(start));
        if self.facts.receipts.contains(id) {
            Some(signal)
        } else {
            by_pattern.then_some(Signal::SharedReceipt)
        }
    }

    fn similar_name(&self) -> Option<Similarity> {
        let facts = self.facts;
        let addresses = [facts.url.as_ref().map(Uri::as_str), facts.homepage.as_deref()];
        let addresses = addresses.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let addresses = AddressWords::read(&addresses);
        let (plain, variant) = self.cask.token.split_once('@').unwrap_or((&self.cask.token, ""));
        let version = facts.version.as_deref().unwrap_or_default();
        let major = version.split('.').next().unwrap_or_default();
        let names = facts.names.iter().chain(&facts.app_names).map(String::as_str).chain([plain]);
        let pairs = names.flat_map(|name| self.label.written.iter().map(move |text| (text, name)));
        let similar = pairs.filter_map(|(text, name)| {
            similarity(
                &Side { name: text, addresses: &self.label.address_words },
                &Side { name, addresses: &addresses },
                &[major, variant],
            )
        });
        similar.max()
    }

    /// Some labels have the identifier of the app instead of a receipt.
    fn bundle_id(&self) -> Option<Signal> {
        let (id, cask_id) = (self.label.package_id.as_deref()?, self.facts.bundle_id.as_deref()?);
        let is_same = fold_case(id) == fold_case(cask_id);
        (is_same && !self.facts.receipts.iter().any(|receipt| receipt == id))
            .then_some(Signal::BundleId)
    }

    /// Whether the receipts speak against the match. Packages change their receipts, so this only
    /// counts beside a different repository.
    fn other_receipt(&self) -> Option<Signal> {
        let is_other = self.label.package_id.is_some()
            && !self.facts.receipts.is_empty()
            && self.receipt().is_none()
            && self.repository() == Some(Signal::OtherRepository);
        is_other.then_some(Signal::OtherReceipt)
    }

    /// Whether the label is for a channel that the cask does not name.
    fn channel(&self) -> Option<Signal> {
        const CHANNELS: [&str; 8] =
            ["insider", "deferred", "rollingout", "nightly", "canary", "beta", "preview", "alpha"];
        let names = self.facts.names.iter().map(|name| normal(name));
        let names: Vec<String> = names.chain([normal(&self.cask.token)]).collect();
        let is_other = CHANNELS.iter().any(|channel| {
            self.label.slug.contains(channel) && !names.iter().any(|name| name.contains(channel))
        });
        is_other.then_some(Signal::OtherChannel)
    }

    fn folder(&self) -> Option<Signal> {
        let url = self.facts.url.as_ref()?.as_str().replace("%20", " ");
        let (_, address) = url.split_once("://")?;
        let is_inside = self.label.folders.iter().any(|folder| address.starts_with(folder));
        (is_inside && self.has_folder_alone).then_some(Signal::DownloadFolder)
    }

    fn repository(&self) -> Option<Signal> {
        let (left, right) = (self.label.repository.as_ref()?, repository_of(self.facts)?);
        let owner = |repository: &str| repository.split('/').next().map(str::to_owned);
        Some(if *left == right {
            Signal::Repository
        } else if owner(left) == owner(&right) {
            Signal::Owner
        } else if self.has_moved(left, &right) {
            Signal::MovedRepository
        } else {
            Signal::OtherRepository
        })
    }

    /// Whether two repositories have the same file of the same release, and their name or the app's
    /// token is the same. Forks have releases of their own.
    fn has_moved(&self, left: &str, right: &str) -> bool {
        let name = |repository: &str| repository.split('/').nth(1).map(fold_case);
        let file = |url: &str| DownloadFile::read(url);
        let files = self
            .label
            .download
            .as_ref()
            .zip(self.facts.url.as_ref().map(Uri::as_str).and_then(file));
        self.is_same_release()
            && files.is_some_and(|(left, right)| left.is_named_like(&right))
            && (name(left) == name(right) || self.token() == Some(Signal::SameToken))
    }

    /// Whether the label downloads the cask's very file.
    pub(super) fn has_file(&self) -> bool {
        let url = self.facts.url.as_ref().map(Uri::as_str);
        url.is_some_and(|url| self.label.files.iter().any(|file| file == url))
    }

    fn is_asked_for(&self) -> bool {
        self.label.asked_cask.as_ref().is_some_and(|asked| *asked == normal(&self.cask.token))
    }

    /// Whether the cask's file of the label's version is in the folder of the label's file.
    pub(super) fn is_beside_the_labels_file(&self) -> bool {
        let version = self.label.version.as_deref();
        let key = |url: &str| release_key(url, version?);
        let of_cask = self.facts.url.as_ref().and_then(|url| key(url.as_str()));
        of_cask.is_some() && self.label.files.iter().any(|file| key(file) == of_cask)
    }

    /// Whether the label states the cask's version. A pre-release is left to its own label.
    pub(super) fn is_of_release(&self) -> bool {
        let version = self.facts.full_version.as_deref().and_then(Version::parse);
        self.is_same_release() && !version.is_some_and(|version| version.is_before_release())
    }

    fn is_same_release(&self) -> bool {
        let versions = self.label.version.as_deref().zip(self.facts.full_version.as_deref());
        versions.is_some_and(|(label, cask)| {
            let marketing = cask.split(',').next().unwrap_or(cask);
            [cask, marketing].iter().any(|cask| Stated::compare(label, cask).is_exact())
        })
    }

    /// Whether the label's own name and file have a word that the cask knows nothing of: another
    /// edition, or a companion of the app. `Sample Studio` in `SampleStudio.dmg` is not Sample.
    fn edition(&self) -> Option<Signal> {
        let is_other =
            self.is_contradicted() || self.label.names.iter().any(|name| self.is_companion(name));
        is_other.then_some(Signal::OtherEdition)
    }

    fn is_contradicted(&self) -> bool {
        let of_label = &self.label.editions;
        !of_label.is_empty() && {
            let of_cask = editions(&self.facts.names);
            !of_cask.is_empty() && !of_cask.iter().any(|edition| of_label.contains(edition))
        }
    }

    fn is_companion(&self, name: &str) -> bool {
        // Most names do not even begin like the token.
        let is_like = |token: &str| {
            token.bytes().next().is_some_and(|b| b.eq_ignore_ascii_case(&name.as_bytes()[0]))
        };
        let Some(download) = self.label.download.as_ref().filter(|_| is_like(&self.cask.token))
        else {
            return false;
        };
        let token = normal(plain_token(&self.cask.token));
        let rest = name.strip_prefix(&*token).unwrap_or_default();
        if rest.len() < MIN_EDITION
            || !rest.chars().all(char::is_alphabetic)
            || !normal(&download.path).contains(name)
        {
            return false;
        }
        let facts = self.facts;
        let known = facts.names.iter().chain(&facts.app_names).chain(&facts.other_app_names);
        let mut known = known.chain(&facts.old_tokens).map(String::as_str);
        let address = facts.url.as_ref().map(Uri::as_str);
        !known.any(|known| normal(known).contains(rest))
            && !address.is_some_and(|address| normal(address).contains(rest))
    }

    /// Whether nothing but a short name speaks for the match, and the label downloads a version from
    /// another host that is many major versions away. A source that lags is closer.
    fn other_release(&self) -> Option<Signal> {
        let (label, cask) = (self.label.version.as_deref()?, self.facts.full_version.as_deref()?);
        let majors = leading_number(label)?.abs_diff(leading_number(cask)?);
        let is_alike = || Some(Version::parse(label)?.shares_scheme(&Version::parse(cask)?));
        if majors <= LAGGING_MAJORS || is_alike() != Some(true) {
            return None;
        }
        let url = DownloadFile::read(self.facts.url.as_ref()?.as_str())?;
        let is_elsewhere = self.label.download.as_ref().is_some_and(|file| file.host != url.host)
            && self.site() != Some(Signal::Site)
            && matches!(self.repository(), None | Some(Signal::OtherRepository));
        let is_short = self.name().is_none_or(|signal| signal == Signal::ShortName);
        let is_same_app = self.app_file() == Some(Signal::AppFile);
        (is_elsewhere && is_short && !is_same_app).then_some(Signal::OtherRelease)
    }

    fn download(&self) -> Option<Signal> {
        let left = self.label.download.as_ref()?;
        let right = DownloadFile::read(self.facts.url.as_ref()?.as_str())?;
        // Where a redirect ended says which file it was, if that is called like the cask.
        let is_same_file = left.is_of(&right)
            && (!self.label.is_one_release
                || left.is(&right)
                || left.is_called(&normal(&self.cask.token)));
        // Forks have files of the same name on the same host.
        if is_same_file && self.repository() != Some(Signal::OtherRepository) {
            return Some(Signal::DownloadPath);
        }
        (left.host == right.host && !is_shared_host(&left.host)).then_some(Signal::DownloadHost)
    }

    /// Compares the sites of the label with those of the cask's download and home page.
    fn site(&self) -> Option<Signal> {
        let addresses = self.facts.url.as_ref().map(Uri::as_str).into_iter();
        let cask_sites: BTreeSet<String> =
            addresses.chain(self.facts.homepage.as_deref()).flat_map(sites).collect();
        if self.label.sites.is_empty() || cask_sites.is_empty() {
            None
        } else if self.label.sites.is_disjoint(&cask_sites) {
            // A vendor can have several sites. Only a short name needs the same one.
            (self.label.slug.len() < DISTINCTIVE).then_some(Signal::OtherSite)
        } else {
            Some(Signal::Site)
        }
    }

    fn variant(&self) -> Option<Signal> {
        let (_, variant) = self.cask.token.split_once('@')?;
        let variant = normal(variant);
        let numbered = variant.chars().all(|character| character.is_ascii_digit());
        let is_named = self.label.names.iter().any(|name| {
            if numbered { has_number(name, &variant) } else { name.contains(&variant) }
        });
        Some(if is_named { Signal::SameVariant } else { Signal::OtherVariant })
    }

    fn major(&self) -> Option<Signal> {
        let version = self.facts.version.as_deref();
        let is_other =
            self.label.majors.exclude(&self.cask.token, version) || self.counts_years().is_some();
        is_other.then_some(Signal::OtherMajor)
    }

    /// Whether the label's file is of a year and the cask's is not: one is sold for a year, the other
    /// for ever.
    fn counts_years(&self) -> Option<()> {
        let (label, cask) = (self.label.version.as_deref()?, self.facts.full_version.as_deref()?);
        let (year, number) = (leading_number(label)?, leading_number(cask)?);
        let is_fixed = |url: &str, version: &str| {
            url_version::named(url, version) == url_version::NamedVersion::This
        };
        let url = self.facts.url.as_ref()?.as_str();
        let is_file_of_year = self.label.files.iter().any(|file| {
            file.split('/').any(|folder| label.starts_with(folder) && folder.contains('.'))
        });
        ((2000..2100).contains(&year)
            && number < 100
            && number != year - 2000
            && !cask.contains(&year.to_string())
            && is_file_of_year
            && is_fixed(url, cask))
        .then_some(())
    }
}
