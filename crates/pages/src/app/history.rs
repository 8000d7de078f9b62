//! The versions that an app had, as a list and as steps over time.

use std::fmt::Write;

use appstitch_types::{AppHistory, AppVersion};
use jiff::Timestamp;

use super::extent::Extent;
use crate::display::{Count, Day, Moment};

const DRAWN: usize = 40;

/// The versions, newest first.
pub(super) struct History {
    pub(super) rows: Vec<Row>,
    pub(super) more: Count,
    pub(super) plot: Option<Plot>,
}

pub(super) struct Row {
    pub(super) version: String,
    pub(super) from: Option<Moment>,
    pub(super) until: Option<Moment>,
}

/// Versions as steps, from the first time that is known to the last.
pub(super) struct Plot {
    /// The line of the steps, as the path of an SVG.
    pub(super) line: String,
    pub(super) points: Vec<Point>,
    pub(super) height: u32,
    pub(super) first_day: Day,
    pub(super) last_day: Day,
}

pub(super) struct Point {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) version: String,
    pub(super) day: String,
    /// Whether the version is written beside the point.
    pub(super) is_named: bool,
    /// Whether it is in the right half, where a long version has room only to the left.
    pub(super) is_late: bool,
}

/// The width of the drawing, and the room at its left and right, in units of the picture.
const WIDTH: u32 = 640;
const LEFT: u32 = 8;
const RIGHT: u32 = 120;
const TOP: u32 = 16;
const BOTTOM: u32 = 28;

impl History {
    pub(super) fn of(history: Option<AppHistory>, extent: Extent) -> Self {
        let versions = history.map(|history| history.versions).unwrap_or_default();
        let row = |version: &AppVersion| Row {
            version: version.version.clone(),
            from: version.first_seen.map(Moment),
            until: version.until.map(Moment),
        };
        Self {
            rows: versions.iter().take(extent.versions).map(row).collect(),
            more: Count(versions.len().saturating_sub(extent.versions) as u64),
            plot: Plot::of(&versions),
        }
    }
}

impl Plot {
    /// The newest versions whose beginning is known; `None` if there are fewer than two.
    fn of(versions: &[AppVersion]) -> Option<Self> {
        let mut known: Vec<(&str, Timestamp)> = Vec::new();
        for version in versions.iter().take(DRAWN) {
            // A version whose beginning nobody saw was there before the first change.
            let at = version.first_seen.or(version.until)?;
            known.push((&version.version, at));
        }
        known.reverse();
        let (first, last) = (known.first()?.1, known.last()?.1);
        let steps = u32::try_from(known.len()).ok()?;
        if steps < 2 {
            return None;
        }
        let height = (TOP + BOTTOM + 24 * steps).clamp(96, 200);
        let span = last.as_second().saturating_sub(first.as_second()).max(1);
        let x = |at: Timestamp| {
            let passed = at.as_second().saturating_sub(first.as_second()).max(0);
            let room = i64::from(WIDTH - LEFT - RIGHT);
            LEFT + u32::try_from(passed.saturating_mul(room) / span).unwrap_or_default()
        };
        let floor = height - BOTTOM;
        let y = |step: u32| floor - (floor - TOP) * step / (steps - 1);
        let mut line = String::new();
        let mut points: Vec<Point> = Vec::new();
        let mut named_at: Option<u32> = None;
        for (step, (version, at)) in (0_u32..).zip(&known) {
            let (x, y) = (x(*at), y(step));
            // Writing to a text cannot fail.
            let _ = if step == 0 { write!(line, "M{x} {y}") } else { write!(line, "H{x}V{y}") };
            // Names of neighbors must not lie on each other; the last one is always written.
            let is_last = step + 1 == steps;
            let is_named = is_last || named_at.is_none_or(|below| below.saturating_sub(y) >= 14);
            if is_named {
                named_at = Some(y);
            }
            let day = Day::of(*at).0.to_string();
            let is_late = x > WIDTH / 2;
            points.push(Point { x, y, version: (*version).to_owned(), day, is_named, is_late });
        }
        let _ = write!(line, "H{}", WIDTH - RIGHT + 8);
        Some(Self { line, points, height, first_day: Day::of(first), last_day: Day::of(last) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(version: &str, first_seen: Option<&str>, until: Option<&str>) -> AppVersion {
        let time = |at: &str| at.parse().unwrap();
        AppVersion {
            version: version.to_owned(),
            first_seen: first_seen.map(time),
            until: until.map(time),
        }
    }

    #[test]
    fn versions_are_steps_that_rise() {
        let plot = Plot::of(&[
            version("3", Some("2026-08-21T00:00:00Z"), None),
            version("2", Some("2026-08-11T00:00:00Z"), Some("2026-08-21T00:00:00Z")),
            version("1", None, Some("2026-08-11T00:00:00Z")),
        ]);
        let plot = plot.unwrap();
        let places: Vec<_> = plot.points.iter().map(|point| (point.x, &*point.version)).collect();
        assert_eq!(places, [(8, "1"), (8, "2"), (520, "3")]);
        assert!(plot.points.is_sorted_by_key(|point| std::cmp::Reverse(point.y)));
        assert!(plot.line.starts_with("M8 ") && plot.line.ends_with("H528"), "{}", plot.line);
    }

    #[test]
    fn one_version_is_no_plot() {
        assert!(Plot::of(&[]).is_none());
        assert!(Plot::of(&[version("1", None, None)]).is_none());
        assert!(Plot::of(&[version("1", Some("2026-08-21T00:00:00Z"), None)]).is_none());
        let at = Some("2026-08-21T00:00:00Z");
        assert!(Plot::of(&[version("2", at, None), version("1", at, at)]).is_some());
    }
}
