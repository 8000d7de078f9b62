//! Cross-source version drift: which sources disagree on an app's newest version.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    App, AppSources, Source, StoreListingSource, Version, label::literal::Literals, served,
    version::stated::Stated,
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

/// The versions stated by an app's sources: label, cask, title, listing. `cask_entry` is the parsed
/// entry of the cask.
pub(crate) fn stated_versions(
    sources: &AppSources,
    cask_entry: &Map<String, Value>,
) -> Vec<SourceVersion> {
    let label = sources
        .label_tool
        .as_ref()
        .and_then(|label| Literals::read(&label.raw).version().map(str::to_owned));
    let title = sources.mdm_installer.as_ref().and_then(|title| title.version.clone());
    let listing = sources.store_listing.as_ref().map(|listing| listing.raw.read());
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

/// The versions stated by an app's sources, in the order label, cask, title, listing.
#[must_use]
pub fn source_versions(sources: &AppSources) -> Vec<SourceVersion> {
    let cask = sources.cask_catalog.as_ref();
    let entry = cask.map(|cask| cask.entry_json.read()).unwrap_or_default();
    stated_versions(sources, &entry)
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
mod tests {
    use serde_json::json;

    use super::*;

    fn drift_between(label: &str, cask: &str) -> (Vec<SourceVersion>, Option<DriftEntry>) {
        let app = json!({"slug":"a","name":"A","sources":["label_tool","cask_catalog"]});
        let sources = json!({
            "label_tool": {"label_name":"a","label_url":"https://example.com/a.sh","raw":{"appNewVersion":label}},
            "cask_catalog": {"token":"a","entry_json":{"version":cask}},
        });
        let app = serde_json::from_value(app).unwrap();
        let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
        let versions = source_versions(&sources);
        let drift = find_drift(&app, DriftScope::default().of(&versions));
        (versions, drift)
    }

    #[test]
    fn the_source_with_the_higher_version_leads() {
        let (_, drift) = drift_between("1.9", "1.10");
        let drift = drift.expect("1.9 and 1.10 differ");
        assert_eq!(drift.leader.as_deref(), Some("cask_catalog"));
        assert_eq!(drift.laggard.as_deref(), Some("label_tool"));
        assert!(drift.versions.iter().all(|version| version.parsed_ok));
    }

    #[test]
    fn an_unparsed_version_leaves_leader_and_laggard_open() {
        let (_, drift) = drift_between("2026-03-05", "1.10");
        let drift = drift.expect("a date and a version differ");
        assert_eq!((drift.leader, drift.laggard), (None, None));
        assert_eq!(drift.versions.iter().map(|v| v.parsed_ok).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn equal_versions_in_other_spellings_agree() {
        for (label, cask) in [
            ("4.32", "4.32.0"),
            ("v1.2", "1.2"),
            ("5.0.4", "5.0.4,1234"),
            ("2026-03-05", "2026-03-05"),
            ("Release A", "release a"),
        ] {
            let (versions, drift) = drift_between(label, cask);
            assert_eq!(versions.len(), 2, "{label} and {cask}");
            assert_eq!(drift, None, "{label} and {cask}");
        }
    }

    #[test]
    fn shell_expressions_and_sentinels_state_no_version() {
        for (label, cask) in [("$(curl x)", "1"), ("a | b", "1"), ("`date`", "1"), ("1", "latest")]
        {
            let (versions, drift) = drift_between(label, cask);
            assert_eq!(versions.len(), 1, "{label} and {cask}");
            assert_eq!(drift, None, "{label} and {cask}");
        }
    }

    fn stated(source: &str, version: &str) -> SourceVersion {
        let parsed_ok = Version::parse(version).is_some();
        SourceVersion { source: source.to_owned(), version: version.to_owned(), parsed_ok }
    }

    #[test]
    fn titles_and_listings_are_compared_on_request() {
        let app = serde_json::from_value(json!({"slug": "a", "name": "A", "sources": []})).unwrap();
        let versions = [
            stated("label_tool", "2.0"),
            stated("cask_catalog", "2.0"),
            stated("mdm_installer", "1.9"),
            stated("store_listing", "2.1"),
        ];
        let found = |list: &str| {
            let scope = DriftScope::read(list).unwrap();
            let drift = find_drift(&app, scope.of(&versions))?;
            Some((drift.leader.unwrap(), drift.laggard.unwrap(), drift.versions.len()))
        };
        let told = |leader: &str, laggard: &str, count| {
            Some((leader.to_owned(), laggard.to_owned(), count))
        };
        assert_eq!(found(""), None);
        assert_eq!(found("label_tool"), None, "always compared");
        assert_eq!(found("mdm_installer"), told("label_tool", "mdm_installer", 3));
        assert_eq!(found("store_listing"), told("store_listing", "label_tool", 3));
        assert_eq!(
            found("store_listing, mdm_installer"),
            told("store_listing", "mdm_installer", 4)
        );
        assert_eq!(DriftScope::read("mdm_installer,recipe_index"), Err("recipe_index"));
        for (number, scope) in DriftScope::ALL.into_iter().enumerate() {
            assert_eq!(scope.number(), number);
            let list = scope.further().collect::<Vec<_>>().join(",");
            assert_eq!(DriftScope::read(&list), Ok(scope), "{list}");
        }
    }

    #[test]
    fn one_unparsed_version_leaves_the_order_of_all_open() {
        let app = serde_json::from_value(json!({"slug": "a", "name": "A", "sources": []})).unwrap();
        let versions = [
            stated("label_tool", "2.0"),
            stated("cask_catalog", "1.0"),
            stated("mdm_installer", "2026-03-05"),
        ];
        let drift = find_drift(&app, &versions).unwrap();
        assert_eq!((drift.leader, drift.laggard, drift.versions.len()), (None, None, 3));
    }
}
