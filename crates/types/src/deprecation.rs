//! Whether the cask catalog advises against a cask, and why.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How strongly the cask catalog advises against an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeprecationStatus {
    /// It can still be installed, with a warning.
    Deprecated,
    /// It can no longer be installed from the cask catalog.
    Disabled,
}

/// Why an app should no longer be deployed, according to the cask catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Deprecation {
    /// Whether the app is deprecated or already disabled.
    pub status: DeprecationStatus,
    /// Since when.
    #[schema(value_type = Option<String>, format = Date)]
    pub date: Option<Date>,
    /// The reason, in words.
    pub reason: Option<String>,
    /// The token of the cask, or the name of the formula, to use instead.
    pub replacement: Option<String>,
    /// When a deprecated app will be disabled.
    #[schema(value_type = Option<String>, format = Date)]
    pub disabled_from: Option<Date>,
}
