//! Which files for other tools can be made of an app, and why the others cannot.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The formats that an app can be exported in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AppExports {
    /// The app's slug.
    pub slug: String,
    /// Every format, in the order of the documentation.
    pub exports: Vec<ExportState>,
}

/// One format, for one app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExportState {
    /// The format's name, as in the path of the export.
    #[schema(example = "munki")]
    pub format: String,
    /// The tool, and what the file is to it.
    #[schema(example = "Munki pkginfo")]
    pub title: String,
    /// Whether the file can be made.
    pub fits: bool,
    /// The name of the file; null if it cannot be made.
    pub file_name: Option<String>,
    /// The media type of the file.
    pub content_type: String,
    /// What to check before the file is used.
    pub warnings: Vec<String>,
    /// Why the file cannot be made; empty if it can.
    pub reasons: Vec<ExportReason>,
}

/// Why a file cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExportReason {
    /// The reason for programs.
    #[schema(example = "no_sha256")]
    pub code: String,
    /// The reason for people.
    pub text: String,
}

/// A file for another tool, as assistants get it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExportedFile {
    /// The app's slug.
    pub slug: String,
    /// The format's name.
    pub format: String,
    /// The name of the file.
    pub file_name: String,
    /// The content of the file.
    pub text: String,
    /// What to check before the file is used.
    pub warnings: Vec<String>,
}

/// The answer if a file cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExportRefusal {
    /// What is wrong.
    pub detail: String,
    /// The format that was asked for.
    pub format: String,
    /// What is missing.
    pub reasons: Vec<ExportReason>,
}
