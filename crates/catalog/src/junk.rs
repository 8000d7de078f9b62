//! What cannot be the result of running a label.
//!
//! A label can succeed and still give junk: a word, a path, a piece of a web page. Every value that
//! somebody found is checked here before it is stored and before it is served. Nothing is repaired
//! except blanks at the ends and a separator that the label's filters left behind.

mod address;
mod version;

use thiserror::Error;

pub use address::check_found_address;
pub use version::check_found_version;

/// Why a found value is rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Junk {
    /// Nothing but blanks.
    #[error("it is empty")]
    Empty,
    /// Longer than any version.
    #[error("it is longer than {0} characters")]
    TooLong(usize),
    /// A character that versions and URLs do not have.
    #[error("it contains {0:?}")]
    Character(char),
    /// A URL instead of a version.
    #[error("it is an address")]
    IsAddress,
    /// A file name instead of a version.
    #[error("it is a file name")]
    IsFileName,
    /// The name of a processor architecture instead of a version.
    #[error("it is an architecture")]
    IsArchitecture,
    /// A version without a digit.
    #[error("it has no digit")]
    NoDigit,
    /// The start of the version is missing.
    #[error("it starts with {0:?}")]
    Start(char),
    /// A word that is not part of versions.
    #[error("it contains the word '{0}'")]
    Word(String),
    /// Not an `http` or `https` URL.
    #[error("it is not an HTTP or HTTPS URL")]
    NoAddress,
    /// The host has no domain.
    #[error("its host '{0}' has no domain")]
    Host(String),
    /// A page of a repository host instead of a file.
    #[error("it is a page of {0}, not a file")]
    RepositoryPage(String),
}
