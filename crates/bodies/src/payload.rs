//! The bytes of a response, in memory or in a file.

use bytes::Bytes;

use crate::FileRange;

/// A body of up to three slices that share the snapshot's memory: the start of a list, its rows,
/// and its end.
#[derive(Debug, Default, Clone)]
pub struct Slices([Bytes; 3]);

impl Slices {
    /// A body of three slices.
    #[must_use]
    pub fn new(slices: [Bytes; 3]) -> Self {
        Self(slices)
    }

    /// A body in one piece.
    #[must_use]
    #[inline]
    pub fn one(body: Bytes) -> Self {
        Self([body, Bytes::new(), Bytes::new()])
    }

    /// The length in bytes.
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
    /// The length in bytes.
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
