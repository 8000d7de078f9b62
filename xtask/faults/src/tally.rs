//! What happened, in numbers.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UploadResult {
    Acknowledged,
    NotFound,
    /// Nothing was changed.
    Refused,
    Unknown,
}

/// Counts everything while a run goes on.
pub(crate) struct Tally {
    acknowledged: AtomicU64,
    refused: AtomicU64,
    unknown: AtomicU64,
    responses: AtomicU64,
    faults: Mutex<BTreeMap<&'static str, u64>>,
    uploads: Mutex<Gaps>,
}

/// The times between acknowledged uploads.
struct Gaps {
    last: Instant,
    longest: Duration,
}

#[derive(Debug, Clone, Default)]
pub struct Counts {
    pub acknowledged: u64,
    /// Uploads that changed nothing, and said so.
    pub refused: u64,
    /// Uploads whose result was unknown, because the connection was lost.
    pub unknown: u64,
    /// Answers to reads that were checked.
    pub responses: u64,
    pub faults: BTreeMap<&'static str, u64>,
    /// The longest time without an acknowledged upload.
    pub longest_gap: Duration,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Self {
            acknowledged: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            unknown: AtomicU64::new(0),
            responses: AtomicU64::new(0),
            faults: Mutex::default(),
            uploads: Mutex::new(Gaps { last: Instant::now(), longest: Duration::ZERO }),
        }
    }

    pub(crate) fn count(&self, result: UploadResult) {
        let counter = match result {
            UploadResult::Acknowledged | UploadResult::NotFound => &self.acknowledged,
            UploadResult::Refused => &self.refused,
            UploadResult::Unknown => &self.unknown,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        if result == UploadResult::Acknowledged {
            let mut gaps = self.uploads.lock().unwrap_or_else(PoisonError::into_inner);
            gaps.longest = gaps.longest.max(gaps.last.elapsed());
            gaps.last = Instant::now();
        }
    }

    pub(crate) fn count_response(&self) {
        self.responses.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_fault(&self, kind: &'static str) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        *faults.entry(kind).or_default() += 1;
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            acknowledged: self.acknowledged.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            unknown: self.unknown.load(Ordering::Relaxed),
            responses: self.responses.load(Ordering::Relaxed),
            faults: self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            longest_gap: self.uploads.lock().unwrap_or_else(PoisonError::into_inner).longest,
        }
    }
}
