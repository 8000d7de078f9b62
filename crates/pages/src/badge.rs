//! Badges: small pictures that tell one fact about an app, for pages of other people.
//!
//! A badge is drawn as SVG in the flat style that readers know, or described as JSON for the Shields
//! service, which draws it in any other style. Both are text that is made for each request: it takes
//! microseconds. Names and parameters come from strangers, so every text is escaped and cut.

mod age;
mod color;
mod facts;
mod request;
mod shields;
mod svg;
mod table;
mod width;

pub use request::{BadgeForm, BadgeRequest};

use appstitch_catalog::visible;
use jiff::Timestamp;

use color::Color;
use request::Subject;
use table::TableBadge;

use crate::Site;

/// The longest text on a badge, in characters.
const LONGEST: usize = 40;

/// A badge that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnBadge {
    /// SVG or JSON, as requested.
    pub text: String,
    /// Whether it may be kept for a while. A badge that says what is wrong with its address may not:
    /// the next revision can know the app.
    pub may_be_kept: bool,
}

/// One fact: what it is about, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Badge {
    /// The text on the left; empty if there is none.
    label: String,
    /// The text on the right.
    message: String,
    color: Color,
    /// Whether it says that the fact cannot be told.
    is_error: bool,
}

impl Badge {
    fn new(label: &str, message: &str, color: Color) -> Self {
        let (label, message) = (shortened(label), shortened(message));
        Self { label, message, color, is_error: false }
    }

    /// A badge that says why there is nothing to tell.
    fn error(label: &str, message: &str) -> Self {
        Self { is_error: true, ..Self::new(label, message, Color::LightGrey) }
    }

    /// What a reader hears who does not see the picture.
    fn spoken(&self) -> String {
        if self.label.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.label, self.message)
        }
    }
}

/// What is drawn.
enum Picture {
    Flat(Badge),
    Table(TableBadge),
}

impl Picture {
    fn text(&self, form: BadgeForm) -> String {
        match (self, form) {
            (Self::Flat(badge), BadgeForm::Svg) => svg::flat(badge),
            (Self::Table(table), BadgeForm::Svg) => svg::table(table),
            (Self::Flat(badge), BadgeForm::Json) => shields::endpoint(badge),
            // The service cannot draw a table, so it gets its rows in one line.
            (Self::Table(table), BadgeForm::Json) => shields::endpoint(&table.in_one_line()),
        }
    }

    fn is_error(&self) -> bool {
        matches!(self, Self::Flat(badge) if badge.is_error)
    }
}

/// Draws a badge. Only the one about the age of the data depends on the time.
#[must_use]
pub fn badge(site: &Site<'_>, request: &BadgeRequest<'_>, now: Timestamp) -> DrawnBadge {
    let snapshot = site.snapshot;
    let picture = match &request.subject {
        Subject::Catalog => Picture::Flat(facts::catalog(snapshot, request)),
        Subject::Fresh => Picture::Flat(age::fresh(site.sources(), now, request)),
        Subject::App(name, fact) => facts::of_app(snapshot, name, fact, request),
    };
    DrawnBadge { text: picture.text(request.form), may_be_kept: !picture.is_error() }
}

/// A text in one line, without characters that cannot be seen, of at most [`LONGEST`] characters.
fn shortened(text: &str) -> String {
    // An escape is at most ten characters long. The cut before it bounds the work.
    let start: String = text.trim().chars().take(LONGEST + 1).collect();
    let visible = visible(&start);
    if visible.chars().nth(LONGEST).is_none() {
        return visible;
    }
    let kept: String = visible.chars().take(LONGEST - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_and_odd_characters_are_visible() {
        assert_eq!(shortened(" 154.0 "), "154.0");
        assert_eq!(shortened(&"ä".repeat(40)), "ä".repeat(40));
        assert_eq!(shortened(&"ä".repeat(41)), format!("{}…", "ä".repeat(39)));
        assert_eq!(shortened("a\u{202e}b\0"), "a\\u{202e}b\\u{0}");
        assert_eq!(shortened(&"\u{202e}".repeat(100)).chars().count(), 40);
    }
}
