//! Fetching an upstream's file: only when it changed, a few times if need be, and never from
//! inside the network unless that is asked for. Files of this machine are read as they are.

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

/// How often a fetch is tried before it is given up.
const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_REDIRECTS: usize = 5;
/// No upstream's file comes near this.
const MAX_BYTES: u64 = 256 << 20;
const CONNECT_TIME: Duration = Duration::from_secs(15);
/// How long a server may stay silent.
const READ_TIME: Duration = Duration::from_mins(1);

/// What tells one version of a file from the next.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    /// The entity tag.
    pub etag: Option<String>,
    /// The time of the last change, as the server writes it.
    pub last_modified: Option<String>,
}

/// What an address answered.
#[derive(Debug)]
pub enum Fetched {
    /// A file.
    File {
        /// Its bytes.
        bytes: Vec<u8>,
        /// What to ask with next time.
        validators: Validators,
    },
    /// The same file as last time.
    Unchanged,
}

/// Why a file could not be had.
#[derive(Debug, ThisError)]
pub enum FetchError {
    /// Neither a web address nor one of a file.
    #[error("'{0}' is not an http, https or file address")]
    Address(String),
    /// A file address without an absolute path.
    #[error("'{0}' does not name an absolute path: write file:///path/to/file")]
    RelativeFile(String),
    /// A file of this machine cannot be read.
    #[error("{address} cannot be read: {error}")]
    File {
        /// The file's address.
        address: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// An address inside the network.
    #[error(
        "{0} is a private, link-local or loopback address: pass --allow-private if that is meant"
    )]
    Private(String),
    /// The server said no.
    #[error("{address} answered {status}")]
    Status {
        /// Who answered.
        address: String,
        /// What.
        status: StatusCode,
    },
    /// It led from address to address.
    #[error("{0} redirects more than {MAX_REDIRECTS} times")]
    TooManyRedirects(String),
    /// Far more than any upstream has.
    #[error("{0} sends more than {MAX_BYTES} bytes")]
    TooLarge(String),
    /// The network failed.
    #[error("{}", with_causes(.0))]
    Network(#[from] reqwest::Error),
}

/// An error with everything behind it: the cause is what a reader can act on.
fn with_causes(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// Whether an error of this type is behind another.
fn is_caused_by<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes.any(<dyn Error + 'static>::is::<E>)
}

impl FetchError {
    /// Whether trying again may help.
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

/// Fetches files.
pub struct Fetcher {
    client: Client,
    allow_private: bool,
}

impl Fetcher {
    /// A fetcher that reaches public addresses, and private ones only if told so.
    pub fn new(allow_private: bool) -> Result<Self, FetchError> {
        Self::with(Client::builder(), allow_private)
    }

    /// The same, on what a client is given already.
    fn with(builder: ClientBuilder, allow_private: bool) -> Result<Self, FetchError> {
        let mut builder = builder
            // Each hop is looked at before it is followed.
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIME)
            .read_timeout(READ_TIME)
            .user_agent(concat!("appstitch/", env!("CARGO_PKG_VERSION")));
        if !allow_private {
            builder = builder.dns_resolver(Arc::new(PublicResolver));
        }
        Ok(Self { client: builder.build()?, allow_private })
    }

    /// Fetches a file unless it is the one the validators are of. `progress` is told the bytes
    /// so far, and of how many if that is known. A `file:` address is read from this machine.
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

    /// Follows redirects, looking at each hop first.
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
