//! The state of a store, as a number and a mark.

use jiff::Timestamp;

use crate::error::StoreError;

/// How many writes a store has seen, and the mark of the last one.
///
/// A database that lost its last writes uses their numbers again, but never their marks. So two
/// processes have the same contents only if both are the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edition {
    pub number: u64,
    /// A random text; empty if nothing was written.
    pub mark: String,
}

impl Edition {
    pub(crate) fn next(&self) -> Result<Self, StoreError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| StoreError::Random(error.to_string()))?;
        let mark = format!("{:032x}", u128::from_ne_bytes(bytes));
        Ok(Self { number: self.number + 1, mark })
    }
}

/// How many editions remember their mark.
pub(crate) const REMEMBERED: u64 = 1000;

/// An edition that a process serves and the store does not have, because the store lost writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostEdition {
    pub edition: Edition,
    pub epoch: String,
    /// The last number of its journal.
    pub newest: u64,
    pub found_at: Timestamp,
}

/// How often a store lost writes, as far as a process noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Losses {
    pub count: u64,
    pub last_at: Option<Timestamp>,
}
