//! The controls of a list: the options of its filters, and the headings that sort it.

/// An option of a filter.
pub(crate) struct Choice {
    pub(crate) value: &'static str,
    pub(crate) title: &'static str,
    pub(crate) is_chosen: bool,
}

impl Choice {
    pub(crate) fn new(value: &'static str, title: &'static str, chosen: Option<&str>) -> Self {
        Self { value, title, is_chosen: chosen == Some(value) }
    }
}

pub(crate) struct Head {
    pub(crate) title: &'static str,
    /// Where the rows are sorted by it; `None` if they cannot be.
    pub(crate) path: Option<String>,
    /// `ascending` or `descending`, if the rows are sorted by it.
    pub(crate) sorted: Option<&'static str>,
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

    pub(crate) fn of_numbers(mut self) -> Self {
        self.is_number = true;
        self
    }
}
