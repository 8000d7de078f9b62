//! Why a value cannot be computed.

use thiserror::Error;

/// Why a value cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Stopped {
    /// Something that the interpreter does not know, such as "awk: getline is not supported".
    #[error("{0}")]
    Unsupported(String),
    /// A limit is reached.
    #[error("{0}")]
    TooMuch(&'static str),
    /// The network cannot be used, or did not answer.
    #[error("{0}")]
    Network(String),
}

impl Stopped {
    /// Something that a command does not support.
    #[must_use]
    pub fn unsupported(command: &str, what: impl std::fmt::Display) -> Self {
        Self::Unsupported(format!("{command}: {what} is not supported"))
    }
}
