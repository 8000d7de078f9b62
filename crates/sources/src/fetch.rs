//! Fetches an upstream's file: only if it changed, with a few retries, and never from private
//! addresses unless allowed. Local files are read directly.

mod guard;
mod local;

use std::{error::Error, sync::Arc, time::Duration};

use reqwest::{
    Client, ClientBuilder, Response, StatusCode, Url,
    header::{ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION},
    redirect,
};
use thiserror::Error as ThisError;

use guard::{PrivateName, PublicResolver, is_public_host};

/// The number of attempts before a fetch fails.
const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_REDIRECTS: usize = 5;
/// Far larger than any upstream's file.
const MAX_BYTES: u64 = 256 << 20;
const CONNECT_TIME: Duration = Duration::from_secs(15);
/// How long a server may send nothing.
const READ_TIME: Duration = Duration::from_mins(1);

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
    #[error("{0} is larger than {MAX_BYTES} bytes")]
    TooLarge(String),
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
    /// Whether the error may be temporary, so that a retry is useful.
    fn may_pass(&self) -> bool {
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
    client: Client,
    allow_private: bool,
}

impl Fetcher {
    /// Creates a fetcher. It connects to private addresses only if `allow_private` is set.
    pub fn new(allow_private: bool) -> Result<Self, FetchError> {
        Self::with(Client::builder(), allow_private)
    }

    /// Like [`Self::new`], with a preconfigured client builder.
    fn with(builder: ClientBuilder, allow_private: bool) -> Result<Self, FetchError> {
        let mut builder = builder
            // `follow` checks each redirect target before it connects.
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIME)
            .read_timeout(READ_TIME)
            .user_agent(concat!("appstitch/", env!("CARGO_PKG_VERSION")));
        if !allow_private {
            builder = builder.dns_resolver(Arc::new(PublicResolver));
        }
        Ok(Self { client: builder.build()?, allow_private })
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
        let mut response = self.follow(address, known).await?;
        match response.status() {
            StatusCode::NOT_MODIFIED => return Ok(Fetched::Unchanged),
            status if status.is_success() => {}
            status => return Err(FetchError::Status { address: address.to_owned(), status }),
        }
        let text = |name| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let validators = Validators { etag: text(ETAG), last_modified: text(LAST_MODIFIED) };
        let total = response.content_length();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() as u64 > MAX_BYTES {
                return Err(FetchError::TooLarge(address.to_owned()));
            }
            progress(bytes.len() as u64, total);
        }
        Ok(Fetched::File { bytes, validators })
    }

    /// Follows redirects and checks each URL before it connects.
    async fn follow(&self, address: &str, known: &Validators) -> Result<Response, FetchError> {
        let no_address = || FetchError::Address(address.to_owned());
        let mut url = Url::parse(address).map_err(|_| no_address())?;
        for _ in 0..=MAX_REDIRECTS {
            if !matches!(url.scheme(), "http" | "https") {
                return Err(FetchError::Address(url.to_string()));
            }
            if !self.allow_private && !is_public_host(&url) {
                return Err(FetchError::Private(url.to_string()));
            }
            let mut request = self.client.get(url.clone());
            if let Some(etag) = &known.etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            if let Some(time) = &known.last_modified {
                request = request.header(IF_MODIFIED_SINCE, time);
            }
            let response = request.send().await.map_err(|error| {
                if is_caused_by::<PrivateName>(&error) {
                    FetchError::Private(url.to_string())
                } else {
                    FetchError::Network(error)
                }
            })?;
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
