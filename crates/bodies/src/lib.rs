//! The bytes of responses: a revision prepares them, a connection sends them.
//!
//! Both know this crate and neither knows the other.

mod body_file;

pub use body_file::{BodyFile, FileRange};

use bytes::Bytes;

/// A body of up to three slices that share the snapshot's memory: the start of a list, its rows,
/// and its end.
#[derive(Debug, Default, Clone)]
pub struct Slices([Bytes; 3]);

impl Slices {
    #[must_use]
    pub fn new(slices: [Bytes; 3]) -> Self {
        Self(slices)
    }

    #[must_use]
    #[inline]
    pub fn one(body: Bytes) -> Self {
        Self([body, Bytes::new(), Bytes::new()])
    }

    #[must_use]
    #[inline]
    pub fn length(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    /// The slices in order; some may be empty.
    #[must_use]
    #[inline]
    pub fn slices(&self) -> &[Bytes; 3] {
        &self.0
    }

    /// The body copied into one piece.
    #[must_use]
    pub fn concat(&self) -> Vec<u8> {
        self.0.concat()
    }
}

/// A body that is ready to be sent.
#[derive(Debug, Clone)]
pub enum Payload {
    /// From memory that is shared: a part of the revision, or of a bounded cache.
    Memory(Slices),
    /// From memory that was taken for this response alone. It counts against the memory limit until
    /// it is sent.
    Made(Slices),
    /// From a file, without copying it into memory.
    File(FileRange),
}

impl Payload {
    #[must_use]
    #[inline]
    pub fn length(&self) -> usize {
        match self {
            Self::Memory(slices) | Self::Made(slices) => slices.length(),
            Self::File(range) => range.length(),
        }
    }
}

impl From<Slices> for Payload {
    fn from(slices: Slices) -> Self {
        Self::Memory(slices)
    }
}
