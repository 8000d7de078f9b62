//! What is wrong with a property list.

use std::fmt;

use serde::de;

/// What is wrong with a property list, in words.
#[derive(Debug)]
pub(super) struct Fault(pub(super) String);

impl Fault {
    pub(super) fn new(why: impl fmt::Display) -> Self {
        Self(why.to_string())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(why: T) -> Self {
        Self::new(why)
    }
}
