//! Cross-source version drift: which sources disagree on an app's newest version.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    App, AppSources, LabelToolSource, Source, StoreListingSource, Version,
    label::literal::Literals, served, version::stated::Stated,
};

/// The newest version according to one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceVersion {
    /// The source's token.
    pub source: String,
    /// The version as the source writes it.
    pub version: String,
    /// Whether the version could be parsed; only parsed versions can be ordered.
    pub parsed_ok: bool,
}

/// One app whose sources disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DriftEntry {
    /// The app's slug.
    pub slug: String,
    /// The app's name.
    pub name: String,
    /// The app's vendor.
    pub vendor: Option<String>,
    /// The version of each versioned source; always complete.
    pub versions: Vec<SourceVersion>,
    /// The source with the highest version; null if a version could not be parsed.
    pub leader: Option<String>,
    /// The source with the lowest version; null if a version could not be parsed.
    pub laggard: Option<String>,
}

/// A page of the catalog's drift.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DriftResponse {
    /// Apps with at least two versioned sources.
    pub total_scanned: u64,
    /// Unpaged count of disagreements that match the request's filters.
    pub total_with_drift: u64,
    /// The requested page.
    pub entries: Vec<DriftEntry>,
}

/// The sources whose versions are compared. The label and the cask always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DriftScope {
    /// Whether installer titles are compared, too.
    pub titles: bool,
    /// Whether store listings are compared, too.
    pub listings: bool,
}

/// Store listings have a name, but are not a source token.
const LISTING: &str = StoreListingSource::NAME;

/// The host of the service that tells the casks' versions.
const CASK_SERVICE: &str = "formulae.brew.sh";

impl DriftScope {
    /// Every scope; the first is the default.
    pub const ALL: [Self; 4] = [
        Self { titles: false, listings: false },
        Self { titles: true, listings: false },
        Self { titles: false, listings: true },
        Self { titles: true, listings: true },
    ];

    /// The position of the scope in [`Self::ALL`].
    #[must_use]
    pub const fn number(self) -> usize {
        self.titles as usize + 2 * self.listings as usize
    }

    /// The scope with the sources of a list such as `mdm_installer,store_listing`. Fails with the
    /// first name that is not a source with versions.
    pub fn read(list: &str) -> Result<Self, &str> {
        let mut scope = Self::default();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                "label_tool" | "cask_catalog" => {}
                "mdm_installer" => scope.titles = true,
                LISTING => scope.listings = true,
                unknown => return Err(unknown),
            }
        }
        Ok(scope)
    }

    /// The names of the sources that are compared on request, in the order of their versions: what
    /// [`Self::read`] takes.
    pub fn further(self) -> impl Iterator<Item = &'static str> {
        let further = [(Source::MdmInstaller.token(), self.titles), (LISTING, self.listings)];
        further.into_iter().filter_map(|(name, compared)| compared.then_some(name))
    }

    /// The versions that are compared.
    pub fn of(self, versions: &[SourceVersion]) -> impl Iterator<Item = &SourceVersion> {
        versions.iter().filter(move |stated| match stated.source.as_str() {
            "mdm_installer" => self.titles,
            LISTING => self.listings,
            _ => true,
        })
    }
}

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
        (Source::LabelTool.token(), label),
        (Source::CaskCatalog.token(), text(cask_entry.get("version"))),
        (Source::MdmInstaller.token(), title),
        (LISTING, listing.and_then(|listing| text(listing.get("version")))),
    ]
    .into_iter()
    .filter_map(|(source, version)| {
        // A literal version, not a shell expression or a placeholder.
        let version = version.filter(|text| served::check_value("version", text).is_ok())?;
        Some(SourceVersion {
            source: source.to_owned(),
            parsed_ok: Version::parse(&version).is_some(),
            version,
        })
    })
    .collect()
}

/// The versions that are compared: those of [`stated_versions`] without a label that asks the casks'
/// own service for its version. Such a label repeats the cask, and lags only by chance.
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

/// The versions stated by an app's sources, in the order label, cask, title, listing.
#[must_use]
pub fn source_versions(sources: &AppSources) -> Vec<SourceVersion> {
    let cask = sources.cask_catalog.as_ref();
    let entry = cask.map(|cask| cask.entry_json.read_keys(is_version)).unwrap_or_default();
    stated_versions(sources, literals(sources).as_ref(), &entry)
}

fn literals(sources: &AppSources) -> Option<Literals> {
    sources.label_tool.as_ref().map(|label| Literals::read(&label.raw))
}

/// Whether a key of a payload has the version.
fn is_version(key: &str) -> bool {
    key == "version"
}

fn text(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(str::to_owned)
}

/// The app's drift, if at least two of its sources state different versions.
#[must_use]
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

/// The order of versions that disagree.
enum Order {
    /// The positions of the highest and the lowest version. Of equal ones the first counts.
    Known { leader: usize, laggard: usize },
    /// At least one version cannot be ordered.
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
