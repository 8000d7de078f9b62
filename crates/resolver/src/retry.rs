//! Decides whether a request is made again, and when.

use std::time::Duration;

use appstitch_network::{FetchError, Incoming};
use jiff::Timestamp;

use crate::options::LiveOptions;

const ATTEMPTS: u32 = 3;

/// The pause before the next attempt; `None` if the outcome is final. A form that the server may
/// have received is never sent again.
pub(crate) fn pause_before_retry(
    outcome: &Result<Incoming, FetchError>,
    attempt: u32,
    is_post: bool,
    options: &LiveOptions,
    now: Timestamp,
) -> Option<Duration> {
    if attempt >= ATTEMPTS {
        return None;
    }
    let pause = options.retry_pause.saturating_mul(3_u32.pow(attempt.saturating_sub(1)));
    let answer = match outcome {
        // A server that was too slow once would take the same time again.
        Err(error) if error.is_timeout() => return None,
        Err(error) => {
            return (error.may_pass() && (!is_post || error.is_unsent())).then_some(pause);
        }
        Ok(answer) => answer,
    };
    let asked = answer.retry_after(now);
    let may_pass = match answer.status {
        // Some hosts refuse with this status what they would answer later.
        403 => asked.is_some(),
        status => status == 429 || status >= 500,
    };
    let asked = asked.unwrap_or_default();
    let is_final = is_post || is_rate_limit(answer, options, now);
    let waits = may_pass && !is_final && asked <= options.longest_retry_pause;
    waits.then_some(pause.max(asked))
}

/// Whether a host says that no further requests are welcome for longer than a run can wait.
pub(crate) fn is_rate_limit(answer: &Incoming, options: &LiveOptions, now: Timestamp) -> bool {
    let none_left = answer.header("x-ratelimit-remaining").is_some_and(|left| left.trim() == "0");
    let too_long =
        || answer.retry_after(now).is_some_and(|asked| asked > options.longest_retry_pause);
    matches!(answer.status, 403 | 429) && (none_left || too_long())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)]) -> Incoming {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Incoming { status, headers: headers.iter().map(owned).collect(), body: Vec::new() }
    }

    fn pause(answer: Incoming, attempt: u32, is_post: bool) -> Option<u64> {
        let options = LiveOptions::default();
        let now = Timestamp::UNIX_EPOCH;
        let pause = pause_before_retry(&Ok(answer), attempt, is_post, &options, now);
        pause.map(|pause| pause.as_secs())
    }

    #[test]
    fn what_may_pass_is_tried_again_after_growing_pauses() {
        for status in [429, 500, 502, 503] {
            assert_eq!(pause(answer(status, &[]), 1, false), Some(1), "{status}");
            assert_eq!(pause(answer(status, &[]), 2, false), Some(3), "{status}");
            assert_eq!(pause(answer(status, &[]), 3, false), None, "{status}");
            assert_eq!(pause(answer(status, &[]), 1, true), None, "a form, {status}");
        }
        for status in [200, 301, 304, 403, 404] {
            assert_eq!(pause(answer(status, &[]), 1, false), None, "{status}");
        }
    }

    #[test]
    fn a_server_is_given_the_time_it_asks_for_within_limits() {
        let asks = |text| pause(answer(503, &[("retry-after", text)]), 1, false);
        assert_eq!(asks("20"), Some(20));
        assert_eq!(asks("0"), Some(1), "never sooner than without it");
        assert_eq!(asks("31"), None, "longer than a run can wait");
        assert_eq!(asks("soon"), Some(1));
        assert_eq!(pause(answer(403, &[("retry-after", "20")]), 1, false), Some(20));
        assert_eq!(asks("99999999999999999999999"), Some(1));
    }

    #[test]
    fn a_rate_limit_is_told_by_its_header() {
        let options = LiveOptions::default();
        let limit = |answer: Incoming| {
            let is_limit = is_rate_limit(&answer, &options, Timestamp::UNIX_EPOCH);
            assert!(!is_limit || pause(answer, 1, false).is_none(), "a limit is final");
            is_limit
        };
        let none_left = [("x-ratelimit-remaining", "0")];
        assert!(limit(answer(403, &none_left)) && limit(answer(429, &none_left)));
        let later = [("retry-after", "3600")];
        assert!(limit(answer(403, &later)) && limit(answer(429, &later)));
        assert!(!limit(answer(503, &later)), "a host that is down is not a host that had enough");
        assert!(!limit(answer(403, &[])) && !limit(answer(429, &[])));
        assert!(!limit(answer(200, &none_left)), "the last answer before the limit is a good one");
        assert!(!limit(answer(403, &[("x-ratelimit-remaining", "10")])));
    }

    #[test]
    fn invalid_requests_are_final() {
        let options = LiveOptions::default();
        let private = Err(FetchError::Private("http://localhost/".to_owned()));
        assert_eq!(pause_before_retry(&private, 1, false, &options, Timestamp::UNIX_EPOCH), None);
    }
}
