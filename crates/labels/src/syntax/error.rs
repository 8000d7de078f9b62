//! Text that is not the language this crate knows.

use thiserror::Error;

/// Why a fragment cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub(crate) struct SyntaxError {
    pub(crate) line: usize,
    pub(crate) what: String,
}
