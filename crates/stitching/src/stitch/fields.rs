//! The served fields of an app, each from the best available source.

use appstitch_text::served;
use appstitch_types::{App, FieldOrigins, FieldReasons, Source, SourceSet, TeamId};
use appstitch_versions::stated::Stated;
use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{
    Parts,
    vendors::{Attributed, Vendors},
};
use crate::{
    cask::{CaskFacts, bundle_ids::component::is_of_no_app},
    label::{
        literal::Literals,
        origin::{Download, Offer},
    },
    newest::{Newest, VersionedSources},
};

const LABEL: &str = Source::LabelTool.token();
const CASK: &str = Source::CaskCatalog.token();
const TITLE: &str = Source::MdmInstaller.token();
const LISTING: &str = Source::StoreListing.token();

/// Builds the record, the source of each field and the reasons for contested ones.
pub(super) fn app(parts: &Parts<'_>, vendors: &Vendors) -> (App, FieldOrigins, FieldReasons) {
    let literals = parts.label.as_ref().map(|(_, literals)| literals);
    let facts = parts.cask.map(|(_, facts)| facts);
    let installer = parts.title.map(|title| &title.source);
    let label = parts.label.as_ref();
    let label = label.map(|(label, literals)| (label.source.label_name.as_str(), literals));
    let sources = VersionedSources::new(label, facts, installer);
    let newest = Newest::choose(sources);
    let download = Download::of_newest(sources, newest.as_ref());
    let reasons = FieldReasons {
        current_version: newest.as_ref().and_then(Newest::reason),
        download_url: newest.as_ref().and_then(|newest| download.as_ref()?.reason(newest)),
    };
    // An older file beside the newest version would be taken for that version.
    let origin = download
        .map(|download| download.origin)
        .filter(|origin| origin.url.is_some() && origin.offer != Offer::Other);
    let from = origin.as_ref().map(|origin| origin.source);
    let from_token = from.map(|source| source.token().to_owned());

    let version = current_version(newest.as_ref());
    let date = version.as_ref().and_then(|(_, version)| release_date(parts, version));
    let bundle_id = bundle_id(parts);
    let (name_from, name) = name(parts, literals, facts);
    let vendor = vendors.of(parts);
    let method = origin.as_ref().and_then(|origin| origin.method);
    let team_id = literals
        .and_then(|literals| literals.text("expectedTeamID"))
        .and_then(|id| TeamId::parse(id).ok());
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
        download_url: from_token.clone(),
        install_method: method.and(from_token),
        expected_team_id: team_id.as_ref().map(|_| LABEL.to_owned()),
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
        install_method: method,
        expected_team_id: team_id,
        sha256,
        sources: tokens(parts),
    };
    (app, origins, reasons)
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

/// The display name: the cask's, otherwise the label's, otherwise the slug.
fn name(
    parts: &Parts<'_>,
    literals: Option<&Literals>,
    facts: Option<&CaskFacts>,
) -> (&'static str, String) {
    let of_cask = facts.and_then(|facts| Some((CASK, facts.names.first()?.clone())));
    let of_label = || literals.and_then(Literals::name).map(|name| (LABEL, name.to_owned()));
    let served =
        |(source, name): (&'static str, String)| Some((source, served::text("name", &name).ok()?));
    let of_slug = || (if literals.is_some() { LABEL } else { CASK }, parts.slug.to_string());
    of_cask.and_then(served).or_else(|| of_label().and_then(served)).unwrap_or_else(of_slug)
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
    in_store().or_else(in_titles)
}

fn day(time: &str) -> Option<Date> {
    let time: Timestamp = time.parse().ok()?;
    Some(time.to_zoned(TimeZone::UTC).date())
}

#[cfg(test)]
mod tests;
