//! When a failed message is tried again, and when a hook is given up. Pure: time and chance are given.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::delivery_result::DeliveryResult;

/// The pause after each failed attempt; the last one repeats. The first attempt needs none.
const PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];

/// A receiver that asks for a longer pause does not get it.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

/// A hook that fails for longer is disabled.
const LONGEST_FAILURE: SignedDuration = SignedDuration::from_hours(72);

/// The part of a pause that chance adds at most, so that hooks that failed together do not come back
/// together.
const JITTER: f64 = 0.2;

/// The failures so far of the same message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Failures {
    pub(crate) attempts: u32,
    pub(crate) since: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Delivered,
    /// Try again at a time.
    Again {
        failures: Failures,
        at: Timestamp,
    },
    /// Give up the hook.
    Disable {
        failures: Failures,
        reason: String,
    },
}

/// Judges an attempt that ended at `now`. `chance` is between 0 and 1.
pub(crate) fn judge(
    result: &DeliveryResult,
    before: Failures,
    now: Timestamp,
    chance: f64,
) -> Verdict {
    let Some(error) = result.error() else { return Verdict::Delivered };
    let since = before.since.unwrap_or(now);
    let failures = Failures { attempts: before.attempts.saturating_add(1), since: Some(since) };
    if result.status() == Some(410) {
        let reason = "the receiver answered 410 Gone: it no longer wants messages".to_owned();
        return Verdict::Disable { failures, reason };
    }
    if now.duration_since(since) >= LONGEST_FAILURE {
        let attempts = failures.attempts;
        let reason = format!("{attempts} attempts failed since {since:.0}; the last one: {error}");
        return Verdict::Disable { failures, reason };
    }
    let pause = pause(result, failures.attempts, chance);
    let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::MAX);
    Verdict::Again { failures, at: now.saturating_add(pause).unwrap_or(Timestamp::MAX) }
}

fn pause(result: &DeliveryResult, attempts: u32, chance: f64) -> Duration {
    let mut step = usize::try_from(attempts).unwrap_or(usize::MAX).saturating_sub(1);
    let mut asked = Duration::ZERO;
    if let DeliveryResult::Response { status, retry_after } = result {
        // The receiver, or something before it, has too much to do.
        if matches!(status, 429 | 502 | 504) {
            step = step.saturating_add(1);
        }
        asked = retry_after.unwrap_or_default().min(LONGEST_PAUSE);
    }
    let planned = PAUSES[step.min(PAUSES.len() - 1)];
    planned.max(asked).mul_f64(1.0 + JITTER * chance.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::UNIX_EPOCH;

    fn answered(status: u16) -> DeliveryResult {
        DeliveryResult::Response { status, retry_after: None }
    }

    /// The pauses in seconds until the hook is disabled, and why it is.
    fn pauses(result: &DeliveryResult, chance: f64) -> (Vec<i64>, String) {
        let (mut now, mut failures, mut pauses) = (START, Failures::default(), Vec::new());
        loop {
            match judge(result, failures, now, chance) {
                Verdict::Again { failures: counted, at } => {
                    pauses.push(at.duration_since(now).as_secs());
                    (now, failures) = (at, counted);
                }
                Verdict::Disable { reason, .. } => return (pauses, reason),
                Verdict::Delivered => return (pauses, String::new()),
            }
        }
    }

    #[test]
    fn the_pauses_grow_as_standard_webhooks_suggest_and_end_after_three_days() {
        const HOUR: i64 = 3600;
        let hours = [2, 5, 10, 14, 20, 24].map(|hours| hours * HOUR);
        let expected = [&[5, 300, 1800][..], &hours].concat();
        let (found, reason) = pauses(&answered(500), 0.0);
        assert_eq!(found, expected, "the tenth attempt is the last");
        assert_eq!(
            reason,
            "10 attempts failed since 1970-01-01T00:00:00Z; the last one: status 500"
        );
        let unanswered = DeliveryResult::NoResponse("connection refused".to_owned());
        assert_eq!(pauses(&unanswered, 0.0).0, expected);
        let (late, _) = pauses(&answered(500), 1.0);
        assert_eq!(late[..4], [6, 360, 2160, 8640], "chance adds a fifth at most");
    }

    #[test]
    fn every_success_ends_it_and_no_redirect_does() {
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(
                judge(&answered(status), Failures::default(), START, 0.5),
                Verdict::Delivered
            );
        }
        for status in [301, 302, 307, 308, 400, 401, 404, 500, 503] {
            let verdict = judge(&answered(status), Failures::default(), START, 0.0);
            assert!(matches!(verdict, Verdict::Again { .. }), "{status}: {verdict:?}");
        }
    }

    #[test]
    fn gone_disables_at_once() {
        let (pauses, reason) = pauses(&answered(410), 0.0);
        assert!(pauses.is_empty() && reason.contains("410 Gone"), "{reason}");
    }

    #[test]
    fn a_busy_receiver_is_asked_more_rarely() {
        for status in [429, 502, 504] {
            assert_eq!(pauses(&answered(status), 0.0).0[..2], [300, 1800], "{status}");
        }
        let asks = |seconds| DeliveryResult::Response {
            status: 503,
            retry_after: Some(Duration::from_secs(seconds)),
        };
        assert_eq!(pauses(&asks(60), 0.0).0[..2], [60, 300], "the longer one counts");
        assert_eq!(pauses(&asks(1_000_000), 0.0).0[0], 86_400, "not for longer than a day");
    }
}
