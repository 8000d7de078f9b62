//! The hand-checked answers.

use std::path::Path;

use serde::{Deserialize, de::DeserializeOwned};

use crate::run::Failure;

/// All answers.
pub(super) struct Answers {
    pub(super) vendors: Vec<VendorRow>,
    pub(super) bundle_ids: Vec<BundleIdRow>,
    pub(super) matches: Vec<MatchRow>,
    pub(super) labels: Vec<LabelRow>,
}

/// The maker of an app.
#[derive(Deserialize)]
pub(super) struct VendorRow {
    pub(super) slug: String,
    #[serde(default)]
    pub(super) names: Vec<String>,
    pub(super) vendor: Option<String>,
    #[serde(default)]
    pub(super) also: Vec<String>,
}

/// The bundle identifier of an app.
#[derive(Deserialize)]
pub(super) struct BundleIdRow {
    pub(super) slug: String,
    #[serde(default)]
    pub(super) names: Vec<String>,
    pub(super) bundle_id: Option<String>,
    #[serde(default)]
    pub(super) also: Vec<String>,
}

/// The cask of a label.
#[derive(Deserialize)]
pub(super) struct MatchRow {
    pub(super) label: String,
    #[serde(default)]
    pub(super) names: Vec<String>,
    pub(super) cask: Option<String>,
    #[serde(default)]
    pub(super) also: Vec<String>,
}

/// What a generated label needs to install an app.
#[derive(Deserialize)]
pub(super) struct LabelRow {
    pub(super) slug: String,
    #[serde(default)]
    pub(super) names: Vec<String>,
    /// The app's file name in the download.
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) download: DownloadRow,
    #[serde(default)]
    pub(super) also: Vec<DownloadRow>,
    #[serde(default)]
    pub(super) needs: Vec<String>,
}

/// The type of a download and how its URL ends.
#[derive(Deserialize)]
pub(super) struct DownloadRow {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) url_suffix: Option<String>,
}

impl Answers {
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        Ok(Self {
            vendors: rows(folder, "vendor.json")?,
            bundle_ids: rows(folder, "bundle_id.json")?,
            matches: rows(folder, "label_cask.json")?,
            labels: rows(folder, "labels_generated.json")?,
        })
    }
}

fn rows<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<Vec<T>, Failure> {
    let bytes = std::fs::read(folder.join(file)).map_err(|error| failure(file, &error))?;
    serde_json::from_slice(&bytes).map_err(|error| failure(file, &error))
}

fn failure(file: &str, error: &dyn std::error::Error) -> Failure {
    Failure(format!("cannot read {file}: {error}"))
}
