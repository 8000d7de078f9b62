//! How a command ends.

use std::io::{self, Write};

/// The answer is no.
pub(crate) const NO: u8 = 1;
/// The command was used wrongly.
pub(crate) const WRONG_USE: u8 = 2;
/// The server or store could not be reached.
pub(crate) const UNREACHABLE: u8 = 3;

/// An error and the exit code that tells its kind.
pub(crate) struct Failure {
    pub(crate) code: u8,
    pub(crate) error: anyhow::Error,
}

impl Failure {
    pub(crate) fn no(error: impl Into<anyhow::Error>) -> Self {
        Self { code: NO, error: error.into() }
    }

    pub(crate) fn wrong_use(error: impl Into<anyhow::Error>) -> Self {
        Self { code: WRONG_USE, error: error.into() }
    }

    pub(crate) fn unreachable(error: impl Into<anyhow::Error>) -> Self {
        Self { code: UNREACHABLE, error: error.into() }
    }
}

/// Writes data to stdout. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::unreachable(error)),
        _ => Ok(()),
    }
}
