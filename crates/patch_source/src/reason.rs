//! Why an app has no definition.

use serde::Serialize;
use utoipa::ToSchema;

/// Why an app has no definition. The first that applies counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PatchReason)]
pub enum Reason {
    /// No source knows the bundle identifier.
    NoBundleId,
    /// The bundle identifier may be that of a part or of another program.
    UnsureBundleId,
    /// No source knows the version.
    NoVersion,
    /// The version is that of the build.
    BuildVersion,
    /// The label finds the version in another place than the app's own versions.
    VersionElsewhere,
    /// The version is written as apps do not show theirs.
    VersionForm,
    /// A source writes the version in another way.
    OtherVersion,
    /// Another app has the same bundle identifier.
    SharedBundleId,
    /// Another app has the same identifier.
    SharedId,
}

impl Reason {
    pub const ALL: [Self; 9] = [
        Self::NoBundleId,
        Self::UnsureBundleId,
        Self::NoVersion,
        Self::BuildVersion,
        Self::VersionElsewhere,
        Self::VersionForm,
        Self::OtherVersion,
        Self::SharedBundleId,
        Self::SharedId,
    ];

    /// The word in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoBundleId => "no_bundle_id",
            Self::UnsureBundleId => "unsure_bundle_id",
            Self::NoVersion => "no_version",
            Self::BuildVersion => "build_version",
            Self::VersionElsewhere => "version_elsewhere",
            Self::VersionForm => "version_form",
            Self::OtherVersion => "other_version",
            Self::SharedBundleId => "shared_bundle_id",
            Self::SharedId => "shared_id",
        }
    }
}
