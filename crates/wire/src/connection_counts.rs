//! Counts of connections and of rejections.

use std::sync::atomic::{AtomicU64, AtomicUsize};

#[derive(Debug, Default)]
pub struct ConnectionCounts {
    pub open: AtomicUsize,
    /// Connections that were idle and were closed because all permits were taken.
    pub closed_for_room: AtomicU64,
    /// The same because their client address had its share.
    pub closed_for_share: AtomicU64,
    /// Connections and requests that were answered with 503, or closed, because there was no room.
    pub refused: AtomicU64,
    /// Reads that were answered with 503 because too many others waited for a worker.
    pub refused_for_work: AtomicU64,
    /// Reads that were answered with 503 because unsent responses took all memory.
    pub refused_for_memory: AtomicU64,
    pub waiting_reads: AtomicUsize,
}
