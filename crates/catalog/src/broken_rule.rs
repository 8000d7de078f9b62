//! Why a value may not be served, in words an uploader can act on.

use thiserror::Error;

/// A value that breaks a rule of the catalog. The text says which rule and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BrokenRule {
    /// Not a URL-friendly identifier.
    #[error(
        "'{0}' is no slug: use 1 to 128 of the characters a-z A-Z 0-9 . _ + @ - and start with a letter or digit"
    )]
    Slug(String),
    /// Not a SHA-256 in hex.
    #[error("'{0}' is no sha256: it has 64 hex digits")]
    Sha256(String),
    /// Not a signing team's id.
    #[error("'{0}' is no team id: it has ten upper-case letters or digits")]
    TeamId(String),
    /// Not an absolute web address.
    #[error("'{0}' is no http or https address without shell signs")]
    Uri(String),
    /// A web address over the length limit.
    #[error("an address of {0} characters is too long: at most 2083 are served")]
    UriLength(usize),
    /// Not a source token.
    #[error(
        "'{0}' is no source token: use label_tool, cask_catalog, recipe_index or mdm_installer"
    )]
    Source(String),
    /// Not a day of the calendar.
    #[error("'{0}' is no date: write it as YYYY-MM-DD")]
    Date(String),
    /// Not a way to install that the label tool knows.
    #[error(
        "'{0}' is no install method: use dmg, pkg, zip, tbz, pkgInDmg, pkgInZip or appInDmgInZip"
    )]
    InstallMethod(String),
    /// A raw payload that is not a JSON object.
    #[error("a raw payload must be a JSON object")]
    RawShape,
    /// A raw payload nested deeper than readers can be expected to follow.
    #[error("a raw payload may be nested at most {0} levels deep")]
    RawDepth(usize),
    /// Empty or blank text.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// Text over the length limit.
    #[error("{0} is longer than {1} characters")]
    TooLong(&'static str, usize),
    /// Shell, HTML or control characters where plain text belongs.
    #[error("{0} holds {1}: only plain text is served")]
    NotPlain(&'static str, &'static str),
    /// A word that stands for a value instead of being one.
    #[error("{0} is '{1}', a stand-in and not a value")]
    Sentinel(&'static str, String),
    /// A hash with nothing it could be the hash of.
    #[error("sha256 without download_url: a hash is served only beside the file it belongs to")]
    HashWithoutUrl,
    /// An install method that the file's extension rules out.
    #[error("install_method {method} contradicts download_url, which ends in {extension}")]
    MethodContradictsUrl {
        /// The method given.
        method: &'static str,
        /// The extension of the URL's file.
        extension: &'static str,
    },
}
