//! The titles of a Jamf Pro server: all App Installers with their details, and its catalog of patch
//! titles.
//!
//! The titles are the same on every server. Jamf does not document the endpoints of the titles, so
//! an answer of another shape is told as such and nothing of it is used.

mod details;
mod listing;
mod merge;
mod session;

use std::{collections::BTreeMap, time::Duration};

use appstitch_network::GuardedClient;
use appstitch_resolver::Secret;
use serde_json::value::RawValue;
use thiserror::Error;
use url::Url;

use crate::api_client::{RequestError, RequestLimits};
use session::Session;

/// The patch catalog has some hundred kilobytes.
const MAX_PATCH_TITLES: usize = 16 << 20;

#[derive(Debug, Clone)]
pub struct TitlesServer {
    /// Such as `https://example.jamfcloud.com`.
    pub address: Url,
    pub client_id: String,
    pub secret: Secret,
}

/// The titles of earlier sweeps, by id.
pub type EarlierTitles = BTreeMap<String, Box<RawValue>>;

/// What is asked of a server.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    pub titles: bool,
    pub patch_titles: bool,
}

/// What a server gave; `None` for what it was not asked. One part can fail without the other.
#[derive(Debug)]
pub struct Sweep {
    pub titles: Option<Result<Titles, SweepError>>,
    /// The patch catalog as the server sent it: JSON or XML.
    pub patch_titles: Option<Result<Vec<u8>, SweepError>>,
}

#[derive(Debug)]
pub struct Titles {
    /// In the order of the server, each with its details if they are known.
    pub records: Vec<Box<RawValue>>,
    /// The titles whose details could not be read. They have the details of an earlier sweep, if any.
    pub without_details: Vec<FailedDetails>,
    /// Titles that this sweep did not see, but kept because the server's list changed while it was read.
    pub kept: usize,
}

#[derive(Debug)]
pub struct FailedDetails {
    pub id: String,
    pub why: String,
}

#[derive(Debug, Error)]
pub enum SweepError {
    #[error("{0} is not encrypted, and the client secret would be sent to it; use https")]
    NotEncrypted(String),
    #[error("{address} refused the client ID or the client secret ({status})")]
    Credentials { address: String, status: u16 },
    #[error("{address} returned 401 although the token is new")]
    Token { address: String },
    #[error("{address} returned 403: the API client lacks a privilege to read it")]
    Forbidden { address: String },
    #[error(
        "{address} returned 404: the server does not offer it; Jamf does not document this address, \
         so it may have changed"
    )]
    Missing { address: String },
    #[error("{address} returned {status}")]
    Status {
        address: String,
        status: u16,
        /// How long the server asks to wait, if it does.
        wait: Option<Duration>,
    },
    #[error("{address} returned an unexpected answer: {why}")]
    Shape { address: String, why: String },
    #[error("{address}: {error}")]
    Request { address: String, error: RequestError },
}

/// Reads what is asked for with one token. Fails only if the server gives no token.
pub async fn sweep(
    client: &GuardedClient,
    server: &TitlesServer,
    limits: &RequestLimits,
    asked: Asked,
    earlier: &EarlierTitles,
) -> Result<Sweep, SweepError> {
    let session = Session::start(client, server, limits).await?;
    let listing = if asked.titles { Some(listing::read(&session).await) } else { None };
    // Before the details, which are many and may use up the time.
    let patch_titles = if asked.patch_titles { Some(patch_titles(&session).await) } else { None };
    let titles = match listing {
        Some(Ok(listing)) => Some(Ok(details::complete(&session, listing, earlier).await)),
        Some(Err(error)) => Some(Err(error)),
        None => None,
    };
    Ok(Sweep { titles, patch_titles })
}

async fn patch_titles(session: &Session<'_>) -> Result<Vec<u8>, SweepError> {
    let address = session.address(&["JSSResource", "patchavailabletitles", "sourceid", "1"]);
    let mut result = session.get(&address, "application/json", MAX_PATCH_TITLES).await;
    if let Err(SweepError::Status { status: 406 | 415, .. }) = result {
        result = session.get(&address, "application/xml", MAX_PATCH_TITLES).await;
    }
    let body = result?;
    match body.trim_ascii_start().first() {
        Some(b'{' | b'[' | b'<') => Ok(body),
        _ => Err(SweepError::Shape {
            address: address.to_string(),
            why: "neither JSON nor XML".to_owned(),
        }),
    }
}

impl Titles {
    /// The titles as a file of the source `mdm_installer`.
    pub fn file(&self) -> Vec<u8> {
        let records: Vec<&str> = self.records.iter().map(|record| record.get()).collect();
        let count = records.len();
        format!("{{\"totalCount\":{count},\"results\":[{}]}}", records.join(",\n")).into_bytes()
    }
}
