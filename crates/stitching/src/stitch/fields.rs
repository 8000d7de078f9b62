//! The served fields of an app, each from the best available source.

use appstitch_text::served;
use appstitch_types::{App, FieldOrigins, FieldReasons, SeenVersion, Source, SourceSet, TeamId};
use appstitch_versions::stated::Stated;
use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};

use super::{Parts, display_name::display_name, vendors::Attributed};
use crate::{
    cask::bundle_ids::component::is_of_no_app,
    label::origin::{Download, Offer, labels_type},
    newest::{Newest, VersionedSources},
    url_version::{self, NamedVersion},
};

const LABEL: &str = Source::LabelTool.token();
const CASK: &str = Source::CaskCatalog.token();
const TITLE: &str = Source::MdmInstaller.token();
const LISTING: &str = Source::StoreListing.token();

/// The values that also depend on the other apps.
pub(super) struct Attributes {
    pub(super) vendor: Attributed<String>,
    pub(super) bundle_id: Attributed<String>,
    pub(super) team_id: Attributed<TeamId>,
}

/// Builds the record, the source of each field and the reasons for contested ones.
pub(super) fn app(parts: &Parts<'_>, values: Attributes) -> (App, FieldOrigins, FieldReasons) {
    let literals = parts.label.as_ref().map(|(_, literals)| literals);
    let localized = parts.cask_in_language();
    let facts = localized.as_ref().or(parts.cask.map(|(_, facts)| facts));
    let installer = parts.title.map(|title| &title.source);
    let label = parts.label.as_ref();
    let label = label.map(|(label, literals)| (label.source.label_name.as_str(), literals));
    let sources = VersionedSources::new(label, facts, installer);
    let Release { newest, download, reasons } = Release::choose(sources);
    // An older file beside the newest version would be taken for that version.
    let origin = download.filter(Download::gives_newest).map(|download| download.origin);
    let from = origin.as_ref().map(|origin| origin.source);
    let from_token = from.map(|source| source.token().to_owned());

    let version = current_version(newest.as_ref());
    let date = version.as_ref().and_then(|(_, version)| release_date(parts, version));
    let served_version = version.as_ref().map(|(_, version)| version.as_str());
    let (name_from, name) = display_name(parts, served_version);
    let Attributes { vendor, bundle_id, team_id } = values;
    let method = match &origin {
        Some(origin) => origin.method.map(|method| (origin.source.token(), method)),
        None => literals.and_then(labels_type).map(|method| (LABEL, method)),
    };
    // The hash belongs to the cask's file, so it is only valid with the cask's URL, and only while
    // that URL gives the cask's version.
    let is_casks_file = origin.as_ref().is_some_and(|origin| {
        origin.source == Source::CaskCatalog && origin.offer == Offer::Newest
    });
    let sha256 = facts.filter(|_| is_casks_file).and_then(|facts| facts.sha256.clone());

    let origins = FieldOrigins {
        bundle_id: source_of(bundle_id.as_ref()),
        name: Some(name_from.to_owned()),
        vendor: source_of(vendor.as_ref()),
        current_version: source_of(version.as_ref()),
        latest_release_date: source_of(date.as_ref()),
        download_url: from_token,
        install_method: source_of(method.as_ref()),
        expected_team_id: source_of(team_id.as_ref()),
        sha256: sha256.as_ref().map(|_| CASK.to_owned()),
    };
    let app = App {
        slug: parts.slug.clone(),
        bundle_id: value(bundle_id),
        name,
        vendor: value(vendor),
        current_version: value(version),
        latest_release_date: value(date),
        download_url: origin.and_then(|origin| origin.url),
        install_method: value(method),
        expected_team_id: value(team_id),
        sha256,
        sources: tokens(parts),
    };
    (app, origins, reasons)
}

/// How many days after its release a label may find a version.
const LATE: i64 = 4;

/// The release that a record offers.
struct Release<'a> {
    newest: Option<Newest<'a>>,
    download: Option<Download>,
    reasons: FieldReasons,
}

impl<'a> Release<'a> {
    /// The newest release. If no source has its file, the newest one of the other sources that has a
    /// file: a version that cannot be had helps nobody.
    fn choose(sources: VersionedSources<'a>) -> Self {
        let newest = Self::newest(sources);
        let mut others = sources;
        let mut unavailable: Vec<String> = Vec::new();
        let mut without_file = newest.newest.as_ref();
        let mut older;
        while let Some(missed) = without_file.filter(|_| !newest.has_file()) {
            let product = missed.chosen.source.describe().product;
            unavailable.push(format!("{product} states {}", missed.full()));
            others = others.without(missed.chosen.source);
            if others.cask.is_some_and(|cask| cask.disabled) {
                others = others.without(Source::CaskCatalog);
            }
            older = Self::newest(others);
            if older.has_file() {
                let reason = older.reasons.current_version.take();
                let known = format!(
                    "{}, which is newer, but no installable download of it is known",
                    unavailable.join(", ")
                );
                older.reasons.current_version =
                    Some(reason.into_iter().chain([known]).collect::<Vec<_>>().join("; "));
                return older;
            }
            without_file = older.newest.as_ref();
        }
        newest
    }

    fn newest(sources: VersionedSources<'a>) -> Self {
        let newest = Newest::choose(sources);
        let download = Download::of_newest(sources, newest.as_ref());
        let reasons = FieldReasons {
            current_version: newest.as_ref().and_then(Newest::reason),
            download_url: newest.as_ref().and_then(|newest| download.as_ref()?.reason(newest)),
        };
        Self { newest, download, reasons }
    }

    fn has_file(&self) -> bool {
        self.download.as_ref().is_some_and(Download::gives_newest)
    }
}

fn source_of<T>(attributed: Option<&(&'static str, T)>) -> Option<String> {
    attributed.map(|(source, _)| (*source).to_owned())
}

fn value<T>(attributed: Attributed<T>) -> Option<T> {
    attributed.map(|(_, value)| value)
}

/// Every part has evidence, and nothing else has.
fn tokens(parts: &Parts<'_>) -> SourceSet {
    let sources = parts.evidence.iter().map(|(source, _)| *source);
    sources.filter(|source| source.describe().is_listed).collect()
}

/// The newest version without a leading `v`: `v1.2` is served as `1.2`.
fn current_version(newest: Option<&Newest<'_>>) -> Attributed<String> {
    let chosen = newest?.chosen;
    let digits = chosen
        .version
        .strip_prefix(['v', 'V'])
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    Some((chosen.source.token(), digits.unwrap_or(chosen.version).to_owned()))
}

/// The cask's identifier, otherwise the title's. Titles are maintained manually, so the title's is
/// preferred to one that the cask gives little evidence for.
pub(super) fn bundle_id(parts: &Parts<'_>) -> Attributed<String> {
    let facts = parts.cask.map(|(_, facts)| facts);
    let of_cask = || facts.and_then(|facts| Some((CASK, facts.bundle_id.clone()?)));
    let firm = facts.and_then(|facts| Some((CASK, facts.firm_bundle_id()?.to_owned())));
    let of_title = || {
        let title = parts.title?;
        let id = title.source.bundle_id.clone().filter(|id| !is_of_no_app(id))?;
        let is_apples = title.publisher.as_deref().is_some_and(|name| name.contains("Apple"));
        (is_apples || !id.starts_with("com.apple.")).then_some((TITLE, id))
    };
    let found = firm.or_else(of_title).or_else(of_cask);
    found.filter(|(_, id)| served::check_value("bundle_id", id).is_ok())
}

/// Only if it is for this version.
fn release_date(parts: &Parts<'_>, version: &str) -> Attributed<Date> {
    let same = |other: &str| Stated::compare(version, other).is_exact();
    let in_store = || {
        let raw = parts.listing?.raw.read();
        let date = day(raw.get("currentVersionReleaseDate")?.as_str()?)?;
        same(raw.get("version")?.as_str()?).then_some((LISTING, date))
    };
    let in_titles = || {
        let title = parts.title?;
        let date = day(title.available.as_deref()?)?;
        same(title.source.version.as_deref()?).then_some((TITLE, date))
    };
    // What the label already had before cannot have been released later.
    let is_after_label = |(_, date): &(&'static str, Date)| {
        let seen = || {
            let (label, literals) = parts.label.as_ref()?;
            let found_at = label.found.version?.found_at?.to_zoned(TimeZone::UTC).date();
            let is_file_of = |url| url_version::named(url, version) == NamedVersion::This;
            let had = literals.version().is_some_and(&same)
                || literals.recorded_address().is_some_and(is_file_of);
            had.then_some(found_at)
        };
        seen().is_some_and(|seen| *date > seen)
    };
    // While an older version was still new, this one was not out.
    let is_before_older = |(_, date): &(&'static str, Date)| {
        let is_older = |seen: &SeenVersion| Stated::compare(&seen.version, version).is_older();
        let mut later =
            parts.seen.iter().filter(|seen| seen.at.to_zoned(TimeZone::UTC).date() > *date);
        later.any(is_older)
    };
    // The tracker looked on that day or earlier, and for days afterwards, and did not find this version.
    let recorded = parts.label.as_ref().and_then(|(_, literals)| literals.recorded_address());
    let is_seen_late = |(_, date): &(&'static str, Date)| {
        let found = parts.seen.iter().filter(|seen| same(&seen.version)).map(|seen| seen.at).min();
        // If the address never changes, the tracker replaces its finding. If it names the version, this is
        // the first one.
        let replaces =
            || !recorded.is_some_and(|url| url_version::named(url, version) == NamedVersion::This);
        let looked = parts.tracked_since.filter(|_| parts.seen.len() == 1 && replaces());
        let looked = looked.or_else(|| parts.seen.iter().map(|seen| seen.at).min());
        let [Some(found), Some(looked)] =
            [found, looked].map(|time| Some(time?.to_zoned(TimeZone::UTC).date()))
        else {
            return false;
        };
        looked <= *date && date.saturating_add(LATE.days()) < found
    };
    let is_wrong = |dated: &(&'static str, Date)| {
        is_after_label(dated) || is_before_older(dated) || is_seen_late(dated)
    };
    in_store().or_else(in_titles).filter(|dated| !is_wrong(dated))
}

fn day(time: &str) -> Option<Date> {
    let time: Timestamp = time.parse().ok()?;
    Some(time.to_zoned(TimeZone::UTC).date())
}

#[cfg(test)]
mod tests;
