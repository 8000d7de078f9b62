//! The heading of a column by which a table can be sorted.

/// The heading of a column.
pub(crate) struct Head {
    pub(crate) title: &'static str,
    /// Where the rows are sorted by it; `None` if they cannot be.
    pub(crate) path: Option<String>,
    /// `ascending` or `descending`, if the rows are sorted by it.
    pub(crate) sorted: Option<&'static str>,
    /// Whether the column has numbers.
    pub(crate) is_number: bool,
}

impl Head {
    /// A column by which the rows cannot be sorted.
    pub(crate) fn plain(title: &'static str) -> Self {
        Self { title, path: None, sorted: None, is_number: false }
    }

    /// A column by which the rows can be sorted.
    pub(crate) fn sorting(title: &'static str, path: String) -> Self {
        Self { title, path: Some(path), sorted: None, is_number: false }
    }

    /// The same, with the direction in which the rows are sorted by it, if they are.
    pub(crate) fn sorted(mut self, is_descending: Option<bool>) -> Self {
        let word = |descending| if descending { "descending" } else { "ascending" };
        self.sorted = is_descending.map(word);
        self
    }

    /// The same for a column of numbers.
    pub(crate) fn of_numbers(mut self) -> Self {
        self.is_number = true;
        self
    }
}
