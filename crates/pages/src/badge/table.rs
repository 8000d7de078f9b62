//! A badge with a row for each source of an app.

use super::Badge;

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
        use super::Color::{Green, LightGrey};
        let is_bad = |row: &&Badge| !matches!(row.color, Green | LightGrey);
        let color = self.rows.iter().find(is_bad).or(self.rows.first()).map(|row| row.color);
        Badge::new(&self.title, &self.listed(), color.unwrap_or(LightGrey))
    }

    fn listed(&self) -> String {
        let rows = self.rows.iter().map(|row| format!("{} {}", row.label, row.message));
        rows.collect::<Vec<_>>().join(", ")
    }
}
