//! Fetches a file: only if it changed, with a few retries, and never from private
//! addresses unless allowed. Local files are read directly.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use appstitch_types::without_credentials;
use reqwest::{
    Method, Response, StatusCode, Url,
    header::{ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION},
};

use crate::{
    access::NetworkAccess,
    client::{GuardedClient, head, read_body},
    error::FetchError,
    local,
    pace::Pace,
    wait::requested_wait,
};

const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_REDIRECTS: usize = 5;
/// The default time for one file, with all attempts.
pub const FILE_TIME: Duration = Duration::from_mins(10);
/// Far larger than any upstream's file.
const MAX_BYTES: u64 = 256 << 20;
/// What all files of one fetcher may have together, until it starts over.
const MAX_TOTAL_BYTES: u64 = 1 << 30;
/// A server that asks for a longer pause is asked again by the next refresh.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// The HTTP validators of one version of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

#[derive(Debug)]
pub enum Fetched {
    File { bytes: Vec<u8>, validators: Validators },
    Unchanged,
}

pub struct Fetcher {
    client: GuardedClient,
    pace: Pace,
    /// The bytes that may still arrive.
    left: AtomicU64,
}

impl Fetcher {
    pub fn new(access: &NetworkAccess) -> Result<Self, FetchError> {
        Ok(Self {
            client: GuardedClient::new(access)?,
            pace: Pace::default(),
            left: MAX_TOTAL_BYTES.into(),
        })
    }

    /// From now on, all files together may be as large as at the beginning again.
    pub fn start_over(&self) {
        self.left.store(MAX_TOTAL_BYTES, Ordering::Relaxed);
    }

    /// Fetches a file unless it still matches the validators. All attempts together end after
    /// `limit`, and an attempt ends when the server sends too slowly. `progress` is called with the
    /// number of bytes received and the total, if known. A `file:` URL is read locally.
    pub async fn fetch(
        &self,
        address: &str,
        known: &Validators,
        limit: Duration,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, FetchError> {
        self.fetch_at_most(address, known, limit, MAX_BYTES, progress).await
    }

    /// The same for a file that must not have more than `most` bytes.
    pub async fn fetch_at_most(
        &self,
        address: &str,
        known: &Validators,
        limit: Duration,
        most: u64,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, FetchError> {
        let allowed = most.min(MAX_BYTES);
        let most = allowed.min(self.left.load(Ordering::Relaxed));
        let fetched = async {
            if local::is_local(address) {
                // It has no validators, so it is read every time.
                let bytes = local::read(address, most).await?;
                self.arrived(bytes.len());
                Ok(Fetched::File { bytes, validators: Validators::default() })
            } else {
                self.try_often(address, known, most, progress).await
            }
        };
        let out_of_time = |_| FetchError::OutOfTime { address: address.to_owned(), limit };
        match tokio::time::timeout(limit, fetched).await.map_err(out_of_time)? {
            Err(FetchError::TooLarge { address, .. }) if most < allowed => {
                Err(FetchError::TooMuch { address, limit: MAX_TOTAL_BYTES })
            }
            result => result,
        }
    }

    async fn try_often(
        &self,
        address: &str,
        known: &Validators,
        most: u64,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, FetchError> {
        let mut pause = FIRST_PAUSE;
        let mut attempt = 1;
        loop {
            match self.try_once(address, known, most, progress).await {
                Err(error)
                    if attempt < ATTEMPTS
                        && error.may_pass()
                        && error.wait().is_none_or(|wait| wait <= LONGEST_WAIT) =>
                {
                    tokio::time::sleep(error.wait().unwrap_or_default().max(pause)).await;
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
        most: u64,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, FetchError> {
        let response = self.follow(address, known).await?;
        match response.status() {
            StatusCode::NOT_MODIFIED => return Ok(Fetched::Unchanged),
            status if status.is_success() => {}
            status => {
                let wait = requested_wait(&head(&response));
                return Err(FetchError::Status { address: address.to_owned(), status, wait });
            }
        }
        let text = |name| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let validators = Validators { etag: text(ETAG), last_modified: text(LAST_MODIFIED) };
        let bytes = read_body(response, address, most, self.pace, progress).await?;
        self.arrived(bytes.len());
        Ok(Fetched::File { bytes, validators })
    }

    fn arrived(&self, bytes: usize) {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(bytes as u64), Ordering::Relaxed);
    }

    async fn follow(&self, address: &str, known: &Validators) -> Result<Response, FetchError> {
        let no_address = || FetchError::Address(without_credentials(address));
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
                    url = url
                        .join(target)
                        .map_err(|_| FetchError::Address(without_credentials(target)))?;
                }
            }
        }
        Err(FetchError::TooManyRedirects { address: address.to_owned(), limit: MAX_REDIRECTS })
    }
}

#[cfg(test)]
mod slow_tests;
#[cfg(test)]
mod tests;
