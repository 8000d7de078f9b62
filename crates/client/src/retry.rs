//! Which requests are retried, and how long to wait before a retry.

use std::time::Duration;

use reqwest::StatusCode;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A limited number of retries with exponential back-off.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Retries {
    most: u32,
}

impl Retries {
    pub(crate) const fn new(most: u32) -> Self {
        Self { most }
    }

    /// The pause before the next attempt; `None` after the last one.
    pub(crate) fn pause(self, tried: u32) -> Option<Duration> {
        let pause = FIRST_PAUSE * 2_u32.saturating_pow(tried.min(10));
        (tried < self.most).then_some(pause.min(LONGEST_PAUSE))
    }
}

/// Whether the status means that the server is temporarily unavailable.
pub(crate) fn is_temporary(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    )
}

/// Whether connecting failed, or the connection was lost before the response started. Only requests
/// that read are retried, so repeating them is safe.
pub(crate) fn is_lost_connection(error: &reqwest::Error) -> bool {
    error.is_connect() || (error.is_request() && !error.is_timeout())
}
