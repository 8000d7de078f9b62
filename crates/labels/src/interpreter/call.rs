//! A command that is called, and the output of one that prints nothing.

use super::Input;
use crate::Output;

/// A command that is called.
#[derive(Clone, Copy)]
pub(super) struct Call<'c> {
    pub(super) name: &'c str,
    pub(super) arguments: &'c [String],
    pub(super) input: &'c Input,
    /// Whether the standard error goes where the standard output goes.
    pub(super) errors_to_output: bool,
}

/// An exit status without any text.
pub(super) fn failed(status: u8) -> Output {
    Output { text: String::new(), status }
}
