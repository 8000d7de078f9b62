//! Why a value cannot be served, with messages for the uploader.

use thiserror::Error;

/// A value that breaks a rule of the catalog. The message names the rule and the valid values.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BrokenRule {
    /// Not a URL-friendly identifier.
    #[error(
        "invalid slug '{0}': use 1 to 128 of the characters a-z A-Z 0-9 . _ + @ - and start with a letter or digit"
    )]
    Slug(String),
    /// Not a SHA-256 hash in hexadecimal.
    #[error("invalid sha256 '{0}': use 64 hexadecimal digits")]
    Sha256(String),
    /// Not a Team ID.
    #[error("invalid Team ID '{0}': use ten uppercase letters or digits")]
    TeamId(String),
    /// Not an absolute web URL.
    #[error("invalid URL '{0}': use an http or https URL without shell characters")]
    Uri(String),
    /// A web URL with a user name or a password. The message does not repeat them.
    #[error("the URL has a user name or a password: use one without")]
    UriCredentials,
    /// A web URL over the length limit.
    #[error("URL too long: {0} characters, at most 2083 are allowed")]
    UriLength(usize),
    /// Not a source token.
    #[error("unknown source '{0}': use label_tool, cask_catalog, recipe_index or mdm_installer")]
    Source(String),
    /// Not a calendar date.
    #[error("invalid date '{0}': use YYYY-MM-DD")]
    Date(String),
    /// Not an install method of the label tool.
    #[error(
        "unknown install method '{0}': use dmg, pkg, zip, tbz, pkgInDmg, pkgInZip or appInDmgInZip"
    )]
    InstallMethod(String),
    /// A raw payload that is not a JSON object.
    #[error("raw payload must be a JSON object")]
    RawShape,
    /// A raw payload that is nested too deeply for common JSON parsers.
    #[error("raw payload is nested too deeply: at most {0} levels are allowed")]
    RawDepth(usize),
    /// Empty or blank text.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// Text over the length limit.
    #[error("{0} is longer than {1} characters")]
    TooLong(&'static str, usize),
    /// Shell expressions, HTML or control characters in a plain text field.
    #[error("{0} contains {1}: use plain text")]
    NotPlain(&'static str, &'static str),
    /// A placeholder instead of a value.
    #[error("{0} is '{1}', a placeholder: use a real value or null")]
    Sentinel(&'static str, String),
    /// A hash without the URL of its file.
    #[error("sha256 without download_url: a hash needs the URL of its file")]
    HashWithoutUrl,
    /// An install method that does not match the file's extension.
    #[error("install_method {method} contradicts download_url, which ends in {extension}")]
    MethodContradictsUrl {
        /// The install method.
        method: &'static str,
        /// The file extension in the URL.
        extension: &'static str,
    },
}
