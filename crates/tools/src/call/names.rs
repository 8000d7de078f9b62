//! What to say about the names in a call: a slug that is another name of an app, an app that is
//! deprecated, a vendor or a source that does not exist.

use appstitch_snapshot::{Filter, Snapshot};
use appstitch_types::{Deprecation, DriftRole, DriftScope, Source, search::SearchResponse};
use serde::Deserialize;

/// The most vendors or apps that are suggested.
const NEAREST: usize = 5;

/// The longest part of a given name that is repeated, in characters.
const QUOTED: usize = 100;

/// Replaces another name of an app by its slug, and says so. A slug stays as it is, and so does a name
/// of no app or of several.
pub(super) fn follow_alias(snapshot: &Snapshot, slug: &mut String) -> Option<String> {
    if snapshot.find(slug).is_ok() {
        return None;
    }
    let found = snapshot.canonical_slug(slug)?.to_owned();
    let note = format!(
        "\"{}\" is another name of the app with the slug \"{found}\"; the result is about that app.",
        quoted(slug)
    );
    *slug = found;
    Some(note)
}

/// Adds to a message about an unknown slug which apps have similar names.
pub(super) fn with_similar_apps(snapshot: &Snapshot, slug: &str, message: String) -> String {
    let found = snapshot.find_apps(slug, &Filter::default(), NEAREST, 0);
    let found = found.ok().filter(|_| snapshot.find(slug).is_err());
    let found = found.and_then(|found| serde_json::from_slice(&found.body()).ok());
    let Some(SearchResponse { items, did_you_mean, .. }) = found else { return message };
    let slugs: Vec<String> = items
        .iter()
        .map(|hit| &hit.slug)
        .chain(did_you_mean.iter().map(|app| &app.slug))
        .map(|slug| format!("\"{slug}\""))
        .collect();
    match slugs.as_slice() {
        [] => message,
        slugs => format!("{message}. Similar slugs: {}.", slugs.join(", ")),
    }
}

/// A sentence about an app that should no longer be deployed, from its details.
pub(super) fn deprecation(details: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Details {
        deprecation: Option<Deprecation>,
    }
    // The service wrote the details, so they can always be read.
    let details: Details = serde_json::from_slice(details).ok()?;
    Some(format!("{}.", details.deprecation?.sentence()))
}

/// A sentence about a vendor that no app has, with the nearest names.
pub(super) fn unknown_vendor(snapshot: &Snapshot, vendor: Option<&str>) -> Option<String> {
    let vendor = vendor?;
    let vendors = snapshot.vendors();
    if vendors.find(vendor).is_some() {
        return None;
    }
    let nearest: Vec<String> = vendors
        .nearest(vendor, NEAREST)
        .into_iter()
        .map(|entry| format!("\"{}\"", entry.name))
        .collect();
    let nearest = match nearest.as_slice() {
        [] => "List the vendors with list_categories.".to_owned(),
        nearest => format!("Similar vendors: {}.", nearest.join(", ")),
    };
    Some(format!("No app has the vendor \"{}\". {nearest}", quoted(vendor)))
}

/// A sentence about a source that does not exist, with those that do.
pub(super) fn unknown_source(source: Option<&str>) -> Option<String> {
    let source = source?;
    if Source::from_token(source).is_some() {
        return None;
    }
    let known = listed(Source::ALL.into_iter());
    Some(format!("There is no source \"{}\". The sources are {known}.", quoted(source)))
}

/// The same for a source of drift. One that exists may have no versions, or not be compared.
pub(super) fn unknown_drift_source(scope: DriftScope, source: Option<&str>) -> Option<String> {
    let Some(known) = source.and_then(Source::from_token) else {
        return unknown_source(source);
    };
    match known.describe().drift {
        DriftRole::Never => {
            Some(format!("{} states no versions, so it has no drift.", known.token()))
        }
        DriftRole::OnRequest if !scope.includes(known) => {
            Some(format!("{0} is only compared if include contains \"{0}\".", known.token()))
        }
        _ => None,
    }
}

fn listed(sources: impl Iterator<Item = Source>) -> String {
    let named = |source: Source| format!("{} ({})", source.token(), source.describe().product);
    sources.map(named).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}
