//! The live network: every rule about what is sent, in the order in which they apply.
//!
//! A request that another label already made is answered with its answer. Otherwise the host may
//! have had enough; then the store may have an earlier answer; then the request waits for its turn
//! and is sent, and sent again if that may help.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};

use appstitch_labels::{Budget, Request, Response, Stopped};
use appstitch_network::{FetchError, GuardedClient, Incoming, NetworkAccess, Outgoing};
use appstitch_store::Store;
use futures_util::FutureExt as _;
use jiff::Timestamp;
use tokio::sync::watch;
use url::{Origin, Url};

use crate::{
    ResolverError,
    cache::{Cache, CachedResponse},
    failed_hosts::FailedHosts,
    hosts::{Host, Hosts},
    network_report::NetworkReport,
    options::LiveOptions,
    request_key::request_key,
    retry::{is_rate_limit, pause_before_retry},
    shared::{FetchResult, SharedResponses},
};

/// The live network, shared by all labels of a run. Clones are the same network.
#[derive(Clone)]
pub struct LiveNetwork {
    parts: Arc<Parts>,
}

struct Parts {
    options: LiveOptions,
    client: GuardedClient,
    api: Origin,
    hosts: Hosts,
    shared: SharedResponses,
    cache: Option<Arc<Cache>>,
    sent: AtomicU64,
    answered: AtomicU64,
    failed_hosts: FailedHosts,
    not_modified: AtomicU64,
    token_rejected: AtomicBool,
    recorded: AtomicUsize,
    stop: watch::Sender<bool>,
    /// The same as `stop`, for labels that compute.
    stop_flag: Arc<AtomicBool>,
}

impl LiveNetwork {
    /// A network with these limits. Earlier answers are cached in the store, if there is one.
    pub fn new(options: LiveOptions, cache: Option<Store>) -> Result<Self, ResolverError> {
        let client = GuardedClient::new(&NetworkAccess {
            allow_private: options.allow_private,
            fixed_addresses: options.fixed_addresses.clone(),
            proxy: options.proxy.clone(),
            // Labels are written for a plain client.
            public_address: None,
        })?;
        let api = Url::parse(&options.api_host).ok().map(|url| url.origin());
        let api = api
            .filter(Origin::is_tuple)
            .ok_or_else(|| ResolverError::ApiHost(options.api_host.clone()))?;
        let parts = Parts {
            client,
            api,
            hosts: Hosts::new(&options),
            shared: SharedResponses::new(options.shared_bytes),
            cache: cache.map(Cache::new),
            sent: AtomicU64::new(0),
            answered: AtomicU64::new(0),
            failed_hosts: FailedHosts::new(options.offline_hosts),
            not_modified: AtomicU64::new(0),
            token_rejected: AtomicBool::new(false),
            recorded: AtomicUsize::new(0),
            stop: watch::Sender::new(false),
            stop_flag: Arc::default(),
            options,
        };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// The limits of one label's run, which ends when the network is stopped.
    pub fn budget(&self) -> Budget {
        Budget::default().stopped_by(Arc::clone(&self.parts.stop_flag))
    }

    /// Stops all requests and the labels that run with [`Self::budget`].
    pub fn stop(&self) {
        self.parts.stop_flag.store(true, Ordering::Relaxed);
        self.parts.stop.send_replace(true);
    }

    /// Writes what is to be cached for the next run, and reports what happened.
    pub async fn finish(&self) -> NetworkReport {
        let cache_error = match &self.parts.cache {
            Some(cache) => cache.finish().await,
            None => None,
        };
        NetworkReport {
            requests_sent: self.requests_sent(),
            answered: self.parts.answered.load(Ordering::Relaxed),
            not_modified: self.parts.not_modified.load(Ordering::Relaxed),
            limited_hosts: self.parts.hosts.limited(),
            token_rejected: self.parts.token_rejected.load(Ordering::Relaxed),
            cache_error,
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.parts.stop_flag.load(Ordering::Relaxed)
    }

    pub(crate) fn requests_sent(&self) -> u64 {
        self.parts.sent.load(Ordering::Relaxed)
    }

    pub(crate) fn options(&self) -> &LiveOptions {
        &self.parts.options
    }

    pub(crate) fn stopped(&self) -> watch::Receiver<bool> {
        self.parts.stop.subscribe()
    }

    pub(crate) fn recorded(&self) -> &AtomicUsize {
        &self.parts.recorded
    }

    pub(crate) fn is_limited(&self, request: &Request, response: &Response) -> bool {
        let host = Url::parse(&request.url).ok().map(|url| self.parts.hosts.of(&url));
        let limited = host.and_then(|host| host.limited());
        limited.is_some_and(|limited| limited.status == response.status)
    }

    pub(crate) async fn fetch(&self, request: &Request) -> FetchResult {
        let key = request_key(request);
        let pending = self.parts.shared.get(&key, || {
            let (network, request, key) = (self.clone(), request.clone(), key.clone());
            // A separate task, because the label that asks first may give up before others do.
            let task = tokio::spawn(async move { network.until_stopped(request, key).await });
            let lost = || Err(Stopped::Network("the request was lost".to_owned()));
            async move { task.await.unwrap_or_else(|_| lost()) }.boxed()
        });
        pending.await
    }

    async fn until_stopped(&self, request: Request, key: String) -> FetchResult {
        let mut stopped = self.stopped();
        let answer = tokio::select! {
            biased;
            _ = stopped.wait_for(|is_stopped| *is_stopped) => Err(over()),
            answer = self.answer(&request, &key) => answer,
        };
        self.parts.shared.finished(&key, &answer);
        answer
    }

    async fn answer(&self, request: &Request, key: &str) -> FetchResult {
        let parts = &*self.parts;
        let url = Url::parse(&request.url);
        let url = url.map_err(|error| failed(&request.url, error))?;
        // Labels have no accounts, and addresses are printed and recorded.
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Stopped::Network(
                "addresses with a user name are not supported".to_owned(),
            ));
        }
        if sets_host(request) {
            return Err(Stopped::Network("labels may not set the header 'Host'".to_owned()));
        }
        let host = parts.hosts.of(&url);
        let cached = match &parts.cache {
            Some(cache) => cache.find(request, key).await,
            None => None,
        };
        let sent = Sent { request, url: &url, cached: cached.as_ref() };
        let incoming = match self.send(&sent, &host).await {
            SendResult::Limited(answer) => return Ok(answer),
            SendResult::Final(outcome) => outcome.map_err(|error| failed(&request.url, error))?,
        };
        if incoming.status == 304
            && let (Some(cached), Some(cache)) = (cached, &parts.cache)
        {
            parts.not_modified.fetch_add(1, Ordering::Relaxed);
            cache.used(key).await;
            return Ok(cached.response);
        }
        let response = as_response(incoming);
        if let Some(cache) = &parts.cache {
            cache.keep(request, key, &response, parts.options.github_token.as_ref()).await;
        }
        Ok(Arc::new(response))
    }

    async fn send(&self, sent: &Sent<'_>, host: &Host) -> SendResult {
        let parts = &*self.parts;
        let options = &parts.options;
        let mut headers = sent.request.headers.clone();
        headers.extend(sent.cached.iter().flat_map(|cached| cached.conditions.iter().cloned()));
        let mut attempt = 1;
        loop {
            let permit = parts.hosts.acquire(host).await;
            // The host may have limited requests while this one waited.
            if let Some(answer) = host.limited() {
                return SendResult::Limited(answer);
            }
            let bearer = self.bearer(sent);
            parts.sent.fetch_add(1, Ordering::Relaxed);
            let outcome = parts
                .client
                .exchange(Outgoing {
                    method: &sent.request.method,
                    address: sent.url.as_str(),
                    headers: &headers,
                    bearer,
                    body: &sent.request.body,
                    timeout: options.request_timeout,
                    max_bytes: options.max_body_bytes,
                })
                .await;
            if let Ok(answer) = &outcome {
                parts.answered.fetch_add(1, Ordering::Relaxed);
                if is_rate_limit(answer, options, Timestamp::now()) {
                    host.limit(Arc::new(as_response(answer.clone())));
                }
            }
            drop(permit);
            if bearer.is_some() && matches!(&outcome, Ok(answer) if answer.status == 401) {
                // Each request is repeated once, because from now on there is no token.
                parts.token_rejected.store(true, Ordering::Relaxed);
                continue;
            }
            let is_post = sent.request.method == "POST";
            let pause = pause_before_retry(&outcome, attempt, is_post, options, Timestamp::now());
            let Some(pause) = pause else {
                // If many hosts fail and none answers, there is no network.
                if outcome.as_ref().is_err_and(FetchError::is_unsent)
                    && parts.answered.load(Ordering::Relaxed) == 0
                    && parts.failed_hosts.add(sent.url)
                {
                    self.stop();
                }
                return SendResult::Final(outcome);
            };
            tokio::time::sleep(pause).await;
            attempt += 1;
        }
    }

    /// The token, if the request goes to the API host and has no credentials.
    fn bearer(&self, sent: &Sent<'_>) -> Option<&str> {
        let parts = &*self.parts;
        let has_authorization =
            sent.request.headers.iter().any(|(name, _)| name == "authorization");
        let is_for_api = sent.url.origin() == parts.api;
        let token =
            parts.options.github_token.as_ref().filter(|_| is_for_api && !has_authorization)?;
        (!parts.token_rejected.load(Ordering::Relaxed)).then(|| token.reveal())
    }
}

struct Sent<'a> {
    request: &'a Request,
    url: &'a Url,
    cached: Option<&'a CachedResponse>,
}

enum SendResult {
    Limited(Arc<Response>),
    Final(Result<Incoming, FetchError>),
}

pub(crate) fn over() -> Stopped {
    Stopped::Network("the time for all labels is over".to_owned())
}

fn failed(address: &str, error: impl std::fmt::Display) -> Stopped {
    let error = error.to_string();
    let message =
        if error.contains(address) { error } else { format!("{address} has no answer: {error}") };
    Stopped::Network(message)
}

/// Whether a label wants another host than that of the address. Only the address is checked, so this would
/// lead past the check, and leaving it out would return the answer of another host.
fn sets_host(request: &Request) -> bool {
    request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"))
}

fn as_response(incoming: Incoming) -> Response {
    let Incoming { status, headers, body } = incoming;
    let body = String::from_utf8(body)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Response { status, headers, body }
}
