//! What the sources know about an app beyond its record.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{alias::Alias, deprecation::Deprecation, uri::Uri, variant::Variant};

/// Details of an app; a field is null if no source knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AppDetails {
    /// The app's slug.
    pub slug: String,
    /// One sentence about the app.
    pub description: Option<String>,
    /// The app's home page.
    #[schema(value_type = Option<String>, format = "uri", min_length = 1, max_length = 2083)]
    pub homepage: Option<Uri>,
    /// The oldest version of macOS that the app runs on.
    pub minimum_macos: Option<String>,
    /// The processors of the Macs that the app runs on: `arm64`, `x86_64`.
    pub architectures: Option<Vec<String>>,
    /// Whether the app updates itself; null also if it does not, because no source says so.
    pub updates_itself: Option<bool>,
    /// Whether and why the app is deprecated or disabled in the cask catalog.
    pub deprecation: Option<Deprecation>,
    /// The file names of the installed apps.
    pub app_files: Option<Vec<String>>,
    /// The identifiers of the installer packages' receipts.
    pub package_receipts: Option<Vec<String>>,
    /// The processes to quit before an update; empty if none.
    pub blocking_processes: Option<Vec<String>>,
    /// Other names of the app.
    pub aliases: Option<Vec<Alias>>,
    /// All records of the same product, this one included; the main one is first.
    pub variants: Option<Vec<Variant>>,
    /// The first day on which a source was seen with the current version, if no source dates the
    /// release.
    #[serde(default)]
    #[schema(required = true, value_type = Option<String>, format = "date")]
    pub first_seen: Option<Date>,
    /// Whether the sources agree on the newest version; null if no source states one.
    #[serde(default)]
    #[schema(required = true)]
    pub version_agreement: Option<VersionAgreement>,
    /// Which of the five sources have the app. Unlike the record's `sources`, it can list
    /// `store_listing`; null if none has it.
    #[serde(default)]
    #[schema(required = true)]
    pub sources: Option<Vec<String>>,
}

/// Whether the sources of an app agree on its newest version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VersionAgreement {
    /// Whether they agree; null if their versions cannot be compared.
    pub agree: Option<bool>,
    /// What each source states.
    pub versions: Vec<StatedVersion>,
}

/// The version that a source states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatedVersion {
    /// The source.
    pub source: String,
    /// The version as the source writes it.
    pub version: String,
    /// Why it is not compared with the others; null if it is.
    pub left_out: Option<String>,
}
