use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Exceeded {
    #[error("it needs more than {0} bytes of memory")]
    Bytes(u64),
    #[error("it takes more than {0} steps")]
    Steps(u64),
    #[error("it is nested more than {0} levels deep")]
    Depth(u32),
    #[error("it has more than {0} entries")]
    Rows(u64),
    #[error("it makes more than {0} requests")]
    Requests(u32),
    /// The time is up, or the work was stopped.
    #[error("it takes too much time")]
    Time,
    /// The bytes of a [`Pool`](crate::Pool), which others use at the moment.
    #[error("other work uses all of the {0} bytes of memory at the moment; try again later")]
    Pool(u64),
}

impl Exceeded {
    /// Whether the same may succeed later, because others use up the limit.
    pub fn may_pass(self) -> bool {
        matches!(self, Self::Pool(_))
    }
}
