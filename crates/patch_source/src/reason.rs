//! Why an app has no definition.

use serde::Serialize;
use utoipa::ToSchema;

appstitch_types::words! {
    /// Why an app has no definition. The first that applies counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[schema(as = PatchReason)]
    pub enum Reason {
        /// No source knows the bundle identifier.
        NoBundleId = "no_bundle_id",
        /// The bundle identifier may be that of a part or of another program.
        UnsureBundleId = "unsure_bundle_id",
        /// No source knows the version.
        NoVersion = "no_version",
        /// The version is that of the build.
        BuildVersion = "build_version",
        /// The label finds the version in another place than the app's own versions.
        VersionElsewhere = "version_elsewhere",
        /// The version is written as apps do not show theirs.
        VersionForm = "version_form",
        /// A source writes the version in another way.
        OtherVersion = "other_version",
        /// Another app has the same bundle identifier.
        SharedBundleId = "shared_bundle_id",
        /// Another app has the same identifier.
        SharedId = "shared_id",
    }
}
