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

impl Deprecation {
    /// The facts in words, without a period.
    ///
    /// ```
    /// use appstitch_types::{Deprecation, DeprecationStatus};
    ///
    /// let deprecation = Deprecation {
    ///     status: DeprecationStatus::Disabled,
    ///     date: "2026-05-09".parse().ok(),
    ///     reason: Some("it is discontinued".to_owned()),
    ///     replacement: Some("sample-next".to_owned()),
    ///     disabled_from: None,
    /// };
    /// assert_eq!(
    ///     deprecation.sentence(),
    ///     "Homebrew disabled this app on 2026-05-09: it is discontinued; use sample-next instead"
    /// );
    /// ```
    pub fn sentence(&self) -> String {
        let status = match self.status {
            DeprecationStatus::Deprecated => "Homebrew deprecated this app",
            DeprecationStatus::Disabled => "Homebrew disabled this app",
        };
        let date = self.date.map(|date| format!(" on {date}"));
        let reason = self.reason.as_ref().map(|reason| format!(": {reason}"));
        let end = self.disabled_from.map(|date| format!("; it will be disabled on {date}"));
        let replacement = self.replacement.as_ref().map(|name| format!("; use {name} instead"));
        let parts = [date, reason, end, replacement].into_iter().flatten();
        std::iter::once(status.to_owned()).chain(parts).collect()
    }
}
