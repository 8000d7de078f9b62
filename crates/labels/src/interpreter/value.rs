//! Values of variables.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    List(Vec<String>),
}

impl Value {
    /// The value as one text: the elements of a list are joined by blanks.
    pub(crate) fn joined(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::List(list) => list.join(" "),
        }
    }

    /// In bytes, approximately.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::List(list) => size_of_all(list),
        }
    }

    pub(crate) fn is(&self, expected: &str) -> bool {
        match self {
            Self::Text(text) => text == expected,
            Self::List(list) => {
                list.iter().map(String::len).sum::<usize>() <= expected.len()
                    && list.join(" ") == expected
            }
        }
    }

    pub(crate) fn into_list(self) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text],
            Self::List(list) => list,
        }
    }

    pub(crate) fn map<E>(
        self,
        mut change: impl FnMut(String) -> Result<String, E>,
    ) -> Result<Self, E> {
        Ok(match self {
            Self::Text(text) => Self::Text(change(text)?),
            Self::List(list) => Self::List(list.into_iter().map(change).collect::<Result<_, E>>()?),
        })
    }
}

/// The bytes that texts take. Empty ones take some, too.
pub(crate) fn size_of_all(texts: &[String]) -> usize {
    texts.iter().map(|text| text.len() + size_of::<String>()).sum()
}
