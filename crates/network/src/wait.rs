//! How long a server asks to wait before the next request.

use std::time::Duration;

use jiff::Timestamp;

use crate::client::Incoming;

/// Nobody waits longer; a server that asks for more has a wrong clock.
const LONGEST: Duration = Duration::from_hours(24);

/// The wait that a refusal asks for: `Retry-After`, or the end of the period of a used-up limit.
pub fn requested_wait(refusal: &Incoming) -> Option<Duration> {
    if !matches!(refusal.status, 403 | 429 | 503) {
        return None;
    }
    let now = Timestamp::now();
    let reset = || {
        let is_used_up = refusal.header("x-ratelimit-remaining") == Some("0");
        let seconds = refusal.header("x-ratelimit-reset").filter(|_| is_used_up)?;
        let time = Timestamp::from_second(seconds.trim().parse().ok()?).ok()?;
        Some(Duration::try_from(time.duration_since(now)).unwrap_or_default())
    };
    refusal.retry_after(now).or_else(reset).map(|wait| wait.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(status: u16, headers: &[(&str, &str)]) -> Option<u64> {
        let text = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let headers = headers.iter().map(text).collect();
        let refusal = Incoming { status, headers, body: Vec::new() };
        requested_wait(&refusal).map(|wait| wait.as_secs())
    }

    #[test]
    fn a_refusal_may_ask_for_a_pause() {
        assert_eq!(wait(429, &[("retry-after", "7")]), Some(7));
        assert_eq!(wait(503, &[("retry-after", "999999999999")]), Some(86_400));
        assert_eq!(wait(429, &[("retry-after", "soon")]), None);
        assert_eq!(wait(404, &[("retry-after", "7")]), None);
        let soon = (Timestamp::now().as_second() + 100).to_string();
        let limit = |left| [("x-ratelimit-remaining", left), ("x-ratelimit-reset", soon.as_str())];
        assert!(wait(403, &limit("0")).is_some_and(|wait| (90..=100).contains(&wait)));
        assert_eq!(wait(403, &limit("3")), None, "a refusal for another reason");
    }
}
