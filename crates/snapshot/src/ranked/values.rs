//! The values of the keys that are not in an app's record.

use appstitch_catalog::search::SearchField;

/// The values of all apps, app after app.
#[derive(Default)]
pub(super) struct Values {
    /// A line for each value.
    text: String,
    /// The start of each app's values, and the end of the last one's.
    starts: Vec<usize>,
}

impl Values {
    pub(super) fn new() -> Self {
        Self { text: String::new(), starts: vec![0] }
    }

    /// Adds a value of the next app. Served texts have no line breaks.
    pub(super) fn push(&mut self, value: &str) {
        self.text.push_str(value);
        self.text.push('\n');
    }

    /// Ends the values of the next app.
    pub(super) fn end_app(&mut self) {
        self.starts.push(self.text.len());
    }

    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    /// The size in bytes.
    pub(super) fn size(&self) -> usize {
        self.text.capacity() + self.starts.capacity() * size_of::<usize>()
    }

    /// The value with a number of the app at a position.
    pub(super) fn value(&self, position: u32, number: usize) -> Option<&str> {
        let position = position as usize;
        let text = &self.text[*self.starts.get(position)?..*self.starts.get(position + 1)?];
        text.lines().nth(number)
    }
}

/// Whether the value of a key is not in the record.
pub(super) fn is_beyond_record(field: SearchField) -> bool {
    matches!(
        field,
        SearchField::Token
            | SearchField::LabelName
            | SearchField::FormerToken
            | SearchField::OtherName
    )
}
