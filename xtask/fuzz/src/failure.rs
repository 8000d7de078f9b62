//! What went wrong with an input.

use std::{fmt, time::Duration};

/// A failed execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The code panicked.
    Panic {
        /// The file and the line.
        place: String,
        /// The message.
        message: String,
    },
    /// A property does not hold.
    Property(String),
    /// It took too long.
    Slow(Duration),
    /// It took too much memory, in bytes.
    Memory(usize),
}

impl Failure {
    /// What inputs with the same cause have in common.
    #[must_use]
    pub(crate) fn cause(&self) -> &str {
        match self {
            Self::Panic { place, .. } => place,
            // Details of the input follow the colon.
            Self::Property(text) => text.split(':').next().unwrap_or(text),
            Self::Slow(_) => "slow",
            Self::Memory(_) => "memory",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic { place, message } => write!(formatter, "panic at {place}: {message}"),
            Self::Property(text) => write!(formatter, "a property does not hold: {text}"),
            Self::Slow(time) => write!(formatter, "it took {} ms", time.as_millis()),
            Self::Memory(bytes) => write!(formatter, "it took {bytes} bytes of memory"),
        }
    }
}
