//! One run of lookups.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use appstitch_network::{GuardedClient, requested_wait};
use jiff::Timestamp;
use serde_json::value::RawValue;
use url::{Url, form_urlencoded::byte_serialize};

use super::{
    EarlierListings, LookedUp, LookupError, StoreLookup,
    answer::LookupAnswer,
    canary::Canary,
    memory::{Answer, ListingMemory},
};
use crate::api_client::{ApiClient, ApiRequest, RequestLimits};

/// The most identifiers of one request.
const AT_A_TIME: usize = 150;
const MAX_ANSWER_BYTES: usize = 32 << 20;
const LONGEST_ID: usize = 155;

pub(super) struct Run<'c> {
    api: ApiClient<'c>,
    lookup: &'c StoreLookup,
    now: Timestamp,
    memory: ListingMemory,
    /// All listings, by key. A key is a bundle identifier in lower case.
    held: BTreeMap<String, Box<RawValue>>,
    /// The wanted identifiers as they are written, by key.
    wanted: BTreeMap<String, String>,
    due: VecDeque<String>,
    canary: Canary,
    at_a_time: usize,
    asked: usize,
    refused: Vec<Box<RawValue>>,
    removed: Vec<String>,
}

enum Outcome {
    Answer(LookupAnswer),
    /// The server does not take so many at a time.
    TooMany,
}

impl<'c> Run<'c> {
    pub(super) fn new(
        client: &'c GuardedClient,
        lookup: &'c StoreLookup,
        limits: &RequestLimits,
        memory: ListingMemory,
        earlier: &EarlierListings,
        wanted: &[String],
        now: Timestamp,
    ) -> Self {
        let memory = memory.of_country(&lookup.country);
        let key = |id: &String| id.to_ascii_lowercase();
        let held: BTreeMap<String, Box<RawValue>> =
            earlier.iter().map(|(id, record)| (key(id), record.clone())).collect();
        let can_ask = |id: &&String| is_bundle_id(id);
        let wanted: BTreeMap<String, String> =
            wanted.iter().filter(can_ask).map(|id| (key(id), id.clone())).collect();
        let due = memory.due(wanted.keys(), |key| held.contains_key(key), now);
        let listed = memory.asked.iter().filter(|(key, asked)| {
            asked.answer == Answer::Listed && held.contains_key(*key) && is_bundle_id(key)
        });
        let canary = listed
            .max_by_key(|(_, asked)| asked.at)
            .map_or(Canary::Supposed, |(key, _)| Canary::Listed(key.clone()));
        // A server that took only a few may take more by now.
        let at_a_time = match memory.at_a_time {
            0 => AT_A_TIME,
            learned => learned.saturating_mul(2).min(AT_A_TIME),
        };
        Self {
            api: ApiClient::new(client, limits.clone()),
            lookup,
            now,
            memory,
            held,
            wanted,
            due: due.into(),
            canary,
            at_a_time,
            asked: 0,
            refused: Vec::new(),
            removed: Vec::new(),
        }
    }

    pub(super) async fn ask_all(&mut self) -> Result<(), LookupError> {
        while !self.due.is_empty() && !self.api.is_over() {
            let batch = self.next_batch();
            let outcome = match self.ask_batch(&batch).await {
                Ok(outcome) => outcome,
                Err(LookupError::Request { error, .. }) if error.is_limit() => {
                    batch.into_iter().rev().for_each(|key| self.due.push_front(key));
                    return Ok(());
                }
                Err(error) => {
                    for key in &batch {
                        self.memory.note_failure(key, self.now);
                    }
                    self.due.extend(batch);
                    return Err(error);
                }
            };
            match outcome {
                Outcome::Answer(answer) => self.take(&batch, answer),
                Outcome::TooMany if batch.len() == 1 => {
                    self.memory.note_failure(&batch[0], self.now);
                }
                Outcome::TooMany => {
                    self.at_a_time = batch.len().div_ceil(2);
                    batch.into_iter().rev().for_each(|key| self.due.push_front(key));
                }
            }
        }
        Ok(())
    }

    /// The next identifiers, with a place left for the canary.
    fn next_batch(&mut self) -> Vec<String> {
        let has_canary = self.canary.key().is_some();
        let places = if has_canary { self.at_a_time - 1 } else { self.at_a_time }.max(1);
        self.due.drain(..places.min(self.due.len())).collect()
    }

    /// Asks for a batch, and makes sure that an answer without some of it is complete.
    async fn ask_batch(&mut self, batch: &[String]) -> Result<Outcome, LookupError> {
        if batch.len() == 1 {
            return self.ask(batch).await;
        }
        let canary = self.canary.key().map(str::to_owned);
        let mut keys = batch.to_vec();
        if let Some(canary) = &canary {
            // The last one, because a server that takes only some takes the first ones.
            keys.retain(|key| key != canary);
            keys.push(canary.clone());
        }
        let answer = match self.ask(&keys).await? {
            Outcome::Answer(answer) => answer,
            Outcome::TooMany => return Ok(Outcome::TooMany),
        };
        let has = |answer: &LookupAnswer, key: &str| answer.listings.contains_key(key);
        match canary {
            Some(canary) if !has(&answer, &canary) => {
                if let Outcome::Answer(alone) = self.ask(std::slice::from_ref(&canary)).await?
                    && has(&alone, &canary)
                {
                    self.canary = Canary::Listed(canary);
                    return Ok(Outcome::TooMany);
                }
                self.canary = self.canary.lost();
                self.choose_canary(&answer);
                Ok(self.probe(batch, answer).await?)
            }
            Some(canary) => {
                self.canary = Canary::Listed(canary);
                Ok(Outcome::Answer(answer))
            }
            None => Ok(self.probe(batch, answer).await?),
        }
    }

    /// Without a canary, an empty answer is checked by one of the identifiers alone.
    async fn probe(
        &mut self,
        batch: &[String],
        answer: LookupAnswer,
    ) -> Result<Outcome, LookupError> {
        if !answer.listings.is_empty() || batch.is_empty() {
            return Ok(Outcome::Answer(answer));
        }
        // One that has had a listing says most.
        let first = batch.iter().find(|key| self.held.contains_key(*key)).unwrap_or(&batch[0]);
        if let Outcome::Answer(alone) = self.ask(std::slice::from_ref(first)).await?
            && alone.listings.contains_key(first)
        {
            self.canary = Canary::Listed(first.clone());
            return Ok(Outcome::TooMany);
        }
        Ok(Outcome::Answer(answer))
    }

    fn choose_canary(&mut self, answer: &LookupAnswer) {
        if let Some(key) = answer.listings.keys().next() {
            self.canary = Canary::Listed(key.clone());
        }
    }

    async fn ask(&self, keys: &[String]) -> Result<Outcome, LookupError> {
        let address = self.address(keys);
        let request = ApiRequest {
            method: "GET",
            address: address.as_str(),
            headers: &[],
            bearer: None,
            body: "",
            max_bytes: MAX_ANSWER_BYTES,
        };
        let address = || self.lookup.address.clone();
        let failed = |error| LookupError::Request { address: address(), error };
        let answer = self.api.send(request).await.map_err(failed)?;
        match answer.status {
            200 => {}
            400 | 413 | 414 | 431 => return Ok(Outcome::TooMany),
            status @ (403 | 429) => {
                let wait = requested_wait(&answer);
                return Err(LookupError::Limited { address: address(), status, wait });
            }
            status => {
                let wait = requested_wait(&answer);
                return Err(LookupError::Status { address: address(), status, wait });
            }
        }
        let answer = LookupAnswer::read(&answer.body)
            .map_err(|error| LookupError::Shape { address: address(), why: error.to_string() })?;
        Ok(Outcome::Answer(answer))
    }

    fn address(&self, keys: &[String]) -> Url {
        let ids: Vec<&str> =
            keys.iter().map(|key| self.wanted.get(key).unwrap_or(key).as_str()).collect();
        let country: String = byte_serialize(self.lookup.country.as_bytes()).collect();
        let mut address = self.lookup.address.clone();
        // Identifiers have no character that would have to be encoded.
        let query = format!("bundleId={}&entity=macSoftware&country={country}", ids.join(","));
        address.set_query(Some(&query));
        address
    }

    fn take(&mut self, batch: &[String], mut answer: LookupAnswer) {
        self.asked += batch.len();
        for key in batch {
            let listing = answer.listings.remove(key);
            let is_held = self.held.contains_key(key);
            if self.memory.note(key, listing.is_some(), is_held, self.now) {
                self.held.remove(key);
                self.removed.push(key.clone());
            }
            if let Some(listing) = listing {
                self.held.insert(key.clone(), listing);
            }
        }
        self.refused.append(&mut answer.refused);
    }

    pub(super) fn end(mut self, problem: Option<LookupError>) -> LookedUp {
        self.memory.at_a_time = self.at_a_time;
        let keys: BTreeSet<&str> = self.held.keys().map(String::as_str).collect();
        let wanted = self.wanted.keys().map(String::as_str).collect();
        let dropped = self.memory.forget(&wanted, &keys, self.now);
        for key in dropped {
            self.held.remove(&key);
            self.removed.push(key);
        }
        LookedUp {
            listings: self.held.into_values().collect(),
            refused: self.refused,
            removed: self.removed,
            memory: self.memory,
            asked: self.asked,
            left: self.due.len(),
            requests: self.api.requests(),
            problem,
        }
    }
}

/// Whether a text has only what bundle identifiers consist of.
fn is_bundle_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(is_plain)
}
