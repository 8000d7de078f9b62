//! Commands that turn text into text.

use crate::{Budget, Stopped};

/// What a command prints, and its exit status: 0 means success.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Output {
    pub(crate) text: String,
    pub(crate) status: u8,
}

impl Output {
    pub(crate) fn success(text: String) -> Self {
        Self { text, status: 0 }
    }

    pub(crate) fn status(status: u8) -> Self {
        Self { text: String::new(), status }
    }
}

pub(crate) type FilterResult = Result<Output, Stopped>;

/// A command that only reads its arguments and its standard input. The arguments do not contain the
/// name of the command.
pub(crate) type Filter = fn(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult;
