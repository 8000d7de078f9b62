//! The values of the keys that are not in an app's record.

use appstitch_types::search::SearchField;

#[derive(Default)]
pub(crate) struct Values {
    /// A line for each value.
    text: String,
    /// The start of each app's values, and the end of the last one's.
    starts: Vec<usize>,
}

impl Values {
    pub(crate) fn new() -> Self {
        Self { text: String::new(), starts: vec![0] }
    }

    /// Adds a value of the next app. Served texts have no line breaks.
    pub(crate) fn push(&mut self, value: &str) {
        self.text.push_str(value);
        self.text.push('\n');
    }

    pub(crate) fn end_app(&mut self) {
        self.starts.push(self.text.len());
    }

    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    pub(crate) fn size(&self) -> usize {
        self.text.capacity() + self.starts.capacity() * size_of::<usize>()
    }

    pub(crate) fn value(&self, position: u32, number: usize) -> Option<&str> {
        let position = position as usize;
        let text = &self.text[*self.starts.get(position)?..*self.starts.get(position + 1)?];
        text.lines().nth(number)
    }
}

/// Whether the value of a key is not in the record.
pub(crate) fn is_beyond_record(field: SearchField) -> bool {
    matches!(
        field,
        SearchField::Token
            | SearchField::LabelName
            | SearchField::FormerToken
            | SearchField::OtherName
    )
}
