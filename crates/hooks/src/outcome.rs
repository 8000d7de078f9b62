//! How an attempt to deliver a message ended.

use std::time::Duration;

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The receiver answered.
    Answered {
        status: u16,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// There was no answer; the text says why and has no address.
    Unanswered(String),
}

impl Outcome {
    /// Whether the message arrived.
    pub(crate) const fn is_delivered(&self) -> bool {
        matches!(self, Self::Answered { status: 200..=299, .. })
    }

    pub(crate) const fn status(&self) -> Option<u16> {
        match self {
            Self::Answered { status, .. } => Some(*status),
            Self::Unanswered(_) => None,
        }
    }

    /// What went wrong; `None` if nothing did.
    pub(crate) fn error(&self) -> Option<String> {
        match self {
            Self::Unanswered(why) => Some(why.clone()),
            Self::Answered { status: 200..=299, .. } => None,
            Self::Answered { status: status @ 300..=399, .. } => {
                Some(format!("status {status}: redirects are not followed"))
            }
            Self::Answered { status, .. } => Some(format!("status {status}")),
        }
    }
}
