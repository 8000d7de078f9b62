//! Where the current version of an app is found on a Mac.

use appstitch_text::served;
use appstitch_types::{App, InstallMethod, LabelToolSource};
use appstitch_versions::stated::Stated;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::label::literal::Literals;

pub(crate) const SHORT_VERSION: &str = "CFBundleShortVersionString";
const BUNDLE_VERSION: &str = "CFBundleVersion";

/// Where the current version is found on a Mac.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VersionPlace {
    /// `CFBundleShortVersionString` of the app.
    #[default]
    ShortVersion,
    /// `CFBundleVersion` of the app.
    BundleVersion,
    /// The receipt of this installer package.
    Receipt(String),
    /// Another key of the app.
    OtherKey,
    /// What a function of the label finds.
    Function,
    /// The label does not look for the short version, and the version is that of another source.
    Unknown,
}

impl VersionPlace {
    pub(crate) fn of(
        app: &App,
        label: Option<&Literals>,
        payload: Option<&LabelToolSource>,
    ) -> Self {
        let (Some(label), Some(payload)) = (label, payload) else { return Self::ShortVersion };
        let raw = payload.raw.read_keys(|key| {
            matches!(key, LabelToolSource::VERSION_FUNCTION | "versionKey" | "packageID")
        });
        let current = app.current_version.as_deref().unwrap_or_default();
        let is_labels = label.version().is_some_and(|own| Stated::compare(own, current).is_exact());
        if is_labels {
            return of_label(app.install_method, label, &raw);
        }
        // What the label says about its version says nothing about the version of another source; but it
        // looks elsewhere where the app shows something else than its vendor publishes.
        let looks_elsewhere = raw.contains_key(LabelToolSource::VERSION_FUNCTION)
            || raw.contains_key("versionKey") && label.text("versionKey") != Some(SHORT_VERSION);
        if looks_elsewhere { Self::Unknown } else { Self::ShortVersion }
    }

    /// Whether the label compares the version of the build.
    pub fn is_of_build(&self) -> bool {
        *self == Self::BundleVersion
    }
}

fn of_label(
    method: Option<InstallMethod>,
    label: &Literals,
    raw: &Map<String, Value>,
) -> VersionPlace {
    if raw.contains_key(LabelToolSource::VERSION_FUNCTION) {
        return VersionPlace::Function;
    }
    // The label tool asks for the receipt before it looks for the app. Without a package there is none.
    if method.is_none_or(InstallMethod::is_package) && raw.contains_key("packageID") {
        return label
            .text("packageID")
            .filter(|id| served::check_value("packageID", id).is_ok())
            .map_or(VersionPlace::Function, |id| VersionPlace::Receipt(id.to_owned()));
    }
    if !raw.contains_key("versionKey") {
        return VersionPlace::ShortVersion;
    }
    match label.text("versionKey") {
        Some(SHORT_VERSION) => VersionPlace::ShortVersion,
        Some(BUNDLE_VERSION) => VersionPlace::BundleVersion,
        _ => VersionPlace::OtherKey,
    }
}
