//! The served fields of an app, each from the source that supports it best.

use std::cmp::Ordering;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{Parts, vendors::Vendors};
use crate::{
    App, Source, SourceSet, TeamId, Version,
    cask::CaskFacts,
    label::{literal::Literals, origin::Origin},
    served,
};

/// Puts the record together.
pub(super) fn app(parts: &Parts<'_>, vendors: &Vendors) -> App {
    let literals = parts.label.as_ref().map(|(_, literals)| literals);
    let facts = parts.cask.map(|(_, facts)| facts);
    let installer = parts.title.map(|title| &title.source);
    let origin = Origin::choose(literals, facts, installer);
    let current_version = current_version(parts, literals, facts);
    // A hash is of one file: the one the cask names.
    let sha256 = match &origin {
        Some(Origin { source: Source::CaskCatalog, url: Some(_), .. }) => {
            facts.and_then(|facts| facts.sha256.clone())
        }
        _ => None,
    };
    App {
        slug: parts.slug.clone(),
        bundle_id: bundle_id(parts, facts),
        name: name(parts, literals, facts),
        vendor: vendors.of(parts),
        latest_release_date: current_version
            .as_deref()
            .and_then(|version| release_date(parts, version)),
        current_version,
        install_method: origin
            .as_ref()
            .filter(|origin| origin.url.is_some())
            .and_then(|origin| origin.method),
        download_url: origin.and_then(|origin| origin.url),
        expected_team_id: literals
            .and_then(|literals| literals.text("expectedTeamID"))
            .and_then(|id| TeamId::parse(id).ok()),
        sha256,
        sources: [
            parts.label.as_ref().map(|_| Source::LabelTool),
            parts.cask.map(|_| Source::CaskCatalog),
            parts.recipes.as_ref().map(|_| Source::RecipeIndex),
            parts.title.map(|_| Source::MdmInstaller),
        ]
        .into_iter()
        .flatten()
        .collect::<SourceSet>(),
    }
}

/// The label's version, then the cask's, then the title's.
fn current_version(
    parts: &Parts<'_>,
    literals: Option<&Literals>,
    facts: Option<&CaskFacts>,
) -> Option<String> {
    let of_label = literals.and_then(Literals::version);
    let of_cask = || facts.and_then(|facts| facts.version.as_deref());
    let of_title = || parts.title.and_then(|title| title.source.version.as_deref());
    let version = of_label.or_else(of_cask).or_else(of_title)?;
    served::check_value("current_version", version).is_ok().then(|| version.to_owned())
}

fn bundle_id(parts: &Parts<'_>, facts: Option<&CaskFacts>) -> Option<String> {
    let of_cask = facts.and_then(|facts| facts.bundle_id.clone());
    let of_title = || parts.title.and_then(|title| title.source.bundle_id.clone());
    of_cask.or_else(of_title).filter(|id| served::check_value("bundle_id", id).is_ok())
}

/// The name people know: the cask's, then the label's, then the slug.
fn name(parts: &Parts<'_>, literals: Option<&Literals>, facts: Option<&CaskFacts>) -> String {
    let of_cask = facts.and_then(|facts| facts.names.first().cloned());
    let of_label = || literals.and_then(Literals::name).map(str::to_owned);
    let is_served = |name: &String| served::check_text("name", name).is_ok();
    of_cask
        .filter(is_served)
        .or_else(|| of_label().filter(is_served))
        .unwrap_or_else(|| parts.slug.to_string())
}

/// The day of release, where the store or the titles tell it about this very version.
fn release_date(parts: &Parts<'_>, version: &str) -> Option<Date> {
    let same = |other: &str| match (Version::parse(version), Version::parse(other)) {
        (Some(left), Some(right)) => left.compare_stated(&right) == Ordering::Equal,
        _ => version == other,
    };
    let in_store = || {
        let raw = parts.listing?.raw.read();
        let stated = raw.get("version")?.as_str()?;
        same(stated).then(|| day(raw.get("currentVersionReleaseDate")?.as_str()?)).flatten()
    };
    let in_titles = || {
        let title = parts.title?;
        same(title.source.version.as_deref()?).then(|| day(title.available.as_deref()?)).flatten()
    };
    in_store().or_else(in_titles)
}

fn day(time: &str) -> Option<Date> {
    let time: Timestamp = time.parse().ok()?;
    Some(time.to_zoned(TimeZone::UTC).date())
}
