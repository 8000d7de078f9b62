//! Answers of earlier runs, kept in the store for conditional requests.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use appstitch_labels::{Request, Response};
use appstitch_store::{Store, StoreError, StoredResponse};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    recording::{repeats, without_secrets},
    secret::Secret,
};

const MOST_BODY_BYTES: usize = 2 << 20;
const MOST_BYTES: u64 = 128 << 20;
/// Answers that were not used for so long are removed.
const UNUSED: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Changes are written together: each transaction waits for the disk.
const CHANGES_AT_ONCE: usize = 64;
const BYTES_AT_ONCE: usize = 8 << 20;

/// The part of the store that remembers answers. A store that fails is not used again, and
/// the labels go on without it.
pub(crate) struct Cache {
    store: Store,
    changes: Mutex<Changes>,
    /// Held while changes are written.
    writing: AsyncMutex<()>,
    error: OnceLock<String>,
}

#[derive(Default)]
struct Changes {
    answers: Vec<NewResponse>,
    used: Vec<String>,
    bytes: usize,
}

struct NewResponse {
    key: String,
    address: String,
    response: Response,
    fetched_at: Timestamp,
}

pub(crate) struct CachedResponse {
    pub(crate) response: Arc<Response>,
    pub(crate) conditions: Vec<(String, String)>,
}

impl Cache {
    pub(crate) fn new(store: Store) -> Arc<Self> {
        Arc::new(Self {
            store,
            changes: Mutex::default(),
            writing: AsyncMutex::default(),
            error: OnceLock::new(),
        })
    }

    pub(crate) async fn find(&self, request: &Request, key: &str) -> Option<CachedResponse> {
        if self.error.get().is_some() || !is_conditional(request) {
            return None;
        }
        let stored = self.store.response(key.to_owned()).await;
        let stored = self.checked(stored).flatten()?;
        // Unpacking takes a few milliseconds, which is too long for a thread of the runtime.
        tokio::task::spawn_blocking(|| unpacked(stored)).await.ok().flatten()
    }

    /// Keeps an answer, if it can be asked for again. One that repeats the token is not kept: without
    /// the token it would be another answer.
    pub(crate) async fn keep(
        self: &Arc<Self>,
        request: &Request,
        key: &str,
        response: &Response,
        token: Option<&Secret>,
    ) {
        let repeats_token = token.is_some_and(|token| repeats(response, token));
        if repeats_token || !is_conditional(request) || !is_worth_keeping(response) {
            return;
        }
        let answer = NewResponse {
            key: key.to_owned(),
            address: request.url.clone(),
            response: without_secrets(response, None),
            fetched_at: Timestamp::now(),
        };
        self.change(|changes| {
            changes.bytes += answer.response.body.len();
            changes.answers.push(answer);
        })
        .await;
    }

    pub(crate) async fn used(self: &Arc<Self>, key: &str) {
        self.change(|changes| changes.used.push(key.to_owned())).await;
    }

    /// Writes what is left and removes what is old. Returns why the store could not be used.
    pub(crate) async fn finish(&self) -> Option<String> {
        self.write().await;
        if self.error.get().is_none()
            && let Ok(unused_since) = Timestamp::now().checked_sub(UNUSED)
        {
            self.checked(self.store.prune_label_runs(unused_since, MOST_BYTES).await);
        }
        self.error.get().cloned()
    }

    async fn change(self: &Arc<Self>, add: impl FnOnce(&mut Changes)) {
        let is_enough = {
            let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
            add(&mut changes);
            let count = changes.answers.len() + changes.used.len();
            count >= CHANGES_AT_ONCE || changes.bytes >= BYTES_AT_ONCE
        };
        if is_enough {
            let cache = Arc::clone(self);
            // A separate task: the request that comes here may be given up, but not the changes
            // of all others.
            let _ = tokio::spawn(async move { cache.write().await }).await;
        }
    }

    async fn write(&self) {
        let _writing = self.writing.lock().await;
        let changes = {
            let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *changes)
        };
        if self.error.get().is_some() {
            return;
        }
        let Changes { answers, used, .. } = changes;
        if !answers.is_empty() || !used.is_empty() {
            let packed = move || answers.into_iter().filter_map(packed).collect();
            let answers = tokio::task::spawn_blocking(packed).await.unwrap_or_default();
            self.checked(self.store.put_responses(answers, used, Timestamp::now()).await);
        }
    }

    fn checked<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result.map_err(|error| self.error.get_or_init(|| error.to_string())).ok()
    }
}

/// Whether a condition can be added to a request. One that already has a condition, or that asks
/// for a part, is left as it is.
fn is_conditional(request: &Request) -> bool {
    let is_plain = |name: &str| {
        !name.starts_with("if-") && !matches!(name, "range" | "authorization" | "cookie")
    };
    request.method == "GET"
        && request.body.is_empty()
        && request.headers.iter().all(|(name, _)| is_plain(name))
}

fn is_worth_keeping(response: &Response) -> bool {
    let has = |name, word| response.header(name).is_some_and(|value| value.contains(word));
    response.status == 200
        && response.body.len() < MOST_BODY_BYTES
        && (response.header("etag").is_some() || response.header("last-modified").is_some())
        && !has("cache-control", "no-store")
        && !has("vary", "*")
}

fn packed(answer: NewResponse) -> Option<StoredResponse> {
    let NewResponse { key, address, response, fetched_at } = answer;
    let header = |name| response.header(name).map(str::to_owned);
    Some(StoredResponse {
        key,
        address,
        etag: header("etag"),
        last_modified: header("last-modified"),
        status: response.status,
        headers: serde_json::to_string(&response.headers).ok()?,
        body: zstd::bulk::compress(response.body.as_bytes(), 3).ok()?.into(),
        fetched_at,
    })
}

fn unpacked(stored: StoredResponse) -> Option<CachedResponse> {
    let body = zstd::bulk::decompress(&stored.body, MOST_BODY_BYTES).ok()?;
    let headers = serde_json::from_str(&stored.headers).ok()?;
    let response = Response { status: stored.status, headers, body: String::from_utf8(body).ok()? };
    let condition = |name: &str, value: Option<String>| Some((name.to_owned(), value?));
    let etag = condition("if-none-match", stored.etag);
    let time = condition("if-modified-since", stored.last_modified);
    let conditions = etag.into_iter().chain(time).collect();
    Some(CachedResponse { response: Arc::new(response), conditions })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Response {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Response { status, headers: headers.iter().map(owned).collect(), body: body.to_owned() }
    }

    fn answer(response: Response) -> NewResponse {
        let key = "key".to_owned();
        let address = "https://example.com/".to_owned();
        NewResponse { key, address, response, fetched_at: Timestamp::UNIX_EPOCH }
    }

    #[test]
    fn an_answer_survives_being_packed() {
        let page = response(200, &[("etag", "\"1\""), ("x-a", "b")], "äöü\0text");
        let kept = unpacked(packed(answer(page.clone())).unwrap()).unwrap();
        assert_eq!(*kept.response, page);
        assert_eq!(kept.conditions, [("if-none-match".to_owned(), "\"1\"".to_owned())]);
    }

    #[test]
    fn a_damaged_answer_counts_as_none() {
        let page = response(200, &[("etag", "\"1\"")], "text");
        let stored = packed(answer(page)).unwrap();
        let bad_body = StoredResponse { body: vec![1, 2, 3].into(), ..stored.clone() };
        let bad_headers = StoredResponse { headers: "{".to_owned(), ..stored.clone() };
        let bomb = zstd::bulk::compress(&vec![0; MOST_BODY_BYTES + 1], 3).unwrap();
        let too_large = StoredResponse { body: bomb.into(), ..stored };
        for damaged in [bad_body, bad_headers, too_large] {
            assert!(unpacked(damaged).is_none());
        }
    }

    #[test]
    fn only_answers_that_can_be_asked_for_again_are_kept() {
        let etag = ("etag", "\"1\"");
        assert!(is_worth_keeping(&response(200, &[etag], "")));
        assert!(is_worth_keeping(&response(200, &[("last-modified", "then")], "")));
        for other in [
            response(200, &[], ""),
            response(404, &[etag], ""),
            response(200, &[etag, ("cache-control", "private, no-store")], ""),
            response(200, &[etag, ("vary", "*")], ""),
            response(200, &[etag], &"x".repeat(MOST_BODY_BYTES)),
        ] {
            assert!(!is_worth_keeping(&other), "{:?}", other.headers);
        }
    }

    #[test]
    fn only_plain_requests_get_a_condition() {
        let request = |method: &str, header: &str| Request {
            method: method.to_owned(),
            url: "https://example.com/".to_owned(),
            headers: vec![(header.to_owned(), "x".to_owned())],
            body: String::new(),
        };
        assert!(is_conditional(&request("GET", "user-agent")));
        assert!(!is_conditional(&request("HEAD", "user-agent")));
        for header in ["if-none-match", "range", "cookie"] {
            assert!(!is_conditional(&request("GET", header)), "{header}");
        }
    }
}
