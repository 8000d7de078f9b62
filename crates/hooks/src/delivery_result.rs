//! How an attempt to deliver a message ended.

use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeliveryResult {
    Response {
        status: u16,
        retry_after: Option<Duration>,
    },
    /// There was no response; the text says why and has no address.
    NoResponse(String),
}

impl DeliveryResult {
    pub(crate) const fn is_delivered(&self) -> bool {
        matches!(self, Self::Response { status: 200..=299, .. })
    }

    pub(crate) const fn status(&self) -> Option<u16> {
        match self {
            Self::Response { status, .. } => Some(*status),
            Self::NoResponse(_) => None,
        }
    }

    /// What went wrong; `None` if nothing did.
    pub(crate) fn error(&self) -> Option<String> {
        match self {
            Self::NoResponse(why) => Some(why.clone()),
            Self::Response { status: 200..=299, .. } => None,
            Self::Response { status: status @ 300..=399, .. } => {
                Some(format!("status {status}: redirects are not followed"))
            }
            Self::Response { status, .. } => Some(format!("status {status}")),
        }
    }
}
