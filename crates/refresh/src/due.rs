//! When the next refresh is due. Pure, except for the random number.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};

/// The pause after the first failure. It doubles with every further one, up to the interval.
const FIRST_PAUSE: Duration = Duration::from_mins(5);

/// The time of the next refresh: an interval after `last`, or less after failures. Up to a tenth of
/// it is added, so that many services do not ask the upstreams at the same moment.
pub(crate) fn next(every: Duration, last: Timestamp, failures: u64, fraction: f64) -> Timestamp {
    let pause = match failures {
        0 => every,
        _ => FIRST_PAUSE.saturating_mul(1_u32 << (failures - 1).min(20)).min(every),
    };
    let pause = pause + pause.mul_f64(fraction.clamp(0.0, 1.0) / 10.0);
    let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::MAX);
    last.checked_add(pause).unwrap_or(Timestamp::MAX)
}

/// A random number from 0 to 1. It need not be secret.
pub(crate) fn fraction() -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a tenth more or less does not matter")]
    let number = RandomState::new().hash_one(0) as f64;
    #[expect(clippy::cast_precision_loss, reason = "a tenth more or less does not matter")]
    let most = u64::MAX as f64;
    number / most
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOURS: Duration = Duration::from_hours(6);

    fn minutes(every: Duration, failures: u64, fraction: f64) -> i64 {
        next(every, Timestamp::UNIX_EPOCH, failures, fraction).as_second() / 60
    }

    #[test]
    fn a_refresh_is_an_interval_and_up_to_a_tenth_after_the_last() {
        assert_eq!(minutes(HOURS, 0, 0.0), 360);
        assert_eq!(minutes(HOURS, 0, 0.5), 378);
        assert_eq!(minutes(HOURS, 0, 1.0), 396);
    }

    #[test]
    fn after_failures_it_is_tried_sooner_and_then_less_and_less_often() {
        let tried: Vec<i64> = (1..=8).map(|failures| minutes(HOURS, failures, 0.0)).collect();
        assert_eq!(tried, [5, 10, 20, 40, 80, 160, 320, 360]);
        assert_eq!(
            minutes(Duration::from_mins(2), 1, 0.0),
            2,
            "never later than without a failure"
        );
        assert_eq!(minutes(HOURS, u64::MAX, 0.0), 360);
    }

    #[test]
    fn the_numbers_differ_and_are_in_range() {
        let numbers: Vec<f64> = (0..20).map(|_| fraction()).collect();
        assert!(numbers.iter().all(|number| (0.0..=1.0).contains(number)), "{numbers:?}");
        assert!(numbers.iter().any(|number| (number - numbers[0]).abs() > 1e-9), "{numbers:?}");
    }

    #[test]
    fn an_interval_of_centuries_does_not_overflow() {
        assert_eq!(next(Duration::MAX / 2, Timestamp::now(), 0, 1.0), Timestamp::MAX);
    }
}
