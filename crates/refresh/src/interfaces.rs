//! Fetches what is not a file: the titles of a server, and the listings of the store.

use std::time::Duration;

use appstitch_network::GuardedClient;
use jiff::Timestamp;

use crate::{
    api_client::RequestLimits,
    file_report::FetchFailure,
    remembered::Remembered,
    store_lookup::{ListingMemory, LookupError, StoreLookup, look_up},
    titles_server::{Asked, EarlierTitles, FailedDetails, Sweep, SweepError, Titles, sweep},
    upstream_config::TitlesSettings,
};

/// What a server gave, in the form of a file.
pub(crate) struct Answered {
    /// `None` if there is nothing, and was nothing before.
    pub(crate) file: Option<Vec<u8>>,
    /// What is missing, as entries and reasons. It is no failure.
    pub(crate) notes: Vec<(String, String)>,
    /// Why it ended early, although there is something.
    pub(crate) problem: Option<FetchFailure>,
}

/// The address under which the titles of a server are stored.
pub(crate) fn titles_address(titles: &TitlesSettings) -> String {
    format!("{}/api/v1/app-installers/titles", titles.server.as_str().trim_end_matches('/'))
}

/// The same for its catalog of patches.
pub(crate) fn patch_titles_address(titles: &TitlesSettings) -> String {
    let server = titles.server.as_str().trim_end_matches('/');
    format!("{server}/JSSResource/patchavailabletitles/sourceid/1")
}

/// The address under which the listings of a store are stored.
pub(crate) fn lookup_address(lookup: &StoreLookup) -> String {
    let mut address = lookup.address.clone();
    address.query_pairs_mut().append_pair("country", &lookup.country);
    address.to_string()
}

/// What a titles server gave; `None` for what it was not asked.
pub(crate) struct ServerAnswer {
    pub(crate) titles: Option<Result<Answered, FetchFailure>>,
    pub(crate) patch_titles: Option<Result<Answered, FetchFailure>>,
}

pub(crate) async fn titles(
    client: &GuardedClient,
    settings: &TitlesSettings,
    asked: Asked,
    time: Duration,
    earlier: &EarlierTitles,
) -> ServerAnswer {
    let failed = |failure: FetchFailure| ServerAnswer {
        titles: asked.titles.then(|| Err(failure.clone())),
        patch_titles: asked.patch_titles.then(|| Err(failure.clone())),
    };
    let limits = RequestLimits::titles();
    let limits = RequestLimits { time: time.min(limits.time), ..limits };
    let server = match settings.with_secret() {
        Ok(server) => server,
        Err(error) => {
            let public = "the client secret cannot be read".to_owned();
            return failed(FetchFailure { why: error.to_string(), public, wait: None });
        }
    };
    let Sweep { titles, patch_titles } = match sweep(client, &server, &limits, asked, earlier).await
    {
        Ok(swept) => swept,
        Err(error) => return failed(error.into()),
    };
    let whole = |file| Answered { file: Some(file), notes: Vec::new(), problem: None };
    ServerAnswer {
        titles: titles.map(|titles| titles.map(answered).map_err(FetchFailure::from)),
        patch_titles: patch_titles.map(|file| file.map(whole).map_err(FetchFailure::from)),
    }
}

fn answered(titles: Titles) -> Answered {
    let note = |failed: &FailedDetails| {
        let why = format!("the details cannot be read: {}", failed.why);
        (format!("title {}", failed.id), why)
    };
    let notes = titles.without_details.iter().map(note).collect();
    Answered { file: Some(titles.file()), notes, problem: None }
}

/// The listings, and what to remember until the next time.
pub(crate) async fn listings(
    client: &GuardedClient,
    lookup: &StoreLookup,
    time: Duration,
    remembered: &Remembered,
) -> (Result<Answered, FetchFailure>, Option<ListingMemory>) {
    if remembered.wanted.is_empty() {
        let why = "the catalog has no bundle identifiers to ask for yet";
        return (Err(FetchFailure::new(why)), None);
    }
    let limits = RequestLimits::lookup();
    let limits = RequestLimits { time: time.min(limits.time), ..limits };
    let Remembered { listings, memory, wanted, .. } = remembered;
    let found =
        look_up(client, lookup, &limits, memory.clone(), listings, wanted, Timestamp::now()).await;
    tracing::debug!(
        asked = found.asked,
        left = found.left,
        requests = found.requests,
        listings = found.listings.len(),
        removed = found.removed.len(),
        "looked up listings"
    );
    let is_empty = found.listings.is_empty() && found.refused.is_empty() && listings.is_empty();
    let file = (!is_empty).then(|| found.file());
    let answered = match found.problem.map(FetchFailure::from) {
        // Nothing was received, and what is held is as old as before.
        Some(failure) if found.asked == 0 => Err(failure),
        problem => Ok(Answered { file, notes: Vec::new(), problem }),
    };
    (answered, Some(found.memory))
}

impl From<SweepError> for FetchFailure {
    fn from(error: SweepError) -> Self {
        let public = match &error {
            SweepError::NotEncrypted(_) => "the titles server is not encrypted".to_owned(),
            SweepError::Credentials { .. } => {
                "the titles server refused the client ID or the client secret".to_owned()
            }
            SweepError::Token { .. } => "the titles server refused its own token".to_owned(),
            SweepError::Forbidden { .. } => {
                "the client of the titles server lacks a privilege".to_owned()
            }
            SweepError::Missing { .. } => "the titles server returned 404".to_owned(),
            SweepError::Status { status, .. } => format!("the titles server returned {status}"),
            SweepError::Shape { .. } => {
                "the titles server returned something else than expected".to_owned()
            }
            SweepError::Request { error, .. } => error.public_reason("the titles server"),
        };
        let wait = match &error {
            SweepError::Status { wait, .. } => *wait,
            _ => None,
        };
        Self { why: error.to_string(), public, wait }
    }
}

impl From<LookupError> for FetchFailure {
    fn from(error: LookupError) -> Self {
        let public = match &error {
            LookupError::Limited { status, .. } | LookupError::Status { status, .. } => {
                format!("the store returned {status}")
            }
            LookupError::Shape { .. } => {
                "the store returned something else than expected".to_owned()
            }
            LookupError::Request { error, .. } => error.public_reason("the store"),
        };
        let wait = match &error {
            LookupError::Limited { wait, .. } | LookupError::Status { wait, .. } => *wait,
            _ => None,
        };
        Self { why: error.to_string(), public, wait }
    }
}
