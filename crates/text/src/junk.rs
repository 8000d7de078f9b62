//! What cannot be the result of running a label.
//!
//! A label can succeed and still give junk: a word, a path, a piece of a web page. Every value that
//! was found is checked here before it is stored and before it is served. Nothing is repaired
//! except blanks at the ends and a separator that the label's filters left behind.

mod address;
mod version;

use thiserror::Error;

pub use address::check_found_address;
pub use version::check_found_version;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Junk {
    #[error("it is empty")]
    Empty,
    #[error("it is longer than {0} characters")]
    TooLong(usize),
    #[error("it contains {0:?}")]
    Character(char),
    #[error("it is an address")]
    IsAddress,
    #[error("it is a file name")]
    IsFileName,
    #[error("it is an architecture")]
    IsArchitecture,
    #[error("it has no digit")]
    NoDigit,
    #[error("it starts with {0:?}")]
    Start(char),
    #[error("it contains the word '{0}'")]
    Word(String),
    #[error("it is not an HTTP or HTTPS URL")]
    NoAddress,
    #[error("it contains {0}, so it was not decoded")]
    Escaped(&'static str),
    #[error("it has a user name or password")]
    Credentials,
    #[error("its host '{0}' has no domain")]
    Host(String),
    #[error("it is a page of {0}, not a file")]
    RepositoryPage(String),
}
