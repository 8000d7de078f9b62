//! Cross-source version drift: which sources disagree on an app's newest version.

use std::cmp::Ordering;

use appstitch_text::served;
use appstitch_types::{App, AppSources, DriftEntry, LabelToolSource, Source, SourceVersion};
use appstitch_versions::{Version, stated::Stated};
use serde_json::{Map, Value};

use crate::label::literal::Literals;

/// The host of the service that states the casks' versions.
const CASK_SERVICE: &str = "formulae.brew.sh";

/// The versions stated by an app's sources: label, cask, title, listing. `label` and `cask_entry` are
/// the parsed payloads.
pub(crate) fn stated_versions(
    sources: &AppSources,
    label: Option<&Literals>,
    cask_entry: &Map<String, Value>,
) -> Vec<SourceVersion> {
    let label = label.and_then(Literals::version).map(str::to_owned);
    let title = sources.mdm_installer.as_ref().and_then(|title| title.version.clone());
    let listing = sources.store_listing.as_ref().map(|listing| listing.raw.read_keys(is_version));
    [
        (Source::LabelTool, label),
        (Source::CaskCatalog, text(cask_entry.get("version"))),
        (Source::MdmInstaller, title),
        (Source::StoreListing, listing.and_then(|listing| text(listing.get("version")))),
    ]
    .into_iter()
    .filter_map(|(source, version)| {
        // A literal version, not a shell expression or a placeholder.
        let version = version.filter(|text| served::check_value("version", text).is_ok())?;
        Some(SourceVersion {
            source: source.token().to_owned(),
            parsed_ok: Version::parse(&version).is_some(),
            version,
        })
    })
    .collect()
}

/// The versions that are compared: those of [`stated_versions`] without a label that asks
/// [`CASK_SERVICE`] for its version. Such a label repeats the cask, and lags only by chance.
pub(crate) fn compared_versions(
    sources: &AppSources,
    cask_entry: &Map<String, Value>,
) -> Vec<SourceVersion> {
    let mut versions = stated_versions(sources, literals(sources).as_ref(), cask_entry);
    let asks = |label: &LabelToolSource| label.raw.as_json().contains(CASK_SERVICE);
    let repeats = sources.cask_catalog.is_some() && sources.label_tool.as_ref().is_some_and(asks);
    versions.retain(|stated| !repeats || stated.source != Source::LabelTool.token());
    versions
}

pub fn source_versions(sources: &AppSources) -> Vec<SourceVersion> {
    let cask = sources.cask_catalog.as_ref();
    let entry = cask.map(|cask| cask.entry_json.read_keys(is_version)).unwrap_or_default();
    stated_versions(sources, literals(sources).as_ref(), &entry)
}

fn literals(sources: &AppSources) -> Option<Literals> {
    sources.label_tool.as_ref().map(|label| Literals::read(&label.raw))
}

fn is_version(key: &str) -> bool {
    key == "version"
}

fn text(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(str::to_owned)
}

/// The app's drift, if at least two of its sources state different versions.
pub fn find_drift<'a>(
    app: &App,
    versions: impl IntoIterator<Item = &'a SourceVersion>,
) -> Option<DriftEntry> {
    let versions: Vec<&SourceVersion> = versions.into_iter().collect();
    let order = Order::of(&versions)?;
    let (leader, laggard) = match order {
        Order::Known { leader, laggard } => (Some(leader), Some(laggard)),
        Order::Unknown => (None, None),
    };
    let source = |position: usize| versions[position].source.clone();
    Some(DriftEntry {
        slug: app.slug.to_string(),
        name: app.name.clone(),
        vendor: app.vendor.clone(),
        leader: leader.map(source),
        laggard: laggard.map(source),
        versions: versions.into_iter().cloned().collect(),
    })
}

enum Order {
    /// The positions of the highest and the lowest version. Of equal ones the first counts.
    Known {
        leader: usize,
        laggard: usize,
    },
    Unknown,
}

impl Order {
    /// `None` if all versions are the same.
    fn of(versions: &[&SourceVersion]) -> Option<Self> {
        let compare = |left: usize, right: usize| {
            Stated::compare(&versions[left].version, &versions[right].version)
        };
        let (mut leader, mut laggard) = (0, 0);
        let (mut differ, mut ordered) = (false, versions.iter().all(|stated| stated.parsed_ok));
        for (right, left) in
            (1..versions.len()).flat_map(|right| (0..right).map(move |left| (right, left)))
        {
            if let Stated::Different(order) = compare(left, right) {
                differ = true;
                ordered &= order.is_some();
            }
        }
        for position in 1..versions.len() {
            if matches!(compare(leader, position), Stated::Different(Some(Ordering::Less))) {
                leader = position;
            }
            if matches!(compare(laggard, position), Stated::Different(Some(Ordering::Greater))) {
                laggard = position;
            }
        }
        differ.then_some(if ordered { Self::Known { leader, laggard } } else { Self::Unknown })
    }
}

#[cfg(test)]
mod tests;
