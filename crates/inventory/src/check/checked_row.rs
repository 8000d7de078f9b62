//! A result that borrows its texts: most results are written once and then dropped.

use appstitch_types::Uri;
use appstitch_types::inventory::{CheckRule, CheckedApp, Confidence, MatchedBy, Verdict};

/// The fields are those of [`CheckedApp`].
#[derive(Debug, Clone)]
pub struct CheckedRow<'a> {
    pub host: Option<&'a str>,
    pub name: Option<&'a str>,
    pub bundle_id: Option<&'a str>,
    pub path: Option<&'a str>,
    pub verdict: Verdict,
    pub slug: Option<&'a str>,
    pub slugs: Vec<&'a str>,
    pub installed_version: Option<&'a str>,
    pub newest_version: Option<&'a str>,
    pub download_url: Option<&'a Uri>,
    pub matched_by: Option<MatchedBy>,
    pub confidence: Option<Confidence>,
    pub rule: CheckRule,
    pub did_you_mean: Vec<&'a str>,
    pub deprecated: bool,
}

impl<'a> From<&'a CheckedApp> for CheckedRow<'a> {
    fn from(app: &'a CheckedApp) -> Self {
        Self {
            host: app.host.as_deref(),
            name: app.name.as_deref(),
            bundle_id: app.bundle_id.as_deref(),
            path: app.path.as_deref(),
            verdict: app.verdict,
            slug: app.slug.as_deref(),
            slugs: app.slugs.iter().map(String::as_str).collect(),
            installed_version: app.installed_version.as_deref(),
            newest_version: app.newest_version.as_deref(),
            download_url: app.download_url.as_ref(),
            matched_by: app.matched_by,
            confidence: app.confidence,
            rule: app.rule,
            did_you_mean: app.did_you_mean.iter().map(String::as_str).collect(),
            deprecated: app.deprecated,
        }
    }
}

impl From<CheckedRow<'_>> for CheckedApp {
    fn from(row: CheckedRow<'_>) -> Self {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let texts = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
        Self {
            host: text(row.host),
            name: text(row.name),
            bundle_id: text(row.bundle_id),
            path: text(row.path),
            verdict: row.verdict,
            slug: text(row.slug),
            slugs: texts(row.slugs),
            installed_version: text(row.installed_version),
            newest_version: text(row.newest_version),
            download_url: row.download_url.cloned(),
            matched_by: row.matched_by,
            confidence: row.confidence,
            rule: row.rule,
            did_you_mean: texts(row.did_you_mean),
            deprecated: row.deprecated,
        }
    }
}
