//! What commands read and print.

use std::rc::Rc;

use crate::Stopped;

#[derive(Clone, Copy)]
pub(super) struct Call<'c> {
    pub(super) name: &'c str,
    pub(super) arguments: &'c [String],
    pub(super) input: &'c Input,
    /// Whether the standard error goes where the standard output goes.
    pub(super) errors_to_output: bool,
}

/// The standard input of a command, or why it is unknown.
pub(crate) type Input = Result<Rc<str>, Stopped>;

/// Text that commands print. Once a part of it is unknown, the whole is.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    text: String,
    stopped: Option<Stopped>,
}

impl Sink {
    pub(crate) fn push(&mut self, text: &str) {
        if self.stopped.is_none() {
            self.text.push_str(text);
        }
    }

    pub(crate) fn taint(&mut self, stopped: Stopped) {
        if self.stopped.is_none() {
            self.text.clear();
            self.stopped = Some(stopped.shortened());
        }
    }

    pub(crate) fn finish(self) -> Result<String, Stopped> {
        match self.stopped {
            None => Ok(self.text),
            Some(stopped) => Err(stopped),
        }
    }
}
