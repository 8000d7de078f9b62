//! Fetches an upstream's file: only if it changed, with a few retries, and never from private
//! addresses unless allowed. Local files are read directly.

mod client;
mod guard;
mod local;

use std::{error::Error, time::Duration};

use reqwest::{
    Method, Response, StatusCode, Url,
    header::{ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION},
};
use thiserror::Error as ThisError;

use client::read_body;
pub use client::{GuardedClient, Incoming, Outgoing};

/// The number of attempts before a fetch fails.
const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_REDIRECTS: usize = 5;
/// Far larger than any upstream's file.
const MAX_BYTES: u64 = 256 << 20;

/// The HTTP validators of one version of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    /// The entity tag.
    pub etag: Option<String>,
    /// The time of the last change, as sent by the server.
    pub last_modified: Option<String>,
}

/// The result of a fetch.
#[derive(Debug)]
pub enum Fetched {
    /// The file was fetched.
    File {
        /// The file's bytes.
        bytes: Vec<u8>,
        /// The validators to send with the next request.
        validators: Validators,
    },
    /// The file has not changed since the last fetch.
    Unchanged,
}

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
fn is_caused_by<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
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
        matches!(self, Self::Network(error) if error.is_timeout())
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

/// Fetches files over HTTP and from the local file system.
pub struct Fetcher {
    client: GuardedClient,
}

impl Fetcher {
    /// Creates a fetcher. It connects to private addresses only if `allow_private` is set.
    pub fn new(allow_private: bool) -> Result<Self, FetchError> {
        Ok(Self { client: GuardedClient::new(allow_private, &[])? })
    }

    /// Fetches a file unless it still matches the validators. `progress` is called with the
    /// number of bytes received and the total, if known. A `file:` URL is read locally.
    pub async fn fetch(
        &self,
        address: &str,
        known: &Validators,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, FetchError> {
        if local::is_local(address) {
            return local::read(address).await;
        }
        let mut pause = FIRST_PAUSE;
        let mut attempt = 1;
        loop {
            match self.try_once(address, known, progress).await {
                Err(error) if attempt < ATTEMPTS && error.may_pass() => {
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    async fn try_once(
        &self,
        address: &str,
        known: &Validators,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, FetchError> {
        let response = self.follow(address, known).await?;
        match response.status() {
            StatusCode::NOT_MODIFIED => return Ok(Fetched::Unchanged),
            status if status.is_success() => {}
            status => return Err(FetchError::Status { address: address.to_owned(), status }),
        }
        let text = |name| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let validators = Validators { etag: text(ETAG), last_modified: text(LAST_MODIFIED) };
        let bytes = read_body(response, address, MAX_BYTES, progress).await?;
        Ok(Fetched::File { bytes, validators })
    }

    /// Follows redirects and checks each URL before it connects.
    async fn follow(&self, address: &str, known: &Validators) -> Result<Response, FetchError> {
        let no_address = || FetchError::Address(address.to_owned());
        let mut url = Url::parse(address).map_err(|_| no_address())?;
        for _ in 0..=MAX_REDIRECTS {
            let conditional = |mut request: reqwest::RequestBuilder| {
                if let Some(etag) = &known.etag {
                    request = request.header(IF_NONE_MATCH, etag);
                }
                if let Some(time) = &known.last_modified {
                    request = request.header(IF_MODIFIED_SINCE, time);
                }
                request
            };
            let response = self.client.send(&url, Method::GET, conditional).await?;
            let target = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            match target.filter(|_| response.status().is_redirection()) {
                None => return Ok(response),
                Some(target) => {
                    url = url.join(target).map_err(|_| FetchError::Address(target.to_owned()))?;
                }
            }
        }
        Err(FetchError::TooManyRedirects(address.to_owned()))
    }
}

#[cfg(test)]
mod tests;
