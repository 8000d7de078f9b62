//! The values that a catalog is indexed by, read from a record's payloads in one pass.

use appstitch_types::{Alias, App, AppSources, SourceVersion};
use serde_json::{Map, Value};

use crate::{
    agreement::Agreement,
    alias::aliases,
    cask::{deprecation::read_deprecation, read_entry, used_names},
    label::literal::Literals,
    record::Record,
    search_names::search_names,
};

/// The values of a record that are indexed but not in its [`App`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexedValues {
    pub versions: Vec<SourceVersion>,
    pub aliases: Vec<Alias>,
    /// What the sources call the app, besides its name.
    pub names: Vec<String>,
    pub is_deprecated: bool,
}

impl IndexedValues {
    /// `other_names` are the other names of the record's label.
    pub fn of(record: &Record, other_names: &[String]) -> Self {
        Self::read(&record.app, record.sources.as_ref(), other_names)
    }

    fn read(app: &App, sources: Option<&AppSources>, other_names: &[String]) -> Self {
        let cask = sources.and_then(|sources| sources.cask_catalog.as_ref());
        let entry = cask.map(|cask| read_entry(&cask.entry_json)).unwrap_or_default();
        Self {
            versions: sources.map(|sources| compared(sources, &entry)).unwrap_or_default(),
            aliases: aliases(app, sources, used_names(entry.get("old_tokens")), other_names),
            names: sources.map(|sources| search_names(app, sources, &entry)).unwrap_or_default(),
            is_deprecated: read_deprecation(&entry).is_some(),
        }
    }
}

fn compared(sources: &AppSources, entry: &Map<String, Value>) -> Vec<SourceVersion> {
    let label = sources.label_tool.as_ref().map(|label| Literals::read(&label.raw));
    Agreement::read(sources, label.as_ref(), entry).compared().cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use appstitch_types::AliasKind;

    fn record() -> Record {
        let record = json!({
            "app": {"slug": "sample", "name": "Sample", "bundle_id": "com.example.Sample",
                "expected_team_id": "ABCDE12345", "sources": []},
            "sources": {
                "label_tool": {"label_name": "sample", "label_url": "https://example.com/s.sh",
                    "raw": {"appNewVersion": "1.0"}},
                "cask_catalog": {"token": "sample-app", "entry_json":
                    {"version": "1.1", "old_tokens": ["sample", "old-sample"], "deprecated": true}},
                "mdm_installer": {"title": "Sample", "source": "Jamf", "mgmt_id": "0A1",
                    "version": "1.2"},
                "store_listing": {"bundle_id": "com.example.Sample", "raw": {"version": "1.3"}},
            },
        });
        Record::admit(record.to_string().as_bytes()).unwrap().record
    }

    #[test]
    fn every_source_that_states_a_version_is_listed_in_order() {
        let versions = IndexedValues::of(&record(), &[]).versions;
        let stated: Vec<(&str, &str)> = versions
            .iter()
            .map(|stated| (stated.source.as_str(), stated.version.as_str()))
            .collect();
        assert_eq!(
            stated,
            [
                ("label_tool", "1.0"),
                ("cask_catalog", "1.1"),
                ("mdm_installer", "1.2"),
                ("store_listing", "1.3"),
            ]
        );
    }

    #[test]
    fn every_name_but_the_slug_is_an_alias() {
        let values = IndexedValues::of(&record(), &["samplepkg".to_owned()]);
        let names: Vec<(AliasKind, &str)> =
            values.aliases.iter().map(|alias| (alias.kind, alias.name.as_str())).collect();
        assert_eq!(
            names,
            [
                (AliasKind::Token, "sample-app"),
                (AliasKind::FormerToken, "old-sample"),
                (AliasKind::LabelName, "samplepkg"),
                (AliasKind::BundleId, "com.example.Sample"),
                (AliasKind::TeamId, "ABCDE12345"),
                (AliasKind::TitleCode, "0A1"),
            ]
        );
        assert!(values.is_deprecated);
    }
}
