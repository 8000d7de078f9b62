//! What is drawn: one fact, or a row for each source of an app.

use appstitch_text::visible;

use super::color::Color;

/// The longest text on a badge, in characters.
const LONGEST: usize = 40;

/// One fact: what it is about, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Badge {
    /// The text on the left; empty if there is none.
    pub(super) label: String,
    /// The text on the right.
    pub(super) message: String,
    pub(super) color: Color,
    /// Whether it says why there is no fact.
    pub(super) is_error: bool,
}

impl Badge {
    pub(super) fn new(label: &str, message: &str, color: Color) -> Self {
        let (label, message) = (shortened(label), shortened(message));
        Self { label, message, color, is_error: false }
    }

    /// A badge that says why there is no fact.
    pub(super) fn error(label: &str, message: &str) -> Self {
        Self { is_error: true, ..Self::new(label, message, Color::LightGrey) }
    }

    /// What a reader hears who does not see the picture.
    pub(super) fn spoken(&self) -> String {
        if self.label.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.label, self.message)
        }
    }
}

/// A title and rows, each with a source and what it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableBadge {
    /// The name of the app, for those who do not see the picture.
    pub(super) name: String,
    /// Empty for none.
    pub(super) title: String,
    pub(super) rows: Vec<Badge>,
}

impl TableBadge {
    /// What a reader hears who does not see the picture.
    pub(super) fn spoken(&self) -> String {
        let title = if self.title.is_empty() { &self.name } else { &self.title };
        format!("{title}: {}", self.listed())
    }

    /// The rows as one badge, in the color of the first row that is not as it should be.
    pub(super) fn in_one_line(&self) -> Badge {
        use Color::{Green, LightGrey};
        let is_bad = |row: &&Badge| !matches!(row.color, Green | LightGrey);
        let color = self.rows.iter().find(is_bad).or(self.rows.first()).map(|row| row.color);
        Badge::new(&self.title, &self.listed(), color.unwrap_or(LightGrey))
    }

    fn listed(&self) -> String {
        let rows = self.rows.iter().map(|row| format!("{} {}", row.label, row.message));
        rows.collect::<Vec<_>>().join(", ")
    }
}

pub(super) enum Picture {
    Flat(Badge),
    Table(TableBadge),
}

impl Picture {
    pub(super) fn is_error(&self) -> bool {
        matches!(self, Self::Flat(badge) if badge.is_error)
    }
}

/// A text in one line, without characters that cannot be seen, of at most [`LONGEST`] characters.
pub(super) fn shortened(text: &str) -> String {
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
