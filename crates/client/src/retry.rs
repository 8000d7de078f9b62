//! When a request is worth another try, and after how long.

use std::time::Duration;

use reqwest::StatusCode;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A bounded number of tries, each after a longer pause.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Retries {
    most: u32,
}

impl Retries {
    pub(crate) const fn new(most: u32) -> Self {
        Self { most }
    }

    /// How long to wait before the next try; `None` when it was the last one.
    pub(crate) fn pause(self, tried: u32) -> Option<Duration> {
        let pause = FIRST_PAUSE * 2_u32.saturating_pow(tried.min(10));
        (tried < self.most).then_some(pause.min(LONGEST_PAUSE))
    }
}

/// Whether a server says that it is gone for now.
pub(crate) fn may_pass(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    )
}

/// Whether no connection came about, or it was lost before an answer began. Every request of this
/// client reads, so asking twice does no harm.
pub(crate) fn is_lost_connection(error: &reqwest::Error) -> bool {
    error.is_connect() || (error.is_request() && !error.is_timeout())
}
