//! The comparison of two versions, for clients that want to use the catalog's rules.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Version,
    version::stated::{Rule, Stated},
};

/// How the first of two versions stands to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(example = "older")]
pub enum VersionOrder {
    /// The first is older.
    Older,
    /// Both mean the same release.
    Same,
    /// The first is newer.
    Newer,
    /// They are different releases without a known order.
    Unknown,
}

impl VersionOrder {
    /// The name used in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Older => "older",
            Self::Same => "same",
            Self::Newer => "newer",
            Self::Unknown => "unknown",
        }
    }
}

/// One of the compared versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedVersion {
    /// The version as it was given.
    #[schema(example = "v4.32.0")]
    pub version: String,
    /// Whether it could be parsed. Only parsed versions can be ordered.
    pub parsed_ok: bool,
    /// The version without its notation; null if it could not be parsed.
    #[schema(example = "4.32")]
    pub normal_form: Option<String>,
}

/// The result of comparing two versions.
///
/// ```
/// use appstitch_catalog::{VersionComparison, VersionOrder};
///
/// let compared = VersionComparison::of("4.9", "v4.32");
/// assert_eq!(compared.order, VersionOrder::Older);
/// assert_eq!(VersionComparison::of("5.7.3", "5.7.3,2320").order, VersionOrder::Same);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VersionComparison {
    /// The first version.
    pub a: ComparedVersion,
    /// The second version.
    pub b: ComparedVersion,
    /// How the first stands to the second.
    pub order: VersionOrder,
    /// Why both mean the same release; null if they do not.
    pub rule: Option<Rule>,
}

impl VersionComparison {
    /// The longest version that is compared, in bytes.
    pub const LONGEST: usize = 256;

    /// Compares two versions with the rules that are used for drift.
    #[must_use]
    pub fn of(a: &str, b: &str) -> Self {
        let (order, rule) = match Stated::compare(a, b) {
            Stated::Same(rule) => (VersionOrder::Same, Some(rule)),
            Stated::Different(Some(Ordering::Less)) => (VersionOrder::Older, None),
            Stated::Different(Some(Ordering::Greater)) => (VersionOrder::Newer, None),
            Stated::Different(_) => (VersionOrder::Unknown, None),
        };
        Self { a: compared(a), b: compared(b), order, rule }
    }
}

fn compared(version: &str) -> ComparedVersion {
    let parsed = Version::parse(version.trim());
    ComparedVersion {
        version: version.to_owned(),
        parsed_ok: parsed.is_some(),
        normal_form: parsed.map(|version| version.normal_form()),
    }
}
