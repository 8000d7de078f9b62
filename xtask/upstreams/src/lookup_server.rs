//! Apple's lookup of store listings.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use crate::{Reply, Request, TestHost, state::locked};

/// What the server does if it is asked for more than it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooMany {
    Status(u16),
    /// An answer without any listing.
    Empty,
    /// An answer with the first ones only.
    FirstOnly,
}

#[derive(Debug, Clone)]
pub struct LookupState {
    /// The listings by bundle identifier in lower case.
    pub listings: BTreeMap<String, Value>,
    /// How many identifiers it takes at a time.
    pub at_a_time: usize,
    pub too_many: TooMany,
    /// The next requests are answered with this status.
    pub limited: usize,
    pub limited_status: u16,
    pub retry_after: Option<String>,
    /// The body instead of an answer.
    pub body: Option<String>,
    /// The identifiers of each request that was answered with 200.
    pub asked: Vec<Vec<String>>,
}

impl LookupState {
    pub fn new(listings: impl IntoIterator<Item = Value>) -> Self {
        let key = |listing: &Value| listing["bundleId"].as_str().map(str::to_ascii_lowercase);
        let listings =
            listings.into_iter().filter_map(|listing| Some((key(&listing)?, listing))).collect();
        Self {
            listings,
            at_a_time: usize::MAX,
            too_many: TooMany::Status(414),
            limited: 0,
            limited_status: 403,
            retry_after: None,
            body: None,
            asked: Vec::new(),
        }
    }
}

#[derive(Debug)]
pub struct LookupServer {
    pub host: TestHost,
    state: Arc<Mutex<LookupState>>,
}

impl LookupServer {
    pub fn start(state: LookupState) -> io::Result<Self> {
        let state = Arc::new(Mutex::new(state));
        let served = Arc::clone(&state);
        let host = TestHost::start(move |request| answer(request, &mut locked(&served)))?;
        Ok(Self { host, state })
    }

    /// The address of the lookup.
    pub fn address(&self) -> String {
        format!("{}/lookup", self.host.base())
    }

    pub fn change(&self, change: impl FnOnce(&mut LookupState)) {
        change(&mut locked(&self.state));
    }

    /// The identifiers of each answered request since the last call.
    pub fn take_asked(&self) -> Vec<Vec<String>> {
        std::mem::take(&mut locked(&self.state).asked)
    }
}

fn answer(request: &Request, state: &mut LookupState) -> Reply {
    if state.limited > 0 {
        state.limited -= 1;
        let reply = Reply::new(state.limited_status, "");
        return state.retry_after.iter().fold(reply, |reply, wait| reply.with("retry-after", wait));
    }
    let is_for_macs = request.query("entity").as_deref() == Some("macSoftware");
    if request.path() != "/lookup" || !is_for_macs || request.query("country").is_none() {
        return Reply::new(404, "");
    }
    let ids = request.query("bundleId").unwrap_or_default();
    let mut ids: Vec<String> = ids.split(',').map(str::to_owned).collect();
    let asked = ids.clone();
    if ids.len() > state.at_a_time {
        match state.too_many {
            TooMany::Status(status) => return Reply::new(status, ""),
            TooMany::Empty => ids.clear(),
            TooMany::FirstOnly => ids.truncate(state.at_a_time),
        }
    }
    state.asked.push(asked);
    let found = ids.iter().filter_map(|id| state.listings.get(&id.to_ascii_lowercase()));
    let results: Vec<Value> = found.cloned().collect();
    let body = json!({"resultCount": results.len(), "results": results});
    let body = state.body.clone().unwrap_or_else(|| format!("\n\n\n{body:#}\n\n\n"));
    Reply::new(200, body).with("content-type", "text/javascript; charset=utf-8")
}
