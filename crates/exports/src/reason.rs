//! Why a file cannot be made.

use appstitch_types::InstallMethod;
use thiserror::Error;

/// Why a file cannot be made. Every reason names a fact that is missing, or one that the tool cannot use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("no source has the bundle identifier of the app")]
    NoBundleId,
    #[error("the bundle identifier '{0}' has characters that a code requirement cannot contain")]
    OddBundleId(String),
    #[error(
        "only files that Homebrew's cask removes show the bundle identifier, and it may be that of a part or \
         of another program"
    )]
    UnsureBundleId,
    #[error("the receipt {0} is that of a part, not of the whole app")]
    ReceiptOfPart(String),
    #[error("AutoPkg's index does not name the file of the recipe")]
    NoRecipeFile,
    #[error("no source has a version of the app")]
    NoVersion,
    #[error(
        "the version '{0}' does not begin with a number or has a comma, so it cannot be compared with an \
         installed one"
    )]
    OddVersion(String),
    #[error(
        "the label finds the installed version with a function, so it may differ from the version in the app"
    )]
    FoundByFunction,
    #[error("the label compares the version with a key of the app that the tool does not read")]
    OtherVersionKey,
    #[error(
        "the label does not compare the version that apps show, so the app may show another one than the \
         version of the other source"
    )]
    ComparedElsewhere,
    #[error(
        "{of} writes the version as {other}, the catalog as {version}: which of them the app shows is \
         not known"
    )]
    WrittenOtherwise { of: String, other: String, version: String },
    #[error("apps do not show versions like '{0}', so the installed one would never be equal")]
    NotShown(String),
    #[error("the version is that of the installer package {0}, not that of the app")]
    VersionOfPackage(String),
    #[error("no source has a download address")]
    NoAddress,
    #[error("no source has the checksum of the download")]
    NoSha256,
    #[error("no source says how to install the download")]
    NoMethod,
    #[error("the tool cannot install a download of the type {}", .0.word())]
    Method(InstallMethod),
    #[error("the server sends the file only with header fields that the tool does not send")]
    NeedsRequestFields,
    #[error("no source has the file name of the app in the download")]
    NoAppFile,
    #[error("the download installs something else that the sources do not describe completely")]
    UnknownApps,
    #[error("the download installs several apps, and only one of them would be checked")]
    SeveralApps,
    #[error(
        "Homebrew renames the app to {0}, so the name under which the label installs it is not known"
    )]
    RenamedApp(String),
    #[error("no source has the Team ID of the signature")]
    NoTeamId,
    #[error("AutoPkg would replace a part of '{0}' with a variable")]
    LooksLikeVariable(String),
    #[error("AutoPkg has no recipe for the app")]
    NoRecipe,
    #[error("Installomator has no label for the app")]
    NoLabel,
    #[error("no source has the vendor of the app")]
    NoVendor,
    #[error("this is a manual record without data of sources")]
    NoSources,
    #[error("the label would lack {0}")]
    NoVariable(&'static str),
    #[error("a value contains '$', which Fleet replaces with a variable")]
    Dollar,
}

impl Reason {
    /// The reason for programs. It never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoBundleId => "no_bundle_id",
            Self::OddBundleId(_) => "odd_bundle_id",
            Self::UnsureBundleId => "unsure_bundle_id",
            Self::ReceiptOfPart(_) => "receipt_of_part",
            Self::NoRecipeFile => "no_recipe_file",
            Self::NoVersion => "no_version",
            Self::OddVersion(_) => "odd_version",
            Self::FoundByFunction => "version_found_by_function",
            Self::OtherVersionKey => "other_version_key",
            Self::ComparedElsewhere => "compared_elsewhere",
            Self::WrittenOtherwise { .. } => "other_version",
            Self::NotShown(_) => "version_form",
            Self::VersionOfPackage(_) => "version_of_package",
            Self::NoAddress => "no_download_url",
            Self::NoSha256 => "no_sha256",
            Self::NoMethod => "no_install_method",
            Self::Method(_) => "install_method_not_supported",
            Self::NeedsRequestFields => "needs_request_fields",
            Self::NoAppFile => "no_app_file",
            Self::UnknownApps => "unknown_apps",
            Self::SeveralApps => "several_apps",
            Self::RenamedApp(_) => "renamed_app",
            Self::NoTeamId => "no_team_id",
            Self::LooksLikeVariable(_) => "looks_like_variable",
            Self::NoRecipe => "no_recipe",
            Self::NoLabel => "no_label",
            Self::NoVendor => "no_vendor",
            Self::NoSources => "no_sources",
            Self::NoVariable(_) => "no_variable",
            Self::Dollar => "dollar",
        }
    }
}
