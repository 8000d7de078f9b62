//! Values that somebody found by running a label: who found them, and when.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who ran the label.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// A run of `appstitch labels resolve`.
    Run,
    /// Somebody who posted the result.
    #[default]
    Posted,
    /// The public tracker.
    Tracker,
}

/// Who found a value, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelFinding {
    /// Who found it.
    pub found_by: FoundBy,
    /// When it was first found; null if that is unknown.
    #[schema(required = true)]
    pub found_at: Option<Timestamp>,
}

/// The values of a label that were found by running it; null for a value that is not, because it
/// is in the text of the label or unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct LabelValues {
    /// The label's version.
    #[schema(required = true)]
    pub version: Option<LabelFinding>,
    /// The label's download URL.
    #[schema(required = true)]
    pub download_url: Option<LabelFinding>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finders_have_lower_case_names() {
        let names = [FoundBy::Run, FoundBy::Tracker, FoundBy::Posted];
        assert_eq!(serde_json::to_string(&names).unwrap(), r#"["run","tracker","posted"]"#);
    }
}
