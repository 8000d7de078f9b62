use std::{error::Error, time::Duration};

use reqwest::StatusCode;
use thiserror::Error as ThisError;

#[derive(Debug, ThisError)]
pub enum FetchError {
    #[error("'{0}' is not an http, https or file URL")]
    Address(String),
    #[error("'{0}' has no absolute path; use file:///path/to/file")]
    RelativeFile(String),
    #[error("cannot read {address}: {error}")]
    File { address: String, error: std::io::Error },
    #[error(
        "{0} leads to a private, link-local or loopback address; to allow it, use --allow-private"
    )]
    Private(String),
    #[error("{address} returned {status}")]
    Status { address: String, status: StatusCode },
    #[error("{address} redirects more than {limit} times")]
    TooManyRedirects { address: String, limit: usize },
    #[error("{address} is larger than {limit} bytes")]
    TooLarge { address: String, limit: u64 },
    #[error("{address} was not received within {} seconds", .limit.as_secs_f32())]
    OutOfTime { address: String, limit: Duration },
    #[error("{address} is too slow: {received} bytes in {} seconds", .time.as_secs_f32())]
    TooSlow { address: String, received: u64, time: Duration },
    /// URLs are printed and stored.
    #[error("{0}: URLs with a user name or password are not supported")]
    Credentials(String),
    /// The address of the proxy may have a password, so it is not part of the error.
    #[error("invalid proxy: expected http://HOST:PORT or https://HOST:PORT")]
    Proxy,
    #[error("{0} requests are not supported")]
    Method(String),
    #[error("{}", with_causes(.0))]
    Network(#[from] reqwest::Error),
}

/// An error with its causes. The last cause is usually the one a user can act on.
fn with_causes(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

pub(crate) fn is_caused_by<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes.any(<dyn Error + 'static>::is::<E>)
}

impl FetchError {
    /// Whether no connection was made, so that the server did not see the request.
    pub fn is_unsent(&self) -> bool {
        matches!(self, Self::Network(error) if error.is_connect())
    }

    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Network(error) => error.is_timeout(),
            Self::OutOfTime { .. } | Self::TooSlow { .. } => true,
            _ => false,
        }
    }

    /// Whether the error may be temporary, so that a retry is useful.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Network(_) => true,
            Self::Status { status, .. } => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            _ => false,
        }
    }
}
