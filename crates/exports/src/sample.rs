//! A made-up app for tests.

use appstitch_stitching::{ParsedSources, Record, collect_details, manual_provenance};
use appstitch_types::{App, AppDetails, AppSources, Provenance};
use serde_json::{Value, json};

use crate::{Export, ExportFormat, Reason, Subject, export};

pub(crate) struct Sample {
    pub(crate) app: Value,
    pub(crate) sources: Value,
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            app: json!({
                "slug": "sample", "name": "Sample", "vendor": "Example",
                "bundle_id": "com.example.sample", "current_version": "2.1",
                "download_url": "https://example.com/Sample-2.1.dmg", "install_method": "dmg",
                "expected_team_id": "ABCDE12345", "sha256": "ab".repeat(32), "sources": [],
            }),
            sources: json!({"cask_catalog": {"token": "sample", "entry_json": cask()}}),
        }
    }
}

pub(crate) fn cask() -> Value {
    json!({
        "token": "sample", "name": ["Sample"], "version": "2.1", "desc": "App for tests",
        "homepage": "https://example.com/", "url": "https://example.com/Sample-2.1.dmg",
        "sha256": "ab".repeat(32), "depends_on": {"macos": {">=": ["13"]}},
        "artifacts": [{"app": ["Sample.app"], "target": "/Applications/Sample.app"}],
    })
}

pub(crate) fn label(raw: &Value) -> Value {
    json!({"label_name": "sample", "label_url": "https://example.com/s.sh", "raw": raw})
}

impl Sample {
    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.app[key] = value;
        self
    }

    pub(crate) fn with_cask(mut self, key: &str, value: Value) -> Self {
        self.sources["cask_catalog"]["entry_json"][key] = value;
        self
    }

    pub(crate) fn with_source(mut self, key: &str, value: Value) -> Self {
        self.sources[key] = value;
        self
    }

    pub(crate) fn use_subject<T>(&self, run: impl FnOnce(&Subject<'_>) -> T) -> T {
        self.use_shared(None, run)
    }

    /// As an app that shares its bundle identifier with another one.
    pub(crate) fn use_shared<T>(
        &self,
        other: Option<&str>,
        run: impl FnOnce(&Subject<'_>) -> T,
    ) -> T {
        let app: App = serde_json::from_value(self.app.clone()).unwrap();
        let sources: AppSources = serde_json::from_str(&self.sources.to_string()).unwrap();
        let parsed = ParsedSources::of(&sources);
        let details: AppDetails = collect_details(&app, &parsed, None, Vec::new());
        let provenance: Provenance =
            manual_provenance(&Record { app: app.clone(), sources: Some(sources.clone()) });
        run(&Subject::new(&app, &details, &provenance, &parsed).sharing(other))
    }

    pub(crate) fn export(&self, format: ExportFormat) -> Result<Export, Vec<Reason>> {
        self.use_subject(|subject| export(subject, format))
    }

    pub(crate) fn text(&self, format: ExportFormat) -> String {
        self.export(format).unwrap().text
    }

    pub(crate) fn reasons(&self, format: ExportFormat) -> Vec<Reason> {
        self.export(format).unwrap_err()
    }
}
