//! Cross-source version drift: which sources disagree on an app's newest version.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    App, AppSources, Source, Version, label::literal::Literals, served, version::stated::Stated,
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

/// The versions stated by an app's sources, in the order of [`Source::ALL`].
#[must_use]
pub fn source_versions(sources: &AppSources) -> Vec<SourceVersion> {
    let label = sources
        .label_tool
        .as_ref()
        .and_then(|label| Literals::read(&label.raw).version().map(str::to_owned))
        .map(|version| (Source::LabelTool, version));
    let cask = sources
        .cask_catalog
        .as_ref()
        .and_then(|cask| stated_version(cask.entry_json.read().get("version")))
        .map(|version| (Source::CaskCatalog, version));
    label
        .into_iter()
        .chain(cask)
        .map(|(source, version)| SourceVersion {
            source: source.token().to_owned(),
            parsed_ok: Version::parse(&version).is_some(),
            version,
        })
        .collect()
}

/// A literal version, not a shell expression or a placeholder.
fn stated_version(value: Option<&Value>) -> Option<String> {
    let text = value?.as_str()?;
    served::check_value("version", text).is_ok().then(|| text.to_owned())
}

/// The app's drift, if its sources state different versions.
#[must_use]
pub fn find_drift(app: &App, versions: &[SourceVersion]) -> Option<DriftEntry> {
    // Only two sources have versions; a third one would need a different comparison.
    let [first, second] = versions else { return None };
    let Stated::Different(order) = Stated::compare(&first.version, &second.version) else {
        return None;
    };
    let (leader, laggard) = match order {
        Some(Ordering::Less) => (Some(second.source.clone()), Some(first.source.clone())),
        Some(_) => (Some(first.source.clone()), Some(second.source.clone())),
        None => (None, None),
    };
    Some(DriftEntry {
        slug: app.slug.to_string(),
        name: app.name.clone(),
        vendor: app.vendor.clone(),
        versions: versions.to_vec(),
        leader,
        laggard,
    })
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
        let drift = find_drift(&app, &versions);
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
}
