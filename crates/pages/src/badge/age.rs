//! The badge with the age of the data. It depends on the clock, unlike all others.

use appstitch_types::SourceStatus;
use jiff::Timestamp;

use super::{color::Color, picture::Badge, request::BadgeRequest};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The age of the oldest source. Sources that were never received have none.
pub(super) fn fresh(states: &[SourceStatus], now: Timestamp, request: &BadgeRequest<'_>) -> Badge {
    let label = request.label("oldest source");
    let Some(oldest) = states.iter().filter_map(|state| state.received_at).min() else {
        return Badge::new(label, "never refreshed", Color::LightGrey);
    };
    let seconds = now.as_second().saturating_sub(oldest.as_second()).max(0);
    let color = match seconds {
        ..DAY => Color::Green,
        seconds if seconds < 3 * DAY => Color::Orange,
        _ => Color::Red,
    };
    Badge::new(label, &ago(seconds), color)
}

fn ago(seconds: i64) -> String {
    if seconds < MINUTE {
        "just now".to_owned()
    } else if seconds < HOUR {
        format!("{} min ago", seconds / MINUTE)
    } else if seconds < 2 * DAY {
        format!("{} h ago", seconds / HOUR)
    } else {
        format!("{} days ago", seconds / DAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_shown_in_the_largest_unit_that_says_enough() {
        assert_eq!(ago(0), "just now");
        assert_eq!(ago(59 * MINUTE), "59 min ago");
        assert_eq!(ago(2 * HOUR), "2 h ago");
        assert_eq!(ago(47 * HOUR), "47 h ago");
        assert_eq!(ago(72 * HOUR), "3 days ago");
    }

    #[test]
    fn the_oldest_source_counts_and_colors_the_badge() {
        let now: Timestamp = "2026-11-16T12:00:00Z".parse().unwrap();
        let state = |received: Option<&str>| SourceStatus {
            source: "label_tool".to_owned(),
            documents: 1,
            apps: 1,
            received_at: received.map(|at| at.parse().unwrap()),
            changed_at: None,
            rejected: None,
            refresh: None,
        };
        let request = BadgeRequest::read("/badge/fresh.svg", None).unwrap();
        let drawn = |received: &[Option<&str>]| {
            let states: Vec<_> = received.iter().map(|received| state(*received)).collect();
            let badge = fresh(&states, now, &request);
            (badge.message, badge.color)
        };
        let today = Some("2026-11-16T10:00:00Z");
        assert_eq!(drawn(&[None]), ("never refreshed".to_owned(), Color::LightGrey));
        assert_eq!(drawn(&[None, today]), ("2 h ago".to_owned(), Color::Green));
        let yesterday = Some("2026-11-15T10:00:00Z");
        assert_eq!(drawn(&[today, yesterday]), ("26 h ago".to_owned(), Color::Orange));
        assert_eq!(drawn(&[Some("2026-11-10T10:00:00Z")]).1, Color::Red);
        assert_eq!(drawn(&[Some("2026-11-17T10:00:00Z")]).0, "just now", "a clock that is ahead");
    }
}
