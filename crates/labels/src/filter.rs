//! Commands that turn text into text.

use crate::{Budget, Stopped};

/// What a command prints, and its exit status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Output {
    /// The standard output.
    pub(crate) text: String,
    /// The exit status; 0 means success.
    pub(crate) status: u8,
}

impl Output {
    /// The output of a command that succeeded.
    pub(crate) fn success(text: String) -> Self {
        Self { text, status: 0 }
    }
}

/// A command that only reads its arguments and its standard input. The arguments do not contain the
/// name of the command.
pub(crate) type Filter =
    fn(arguments: &[String], input: &str, budget: &mut Budget) -> Result<Output, Stopped>;
