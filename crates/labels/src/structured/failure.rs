//! Why a reader or an evaluator of this module has no result.

use crate::Stopped;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The real tool refuses the input or the expression: it prints a message and no data.
    Refused,
    /// The real tool might have a result, but it is not computed here.
    Stopped(Stopped),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl Failure {
    /// Keeps a stop, and turns a refusal into the output that the real tool leaves.
    pub(super) fn or_refusal(self, refusal: crate::Output) -> Result<crate::Output, Stopped> {
        match self {
            Self::Refused => Ok(refusal),
            Self::Stopped(stopped) => Err(stopped),
        }
    }
}
