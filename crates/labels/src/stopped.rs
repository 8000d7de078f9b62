//! Why a value cannot be computed.

use appstitch_budget::shortened;
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Stopped {
    /// Something that the interpreter does not know, such as "awk: getline is not supported".
    #[error("{0}")]
    Unsupported(String),
    #[error("{0}")]
    TooMuch(&'static str),
    /// The network cannot be used, or did not answer.
    #[error("{0}")]
    Network(String),
}

impl Stopped {
    pub fn unsupported(command: &str, what: impl std::fmt::Display) -> Self {
        Self::Unsupported(format!("{command}: {what} is not supported"))
    }

    /// The same with a text of at most some hundred bytes. Reasons quote what a label or a server
    /// wrote, and are copied to every value that depends on it.
    #[must_use]
    pub(crate) fn shortened(self) -> Self {
        match self {
            Self::Unsupported(text) => Self::Unsupported(shortened(text, MOST)),
            Self::Network(text) => Self::Network(shortened(text, MOST)),
            limit @ Self::TooMuch(_) => limit,
        }
    }
}

/// How long a reason may be, in bytes.
const MOST: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reasons_are_shortened() {
        let long = Stopped::unsupported("curl", "é".repeat(10_000)).shortened();
        assert!(long.to_string().len() <= MOST + '…'.len_utf8());
        let short = Stopped::unsupported("curl", "-T");
        assert_eq!(short.clone().shortened(), short);
    }
}
