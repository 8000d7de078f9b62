//! An answer that borrows its texts.
//!
//! A list has many answers, and most of them are written once and then forgotten: that takes no
//! copies of what the inventory and the catalog have.

use super::{CheckRule, CheckedApp, Confidence, MatchedBy, Verdict};
use crate::Uri;

/// The answer about one installed app, to be written. The fields are those of [`CheckedApp`].
#[derive(Debug, Clone)]
pub struct CheckedRow<'a> {
    /// The Mac, as the inventory names it.
    pub host: Option<&'a str>,
    /// The app's name in the inventory.
    pub name: Option<&'a str>,
    /// The bundle identifier in the inventory.
    pub bundle_id: Option<&'a str>,
    /// Where the app is on the Mac.
    pub path: Option<&'a str>,
    /// Whether the app is up to date.
    pub verdict: Verdict,
    /// The app of the catalog, if one fits.
    pub slug: Option<&'a str>,
    /// All apps of the catalog that fit, if several do.
    pub slugs: Vec<&'a str>,
    /// The installed version that was compared.
    pub installed_version: Option<&'a str>,
    /// The newest version that it was compared with.
    pub newest_version: Option<&'a str>,
    /// The download of the newest version, if the app is outdated.
    pub download_url: Option<&'a str>,
    /// What led to the app of the catalog.
    pub matched_by: Option<MatchedBy>,
    /// How sure it is that the app is the right one.
    pub confidence: Option<Confidence>,
    /// The rule that decided the verdict.
    pub rule: CheckRule,
    /// The slugs of apps with similar names.
    pub did_you_mean: Vec<&'a str>,
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
            download_url: app.download_url.as_ref().map(Uri::as_str),
            matched_by: app.matched_by,
            confidence: app.confidence,
            rule: app.rule,
            did_you_mean: app.did_you_mean.iter().map(String::as_str).collect(),
        }
    }
}
