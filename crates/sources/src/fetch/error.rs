//! Why a fetch failed.

use std::{error::Error, time::Duration};

use reqwest::StatusCode;
use thiserror::Error as ThisError;

use super::MAX_REDIRECTS;

/// Why a fetch failed.
#[derive(Debug, ThisError)]
pub enum FetchError {
    /// Not an `http`, `https` or `file` URL.
    #[error("'{0}' is not an http, https or file URL")]
    Address(String),
    /// A `file` URL without an absolute path.
    #[error("'{0}' has no absolute path; use file:///path/to/file")]
    RelativeFile(String),
    /// A local file cannot be read.
    #[error("cannot read {address}: {error}")]
    File {
        /// The file's URL.
        address: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A URL whose host has no public address.
    #[error(
        "{0} leads to a private, link-local or loopback address; to allow it, use --allow-private"
    )]
    Private(String),
    /// The server returned an error.
    #[error("{address} returned {status}")]
    Status {
        /// The requested URL.
        address: String,
        /// The status of the response.
        status: StatusCode,
    },
    /// Too many redirects.
    #[error("{0} redirects more than {MAX_REDIRECTS} times")]
    TooManyRedirects(String),
    /// The file exceeds the size limit.
    #[error("{address} is larger than {limit} bytes")]
    TooLarge {
        /// The requested URL.
        address: String,
        /// The size limit.
        limit: u64,
    },
    /// The file was not received in time.
    #[error("{address} was not received within {} seconds", .limit.as_secs_f32())]
    OutOfTime {
        /// The requested URL.
        address: String,
        /// The time limit.
        limit: Duration,
    },
    /// The server sends too slowly.
    #[error("{address} is too slow: {received} bytes in {} seconds", .time.as_secs_f32())]
    TooSlow {
        /// The requested URL.
        address: String,
        /// The number of bytes that arrived last.
        received: u64,
        /// The time in which they arrived.
        time: Duration,
    },
    /// A URL with a user name or password. URLs are printed and stored.
    #[error("{0}: URLs with a user name or password are not supported")]
    Credentials(String),
    /// The address of the proxy is not valid. It may have a password, so it is not part of the error.
    #[error("invalid proxy: expected http://HOST:PORT or https://HOST:PORT")]
    Proxy,
    /// A method that is not used.
    #[error("{0} requests are not supported")]
    Method(String),
    /// The request failed.
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

/// Whether an error or one of its causes has type `E`.
pub(super) fn is_caused_by<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes.any(<dyn Error + 'static>::is::<E>)
}

impl FetchError {
    /// Whether no connection was made, so that the server did not see the request.
    #[must_use]
    pub fn is_unsent(&self) -> bool {
        matches!(self, Self::Network(error) if error.is_connect())
    }

    /// Whether the time was over.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Network(error) => error.is_timeout(),
            Self::OutOfTime { .. } | Self::TooSlow { .. } => true,
            _ => false,
        }
    }

    /// Whether the error may be temporary, so that a retry is useful.
    #[must_use]
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
