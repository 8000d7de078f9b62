//! A Jamf Pro server: tokens, the titles of App Installers with their details, and the patch catalog.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{Reply, Request, TestHost, state::locked};

/// The keys of a title in the list. The others are details.
const LEAN_KEYS: [&str; 7] =
    ["id", "bundleId", "titleName", "publisher", "iconUrl", "version", "installationPathShared"];

const TITLES: &str = "/api/v1/app-installers/titles";

/// What the server has, how it misbehaves, and what it saw.
#[derive(Debug, Clone)]
pub struct JamfState {
    pub client_id: String,
    pub secret: String,
    /// All titles with their details.
    pub titles: Vec<Value>,
    pub patch_titles_json: Option<Vec<u8>>,
    pub patch_titles_xml: Option<Vec<u8>>,
    /// The seconds that a token is said to live.
    pub token_life: u64,
    /// A token is refused after so many requests.
    pub token_uses: usize,
    /// The most titles on a page, whatever is asked for.
    pub page_limit: usize,
    /// Whether every page is the first one.
    pub ignores_page: bool,
    /// The total that the server tells, if it is another one.
    pub total: Option<usize>,
    /// So many pages are followed by a new title at the start of the list.
    pub growing_pages: usize,
    /// The status instead of a page.
    pub list_status: Option<u16>,
    /// The body instead of a page.
    pub list_body: Option<String>,
    /// The status instead of the details of a title; `*` stands for all.
    pub detail_statuses: BTreeMap<String, u16>,
    /// The next requests are answered with 429 and this `Retry-After`.
    pub limited: usize,
    pub retry_after: String,
    /// How long the details of a title take.
    pub delay: Duration,
    pub seen: JamfSeen,
}

#[derive(Debug, Clone, Default)]
pub struct JamfSeen {
    pub tokens: usize,
    uses: usize,
    at_a_time: usize,
    /// The most requests at the same time.
    pub most_at_a_time: usize,
    /// The titles whose details were asked for.
    pub details: BTreeSet<String>,
}

impl JamfState {
    pub fn new(titles: Vec<Value>) -> Self {
        Self {
            client_id: "client".to_owned(),
            secret: "open-sesame&more+100%".to_owned(),
            titles,
            patch_titles_json: None,
            patch_titles_xml: None,
            token_life: 1200,
            token_uses: usize::MAX,
            page_limit: usize::MAX,
            ignores_page: false,
            total: None,
            growing_pages: 0,
            list_status: None,
            list_body: None,
            detail_statuses: BTreeMap::new(),
            limited: 0,
            retry_after: "1".to_owned(),
            delay: Duration::ZERO,
            seen: JamfSeen::default(),
        }
    }
}

#[derive(Debug)]
pub struct JamfServer {
    pub host: TestHost,
    state: Arc<Mutex<JamfState>>,
}

impl JamfServer {
    pub fn start(state: JamfState) -> io::Result<Self> {
        let state = Arc::new(Mutex::new(state));
        let served = Arc::clone(&state);
        let host = TestHost::start(move |request| {
            let delay = {
                let mut state = locked(&served);
                state.seen.at_a_time += 1;
                state.seen.most_at_a_time = state.seen.most_at_a_time.max(state.seen.at_a_time);
                let is_detail = request.path().starts_with(TITLES) && request.path() != TITLES;
                if is_detail { state.delay } else { Duration::ZERO }
            };
            thread::sleep(delay);
            let mut state = locked(&served);
            state.seen.at_a_time -= 1;
            answer(request, &mut state)
        })?;
        Ok(Self { host, state })
    }

    pub fn change(&self, change: impl FnOnce(&mut JamfState)) {
        change(&mut locked(&self.state));
    }

    pub fn seen(&self) -> JamfSeen {
        locked(&self.state).seen.clone()
    }
}

fn answer(request: &Request, state: &mut JamfState) -> Reply {
    if state.limited > 0 {
        state.limited -= 1;
        return Reply::new(429, "").with("retry-after", &state.retry_after);
    }
    if request.path() == "/api/oauth/token" {
        return token(request, state);
    }
    let token = format!("Bearer token-{}", state.seen.tokens);
    if request.header("authorization") != Some(&token) || state.seen.uses >= state.token_uses {
        return Reply::new(401, "");
    }
    state.seen.uses += 1;
    match request.path() {
        TITLES => page(request, state),
        "/JSSResource/patchavailabletitles/sourceid/1" => patch_titles(request, state),
        path => match path.strip_prefix(TITLES).and_then(|rest| rest.strip_prefix('/')) {
            Some(id) => details(id, state),
            None => Reply::new(404, ""),
        },
    }
}

fn token(request: &Request, state: &mut JamfState) -> Reply {
    let has = |name: &str, value: &str| request.field(name).as_deref() == Some(value);
    let is_form = request.header("content-type") == Some("application/x-www-form-urlencoded");
    if request.method != "POST" || !is_form || !has("grant_type", "client_credentials") {
        return Reply::new(400, "");
    }
    if !has("client_id", &state.client_id) || !has("client_secret", &state.secret) {
        return Reply::new(401, r#"{"error":"invalid_client"}"#);
    }
    state.seen.tokens += 1;
    state.seen.uses = 0;
    let token = format!("token-{}", state.seen.tokens);
    let life = state.token_life;
    Reply::json(
        &json!({"access_token": token, "scope": "", "token_type": "Bearer", "expires_in": life}),
    )
}

fn page(request: &Request, state: &mut JamfState) -> Reply {
    if let Some(status) = state.list_status {
        return Reply::new(status, "");
    }
    if let Some(body) = &state.list_body {
        return Reply::new(200, body.clone());
    }
    let number = |name| request.query(name).and_then(|text| text.parse::<usize>().ok());
    let page = if state.ignores_page { 0 } else { number("page").unwrap_or(0) };
    let size = number("page-size").unwrap_or(100).min(state.page_limit);
    let titles = state.titles.iter().skip(page.saturating_mul(size)).take(size);
    let results: Vec<Value> = titles.map(lean).collect();
    let total = state.total.unwrap_or(state.titles.len());
    if state.growing_pages > 0 {
        state.growing_pages -= 1;
        let id = format!("NEW{}", state.growing_pages);
        state.titles.insert(0, json!({"id": id, "titleName": id, "version": "1"}));
    }
    Reply::json(&json!({"totalCount": total, "results": results}))
}

fn lean(title: &Value) -> Value {
    let fields = title.as_object().into_iter().flatten();
    let lean = fields.filter(|(key, _)| LEAN_KEYS.contains(&key.as_str()));
    lean.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn details(id: &str, state: &mut JamfState) -> Reply {
    state.seen.details.insert(id.to_owned());
    let status = state.detail_statuses.get(id).or_else(|| state.detail_statuses.get("*"));
    if let Some(status) = status {
        return Reply::new(*status, "");
    }
    match state.titles.iter().find(|title| title["id"] == *id) {
        Some(title) => Reply::json(title),
        None => Reply::new(404, ""),
    }
}

fn patch_titles(request: &Request, state: &JamfState) -> Reply {
    let wants_json = request.header("accept").is_some_and(|accept| accept.contains("json"));
    let wanted = match (&state.patch_titles_json, &state.patch_titles_xml) {
        (Some(body), _) if wants_json => Some((body, "application/json")),
        // A server that offers one of them sends it, whatever is asked for.
        (_, Some(body)) => Some((body, "application/xml")),
        (Some(body), None) => Some((body, "application/json")),
        (None, None) => None,
    };
    match wanted {
        Some((body, content_type)) => {
            Reply::new(200, body.clone()).with("content-type", content_type)
        }
        None => Reply::new(404, ""),
    }
}
