//! Steps at which tests make the program fail.
//!
//! Fail points are compiled only into debug builds with the feature `fail-points`, which only the
//! tests enable. In all other builds, [`FailPoint::reach`] is an empty function.

#[cfg(all(feature = "fail-points", debug_assertions))]
mod armed;

use crate::error::StoreError;

/// A step of migrating or publishing, in the order in which a store takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailPoint {
    /// A statement of a migration is about to be executed, or the migration is about to be committed.
    Migrate,
    /// An uploaded file is about to be parsed.
    Parse,
    /// The store is about to be read.
    Read,
    /// The documents are about to be stitched.
    Stitch,
    /// The transaction is about to begin.
    Begin,
    /// Some of the rows are written.
    Write,
    /// All rows are written, but not committed.
    Commit,
    /// The transaction is committed.
    Committed,
    /// The new snapshot is about to be served.
    Swap,
    /// The new snapshot is served.
    Swapped,
}

impl FailPoint {
    /// Fails if a test asked for a failure at this step.
    #[cfg(all(feature = "fail-points", debug_assertions))]
    pub fn reach(self) -> Result<(), StoreError> {
        armed::reach(self)
    }

    /// Does nothing: this build has no fail points.
    #[cfg(not(all(feature = "fail-points", debug_assertions)))]
    #[inline]
    pub const fn reach(self) -> Result<(), StoreError> {
        Ok(())
    }
}
