//! The values that a catalog is indexed by, read from a record's payloads in one pass.

use appstitch_types::{Alias, App, AppSources, SourceVersion, TitleCode};

use crate::{
    agreement::Agreement,
    alias::aliases,
    cask::{deprecation::read_deprecation, read_entry, used_names},
    installed_facts::InstalledFacts,
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
    pub installed: InstalledFacts,
}

impl IndexedValues {
    /// `other_names` are the other names of the record's label, `title_codes` the titles of the patch
    /// catalog that lead to it.
    pub fn of(record: &Record, other_names: &[String], title_codes: &[TitleCode]) -> Self {
        Self::read(&record.app, record.sources.as_ref(), other_names, title_codes)
    }

    fn read(
        app: &App,
        sources: Option<&AppSources>,
        other_names: &[String],
        title_codes: &[TitleCode],
    ) -> Self {
        let Some(sources) = sources else {
            return Self {
                aliases: aliases(app, None, Vec::new(), other_names, title_codes),
                ..Self::default()
            };
        };
        let cask = sources.cask_catalog.as_ref();
        let entry = cask.map(|cask| read_entry(&cask.entry_json)).unwrap_or_default();
        let label = sources.label_tool.as_ref().map(|label| Literals::read(&label.raw));
        let agreement = Agreement::read(sources, label.as_ref(), &entry);
        Self {
            versions: agreement.compared().cloned().collect(),
            aliases: aliases(
                app,
                Some(sources),
                used_names(entry.get("old_tokens")),
                other_names,
                title_codes,
            ),
            names: search_names(app, sources, &entry),
            is_deprecated: read_deprecation(&entry).is_some(),
            installed: InstalledFacts::read(app, sources, label.as_ref(), &entry, &agreement),
        }
    }
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
        let versions = IndexedValues::of(&record(), &[], &[]).versions;
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
        let code = |code: &str| TitleCode {
            code: code.to_owned(),
            title: "Sample".to_owned(),
            evidence: Vec::new(),
        };
        let codes = [code("0A1"), code("0A0")];
        let values = IndexedValues::of(&record(), &["samplepkg".to_owned()], &codes);
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
                (AliasKind::TitleCode, "0A0"),
                (AliasKind::TitleCode, "0A1"),
            ]
        );
        assert!(values.is_deprecated);
    }
}
