//! The hand-checked answers.

use std::path::Path;

use serde::{Deserialize, de::DeserializeOwned};

use crate::run::Failure;

pub(super) struct Answers {
    pub(super) vendors: Vec<VendorRow>,
    pub(super) bundle_ids: Vec<BundleIdRow>,
    pub(super) matches: Vec<MatchRow>,
    pub(super) labels: Vec<LabelRow>,
    pub(super) inventory: Vec<InventoryRow>,
}

#[derive(Deserialize)]
pub(super) struct VendorRow {
    pub(super) slug: String,
    #[serde(default)]
    pub(super) names: Vec<String>,
    pub(super) vendor: Option<String>,
    #[serde(default)]
    pub(super) also: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct BundleIdRow {
    pub(super) slug: String,
    #[serde(default)]
    pub(super) names: Vec<String>,
    pub(super) bundle_id: Option<String>,
    #[serde(default)]
    pub(super) also: Vec<String>,
}

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

/// An installed app, with every fair answer.
#[derive(Deserialize)]
pub(super) struct InventoryRow {
    pub(super) host: Option<String>,
    pub(super) name: Option<String>,
    pub(super) bundle_id: Option<String>,
    pub(super) short_version: Option<String>,
    pub(super) build: Option<String>,
    pub(super) path: Option<String>,
    pub(super) team_id: Option<String>,
    /// Whether it is from the Mac App Store.
    #[serde(default)]
    pub(super) store: bool,
    #[serde(default)]
    pub(super) expect: ExpectedApp,
    #[serde(default)]
    pub(super) class: String,
}

/// The fair answers about an installed app.
#[derive(Deserialize, Default)]
pub(super) struct ExpectedApp {
    #[serde(default)]
    pub(super) slugs: Vec<String>,
    #[serde(default)]
    pub(super) verdict: Vec<String>,
}

impl InventoryRow {
    /// Reads the rows of any file of this shape.
    pub(super) fn read_all(file: &Path) -> Result<Vec<Self>, Failure> {
        read(file)
    }
}

impl Answers {
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        Ok(Self {
            vendors: rows(folder, "vendor.json")?,
            bundle_ids: rows(folder, "bundle_id.json")?,
            matches: rows(folder, "label_cask.json")?,
            labels: rows(folder, "labels_generated.json")?,
            inventory: rows(folder, "inventory.json")?,
        })
    }
}

pub(super) fn rows<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<Vec<T>, Failure> {
    read(&folder.join(file))
}

fn read<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Failure> {
    let failure =
        |error: &dyn std::error::Error| Failure(format!("cannot read {}: {error}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| failure(&error))?;
    serde_json::from_slice(&bytes).map_err(|error| failure(&error))
}
