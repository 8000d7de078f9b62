//! Requests to the interface of one server: within limits, no faster than the server likes, and again
//! after errors that may pass.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use appstitch_network::{FetchError, GuardedClient, Incoming, Outgoing};
use appstitch_sources::unpacked;
use jiff::Timestamp;
use thiserror::Error;
use tokio::time::{Instant, sleep_until};

/// The time for one request.
const REQUEST_TIME: Duration = Duration::from_mins(1);
/// A server that asks for a longer pause is asked again by the next refresh.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
const ATTEMPTS: u32 = 4;
/// A limit on the number of requests is shared by all that wait for it, so one of them can meet it
/// several times.
const LIMITED_ATTEMPTS: u32 = 8;

/// What one run may cost, and how a server is spared.
#[derive(Debug, Clone)]
pub struct RequestLimits {
    /// The time for all requests together.
    pub time: Duration,
    /// The bytes of all answers together, unpacked.
    pub bytes: u64,
    /// The time from one request to the next.
    pub gap: Duration,
    /// The pause after an error that may pass. It doubles with each attempt.
    pub retry_pause: Duration,
    /// The same after an answer that says that there are too many requests.
    pub limited_pause: Duration,
    /// The statuses with which the server says that.
    pub limited_statuses: &'static [u16],
    /// How often a request is made at most while the server says that.
    pub limited_attempts: u32,
}

impl RequestLimits {
    pub fn titles() -> Self {
        Self {
            time: Duration::from_mins(10),
            bytes: 64 << 20,
            gap: Duration::ZERO,
            retry_pause: Duration::from_millis(500),
            limited_pause: Duration::from_secs(1),
            limited_statuses: &[429],
            limited_attempts: LIMITED_ATTEMPTS,
        }
    }

    /// About 20 requests a minute are tolerated.
    pub fn lookup() -> Self {
        Self {
            time: Duration::from_mins(10),
            bytes: 128 << 20,
            gap: Duration::from_secs(3),
            retry_pause: Duration::from_secs(3),
            limited_pause: Duration::from_secs(30),
            limited_statuses: &[403, 429],
            limited_attempts: 3,
        }
    }
}

#[derive(Debug, Error)]
pub enum RequestError {
    /// The message with this error names the address.
    #[error("{}", .0.reason())]
    Failed(#[from] FetchError),
    #[error("the time is over")]
    OutOfTime,
    #[error("the answers have more than {} MiB together", .0 >> 20)]
    TooManyBytes(u64),
    #[error("cannot read the answer: {0}")]
    Packed(String),
}

impl RequestError {
    /// What everyone may read of it. `server` names who was asked.
    pub(crate) fn public_reason(&self, server: &str) -> String {
        match self {
            Self::OutOfTime => format!("the time for the requests to {server} is over"),
            Self::TooManyBytes(_) | Self::Failed(FetchError::TooLarge { .. }) => {
                format!("the answers of {server} are too large")
            }
            Self::Packed(_) => format!("{server} sent an answer that cannot be unpacked"),
            Self::Failed(_) => format!("{server} did not answer"),
        }
    }

    /// Whether no request was made, because the run had used up its time or bytes.
    pub(crate) fn is_limit(&self) -> bool {
        matches!(self, Self::OutOfTime | Self::TooManyBytes(_))
    }
}

pub(crate) struct ApiClient<'c> {
    client: &'c GuardedClient,
    limits: RequestLimits,
    deadline: Instant,
    /// Before this time no request starts.
    next: Mutex<Instant>,
    bytes: AtomicU64,
    requests: AtomicUsize,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ApiRequest<'r> {
    pub(crate) method: &'r str,
    pub(crate) address: &'r str,
    pub(crate) headers: &'r [(String, String)],
    pub(crate) bearer: Option<&'r str>,
    pub(crate) body: &'r str,
    /// The limit of the answer, packed and unpacked.
    pub(crate) max_bytes: usize,
}

impl<'c> ApiClient<'c> {
    pub(crate) fn new(client: &'c GuardedClient, limits: RequestLimits) -> Self {
        let now = Instant::now();
        Self {
            client,
            deadline: now + limits.time,
            limits,
            next: Mutex::new(now),
            bytes: AtomicU64::new(0),
            requests: AtomicUsize::new(0),
        }
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// Whether no further request can be made.
    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.bytes_left() == 0
    }

    /// Makes a request, and again while the outcome may pass. The answer can have any status.
    pub(crate) async fn send(&self, request: ApiRequest<'_>) -> Result<Incoming, RequestError> {
        let mut attempt = 1;
        loop {
            self.wait().await?;
            let outcome = self.once(request).await;
            let Some(pause) = self.pause_before_retry(&outcome, attempt) else { return outcome };
            attempt += 1;
            tokio::time::sleep(pause).await;
        }
    }

    async fn once(&self, request: ApiRequest<'_>) -> Result<Incoming, RequestError> {
        let left = self.bytes_left();
        if left == 0 {
            return Err(RequestError::TooManyBytes(self.limits.bytes));
        }
        self.requests.fetch_add(1, Ordering::Relaxed);
        let timeout = self.deadline.saturating_duration_since(Instant::now()).min(REQUEST_TIME);
        let ApiRequest { method, address, headers, bearer, body, max_bytes } = request;
        let max_bytes = max_bytes.min(usize::try_from(left).unwrap_or(usize::MAX));
        let outgoing = Outgoing { method, address, headers, bearer, body, timeout, max_bytes };
        let exchanged = self.client.exchange(outgoing).await;
        // What a failed answer transferred is not known; it had at most this.
        let cost = match &exchanged {
            Ok(answer) => answer.body.len() as u64,
            Err(FetchError::TooLarge { limit, .. }) => *limit,
            Err(_) => 0,
        };
        self.bytes.fetch_add(cost, Ordering::Relaxed);
        let answer = exchanged?;
        // Some servers compress although nobody asked for it.
        let body = unpacked(&answer.body, max_bytes)
            .map_err(|error| RequestError::Packed(error.to_string()))?;
        let grown = body.len().saturating_sub(answer.body.len());
        self.bytes.fetch_add(grown as u64, Ordering::Relaxed);
        Ok(Incoming { body, ..answer })
    }

    fn bytes_left(&self) -> u64 {
        self.limits.bytes.saturating_sub(self.bytes.load(Ordering::Relaxed))
    }

    /// Waits until the next request may start.
    async fn wait(&self) -> Result<(), RequestError> {
        loop {
            let now = Instant::now();
            let next = {
                let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                if now >= *next && now < self.deadline {
                    *next = now + self.limits.gap;
                    return Ok(());
                }
                *next
            };
            if now.max(next) >= self.deadline {
                return Err(RequestError::OutOfTime);
            }
            sleep_until(next).await;
        }
    }

    /// The pause before the next attempt; `None` if the outcome is final. If there are too many
    /// requests, all of them wait.
    fn pause_before_retry(
        &self,
        outcome: &Result<Incoming, RequestError>,
        attempt: u32,
    ) -> Option<Duration> {
        let doubled = |pause: Duration| pause.saturating_mul(1 << (attempt - 1).min(16));
        match outcome {
            Ok(answer) if self.limits.limited_statuses.contains(&answer.status) => {
                if attempt >= self.limits.limited_attempts {
                    return None;
                }
                let own = doubled(self.limits.limited_pause).min(LONGEST_PAUSE);
                let pause = self.asked(answer)?.max(own);
                let until = Instant::now() + pause;
                if until >= self.deadline {
                    return None;
                }
                let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                *next = until.max(*next);
                Some(Duration::ZERO)
            }
            Ok(answer) if attempt < ATTEMPTS && answer.status >= 500 => {
                Some(doubled(self.limits.retry_pause).max(self.asked(answer)?))
            }
            Err(RequestError::Failed(error)) if attempt < ATTEMPTS && error.may_pass() => {
                // A server that was too slow would be slow again.
                (!error.is_timeout()).then(|| doubled(self.limits.retry_pause))
            }
            _ => None,
        }
    }

    /// The pause that the server asks for, if any; `None` if it is longer than this run can wait.
    fn asked(&self, answer: &Incoming) -> Option<Duration> {
        let asked = answer.retry_after(Timestamp::now()).unwrap_or_default();
        let left = self.deadline.saturating_duration_since(Instant::now());
        (asked <= LONGEST_PAUSE && asked < left).then_some(asked)
    }
}
