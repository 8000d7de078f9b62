//! Looks up the Mac App Store's listings of the catalog's bundle identifiers, many with each request.
//!
//! A run that ends early goes on with the others next time, because those that were asked for least
//! recently come first.

mod answer;
mod canary;
mod memory;
mod run;

use std::{collections::BTreeMap, time::Duration};

use appstitch_network::GuardedClient;
use jiff::Timestamp;
use serde_json::value::RawValue;
use thiserror::Error;
use url::Url;

use crate::api_client::{RequestError, RequestLimits};
pub use memory::ListingMemory;
use run::Run;

const ADDRESS: &str = "https://itunes.apple.com/lookup";

#[derive(Debug, Clone)]
pub struct StoreLookup {
    pub address: Url,
    /// The country of the store, such as `us`.
    pub country: String,
}

impl StoreLookup {
    /// Apple's store in a country: two letters. `None` if it is something else.
    pub fn of_country(country: &str) -> Option<Self> {
        let is_country =
            country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_alphabetic());
        let address = Url::parse(ADDRESS).ok()?;
        is_country.then(|| Self { address, country: country.to_ascii_lowercase() })
    }
}

/// The listings of earlier lookups, by bundle identifier.
pub type EarlierListings = BTreeMap<String, Box<RawValue>>;

#[derive(Debug)]
pub struct LookedUp {
    /// All listings that are known now, also those of earlier lookups.
    pub listings: Vec<Box<RawValue>>,
    /// Answers that are no listing of a Mac app. The reader of the source refuses them.
    pub refused: Vec<Box<RawValue>>,
    /// The identifiers whose listings are gone, on a second look.
    pub removed: Vec<String>,
    /// What to give to the next lookup.
    pub memory: ListingMemory,
    /// The number of identifiers that were asked for, and of those that were due but are left for
    /// the next time.
    pub asked: usize,
    pub left: usize,
    pub requests: usize,
    /// Why the lookup ended before all were asked for.
    pub problem: Option<LookupError>,
}

#[derive(Debug, Error)]
pub enum LookupError {
    #[error("{address} returned {status} to several requests; the rest is retried next time")]
    Limited {
        address: Url,
        status: u16,
        /// How long the server asks to wait, if it does.
        wait: Option<Duration>,
    },
    #[error("{address} returned {status}")]
    Status { address: Url, status: u16, wait: Option<Duration> },
    #[error("{address} did not return a lookup response: {why}")]
    Shape { address: Url, why: String },
    #[error("{address}: {error}")]
    Request { address: Url, error: RequestError },
}

/// Looks up what is due of the wanted bundle identifiers, within the limits. What was found before
/// the end counts, however the lookup ends.
pub async fn look_up(
    client: &GuardedClient,
    lookup: &StoreLookup,
    limits: &RequestLimits,
    memory: ListingMemory,
    earlier: &EarlierListings,
    wanted: &[String],
    now: Timestamp,
) -> LookedUp {
    let mut run = Run::new(client, lookup, limits, memory, earlier, wanted, now);
    let problem = run.ask_all().await.err();
    run.end(problem)
}

impl LookedUp {
    /// The listings as a file of the source `store_listing`.
    pub fn file(&self) -> Vec<u8> {
        let records: Vec<&str> =
            self.listings.iter().chain(&self.refused).map(|record| record.get()).collect();
        let count = records.len();
        format!("{{\"resultCount\":{count},\"results\":[{}]}}", records.join(",\n")).into_bytes()
    }
}
