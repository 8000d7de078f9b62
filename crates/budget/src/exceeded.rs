//! Which limit was reached.

use thiserror::Error;

/// The limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Exceeded {
    /// [`Limits::bytes`](crate::Limits::bytes).
    #[error("it needs more than {0} bytes of memory")]
    Bytes(u64),
    /// [`Limits::steps`](crate::Limits::steps).
    #[error("it takes more than {0} steps")]
    Steps(u64),
    /// [`Limits::depth`](crate::Limits::depth).
    #[error("it is nested more than {0} levels deep")]
    Depth(u32),
    /// [`Limits::rows`](crate::Limits::rows).
    #[error("it has more than {0} entries")]
    Rows(u64),
    /// [`Limits::requests`](crate::Limits::requests).
    #[error("it makes more than {0} requests")]
    Requests(u32),
    /// The time is up, or somebody stopped the work.
    #[error("it takes too much time")]
    Time,
    /// The bytes of a [`Pool`](crate::Pool), which others use at the moment.
    #[error("other work uses all of the {0} bytes of memory at the moment; try again later")]
    Pool(u64),
}

impl Exceeded {
    /// Whether the same may succeed later, because others use up the limit.
    #[must_use]
    pub fn may_pass(self) -> bool {
        matches!(self, Self::Pool(_))
    }
}
