//! The comparison of two versions, for clients that want to use the catalog's rules.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

crate::words! {
    /// How the first of two versions stands to the second.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    #[schema(example = "older")]
    pub enum VersionOrder {
        /// The first is older.
        Older = "older",
        /// Both mean the same release.
        Same = "same",
        /// The first is newer.
        Newer = "newer",
        /// They are different releases without a known order.
        Unknown = "unknown",
    }
}

/// Why two versions mean the same release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(example = "build_on_one_side")]
pub enum SameReleaseRule {
    /// They are equal after normalization: `v4.32` and `4.32.0`.
    SameVersion,
    /// One has a build, and the other has none or one of a different kind: `5.0.4,1234` and
    /// `5.0.4`.
    BuildOnOneSide,
    /// One has the build number appended to the version: `3.8.2` and `3.8.2.6009`, or `3.8.2-1`.
    BuildBehind,
    /// Both have the same build in different places: `3.8.2,6009` and `3.8.2.6009`.
    SameBuild,
    /// One is only the build: `6009` and `3.8.2,6009`.
    BuildAlone,
    /// At least one cannot be ordered, but they are the same text apart from case and
    /// separators: `2026-03-05` and `2026.03.05`.
    SameText,
    /// They have the same numbers, and a build is set off differently: `8u502-b07` and `8,502,07`.
    SameNumbers,
    /// One has the release between other numbers: `8.18.0` and `2603-8.18.0-24230061568`.
    VersionInside,
    /// One has two digits of the year: `26.2.1` and `2026.2.1`.
    ShortYear,
    /// One has a word that is not part of the version: `Build 4200` and `4200`.
    WordOnOneSide,
    /// One has only the first parts: `8.34` and `8.34.26223.11002`.
    SaysLess,
    /// One has lost separators: `2681` and `26.8.1`.
    RunTogether,
    /// One has lost the letters at the end: `1.21.15` and `1.21.15b`.
    LettersLost,
    /// One has lost the zero of a decimal number: `7.3` and `7.30`.
    ZeroLost,
    /// One has lost its first part: `0.5.1` and `2.0.5.1`.
    FirstPartLost,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VersionComparison {
    /// The first version.
    pub a: ComparedVersion,
    /// The second version.
    pub b: ComparedVersion,
    /// How the first stands to the second.
    pub order: VersionOrder,
    /// Why both mean the same release; null if they do not.
    pub rule: Option<SameReleaseRule>,
}

impl VersionComparison {
    /// The longest version that is compared, in bytes.
    pub const LONGEST: usize = 256;
}
