//! The stitched record of one application.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{sha256::Sha256, slug::Slug, source::SourceSet, team_id::TeamId, uri::Uri};

crate::words! {
    /// How the label tool unpacks and installs a download; mirrors its `type` variable.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum InstallMethod {
        /// A disk image that contains an app.
        Dmg = "dmg",
        /// An installer package.
        Pkg = "pkg",
        /// A ZIP archive that contains an app.
        Zip = "zip",
        /// A compressed tar archive that contains an app.
        Tbz = "tbz",
        /// A disk image that contains an installer package.
        PkgInDmg = "pkgInDmg",
        /// A ZIP archive that contains an installer package.
        PkgInZip = "pkgInZip",
        /// A ZIP archive that contains a disk image with an app.
        AppInDmgInZip = "appInDmgInZip",
    }
}

impl InstallMethod {
    /// Whether the method runs an installer package.
    pub const fn is_package(self) -> bool {
        matches!(self, Self::Pkg | Self::PkgInDmg | Self::PkgInZip)
    }
}

/// One application, stitched from its sources. Every key is always present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct App {
    /// URL-friendly unique app identifier.
    #[schema(value_type = String, min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9][A-Za-z0-9._+@-]*$")]
    pub slug: Slug,
    /// The bundle identifier; null if no source provides it.
    pub bundle_id: Option<String>,
    /// The app's name.
    pub name: String,
    /// The app's vendor; null if no source names it.
    pub vendor: Option<String>,
    /// The newest version according to the sources.
    pub current_version: Option<String>,
    /// The day the current version was released.
    pub latest_release_date: Option<Date>,
    /// The download URL of the installer.
    #[schema(value_type = Option<String>, format = "uri", min_length = 1, max_length = 2083)]
    pub download_url: Option<Uri>,
    /// How the download is installed; always consistent with `download_url`.
    pub install_method: Option<InstallMethod>,
    /// The Team ID that the app must be signed with.
    #[schema(value_type = Option<String>, pattern = "^[A-Z0-9]{10}$")]
    pub expected_team_id: Option<TeamId>,
    /// The hash of the file at `download_url`.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub sha256: Option<Sha256>,
    /// Tokens naming the sources that contribute to the app, in the order `label_tool`,
    /// `cask_catalog`, `recipe_index`, `mdm_installer`.
    #[schema(value_type = Vec<String>)]
    pub sources: SourceSet,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_written_in_the_decided_order_and_null_when_absent() {
        let app: App = serde_json::from_str(r#"{"name":"A","slug":"a","sources":[]}"#).unwrap();
        assert_eq!(
            serde_json::to_string(&app).unwrap(),
            concat!(
                r#"{"slug":"a","bundle_id":null,"name":"A","vendor":null,"current_version":null,"#,
                r#""latest_release_date":null,"download_url":null,"install_method":null,"#,
                r#""expected_team_id":null,"sha256":null,"sources":[]}"#
            )
        );
    }

    #[test]
    fn words_and_variants_name_the_same_methods() {
        for method in InstallMethod::ALL {
            let written = serde_json::to_string(&method).unwrap();
            assert_eq!(written, format!("\"{}\"", method.word()));
            assert_eq!(InstallMethod::from_word(method.word()), Some(method));
        }
    }
}
