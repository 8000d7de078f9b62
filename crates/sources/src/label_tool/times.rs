//! When one finder found a value.
//!
//! Not every time is kept, only what decides whether the value was found twice, far enough apart,
//! since another finder found a higher one.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::label_versions::SETTLING_TIME;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Times {
    /// The first time. Early versions of the program stored none.
    #[serde(rename = "found_at", default, skip_serializing_if = "Option::is_none")]
    first: Option<Timestamp>,
    #[serde(rename = "seen_at")]
    last: Timestamp,
    /// A time at least [`SETTLING_TIME`] before the last one.
    #[serde(rename = "confirmed_at", default, skip_serializing_if = "Option::is_none")]
    confirmed: Option<Timestamp>,
    /// A later time, which becomes `confirmed` when the value is found long enough after it. If
    /// it is missing, it is the last time.
    #[serde(rename = "waiting_at", default, skip_serializing_if = "Option::is_none")]
    waiting: Option<Timestamp>,
}

impl Times {
    pub(super) fn first(at: Timestamp) -> Self {
        Self { first: Some(at), last: at, confirmed: None, waiting: None }
    }

    /// A value that was found first at one time and again at another one, far enough apart.
    pub(super) fn twice(first: Timestamp, again: Timestamp) -> Self {
        Self { confirmed: Some(first), last: again, ..Self::first(first) }
    }

    /// Notes that a value was found again. An unknown first time stays unknown. A time before the
    /// last one changes nothing.
    pub(super) fn see(times: &mut Option<Self>, at: Timestamp) {
        let times = times.get_or_insert(Self { first: None, ..Self::first(at) });
        if at <= times.last {
            return;
        }
        let is_settled = |before: Timestamp| at.duration_since(before) >= SETTLING_TIME;
        let waiting_at = times.waiting_at();
        times.confirmed = times.confirmed_at();
        if is_settled(times.last) {
            times.confirmed = Some(times.last);
            times.waiting = None;
        } else if is_settled(waiting_at) {
            times.confirmed = Some(waiting_at);
            times.waiting = Some(times.last);
        } else {
            times.waiting = Some(waiting_at);
        }
        times.last = at;
    }

    pub(super) fn found_at(&self) -> Option<Timestamp> {
        self.first
    }

    pub(super) fn seen_at(&self) -> Timestamp {
        self.last
    }

    /// A time at which the value was found, and after which it was found again far enough apart.
    /// Earlier versions of the program stored only the first and the last time.
    pub(super) fn confirmed_at(&self) -> Option<Timestamp> {
        let is_settled = |first: &Timestamp| self.last.duration_since(*first) >= SETTLING_TIME;
        self.confirmed.or_else(|| self.first.filter(is_settled))
    }

    /// From when on [`Self::confirmed_at`] is not before `known` if the value is found again.
    pub(super) fn settles_at(&self, known: Option<Timestamp>) -> Timestamp {
        let waiting_at = Some(self.waiting_at()).filter(|waiting| known <= Some(*waiting));
        let from = waiting_at.unwrap_or(self.last);
        from.saturating_add(SETTLING_TIME).unwrap_or(from)
    }

    fn waiting_at(&self) -> Timestamp {
        self.waiting.unwrap_or(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> Timestamp {
        format!("2026-11-15T{time}:00Z").parse().unwrap()
    }

    fn seen(first: &str, later: &[&str]) -> Times {
        let mut times = Some(Times::first(at(first)));
        for time in later {
            Times::see(&mut times, at(time));
        }
        times.unwrap()
    }

    #[test]
    fn a_time_is_confirmed_an_hour_later_however_often_the_value_is_found() {
        assert_eq!(seen("10:00", &["10:59"]).confirmed_at(), None);
        assert_eq!(seen("10:00", &["11:00"]).confirmed_at(), Some(at("10:00")));
        assert_eq!(seen("10:00", &["10:30", "11:00"]).confirmed_at(), Some(at("10:00")));
        let half_hours = seen("10:00", &["10:30", "11:00", "11:30", "12:00"]);
        assert_eq!(half_hours.confirmed_at(), Some(at("11:00")));
        let hours = seen("10:00", &["11:00", "12:00", "12:10"]);
        assert_eq!(hours.confirmed_at(), Some(at("11:00")));
    }

    #[test]
    fn a_late_finding_of_an_earlier_time_changes_nothing() {
        assert_eq!(seen("10:00", &["11:30", "10:15"]), seen("10:00", &["11:30"]));
    }

    #[test]
    fn the_wait_counts_from_the_first_time_after_the_known_value() {
        let times = seen("10:00", &["10:30"]);
        assert_eq!(times.settles_at(Some(at("09:00"))), at("11:00"));
        assert_eq!(times.settles_at(Some(at("10:15"))), at("11:30"));
        assert_eq!(times.settles_at(None), at("11:00"));
    }

    #[test]
    fn times_of_earlier_versions_are_read_and_go_on() {
        let stored = r#"{"found_at":"2026-11-15T08:00:00Z","seen_at":"2026-11-15T10:00:00Z"}"#;
        let times: Times = serde_json::from_str(stored).unwrap();
        assert_eq!(times.confirmed_at(), Some(at("08:00")));
        let mut times = Some(times);
        Times::see(&mut times, at("10:30"));
        assert_eq!(times.unwrap().confirmed_at(), Some(at("08:00")));
        Times::see(&mut times, at("11:00"));
        assert_eq!(times.unwrap().confirmed_at(), Some(at("10:00")));
        let mut unknown = None;
        Times::see(&mut unknown, at("10:00"));
        let written = serde_json::to_string(&unknown).unwrap();
        assert_eq!(written, r#"{"seen_at":"2026-11-15T10:00:00Z"}"#);
        assert_eq!(serde_json::from_str::<Option<Times>>(&written).unwrap(), unknown);
    }
}
