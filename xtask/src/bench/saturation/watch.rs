//! Watches the memory of a process.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::{bench::process::Process, run::Failure};

const INTERVAL: Duration = Duration::from_millis(100);

/// The memory of a process over some time, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct MemoryRange {
    pub(super) highest: u64,
    pub(super) last: u64,
}

pub(super) struct Watch<'a> {
    process: &'a Process,
    seen: Mutex<MemoryRange>,
}

impl<'a> Watch<'a> {
    pub(super) fn of(process: &'a Process) -> Self {
        Self { process, seen: Mutex::default() }
    }

    pub(super) fn until(&self, ended: &AtomicBool) -> Result<(), Failure> {
        while !ended.load(Ordering::Relaxed) {
            let last = self.process.memory()?.resident;
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            *seen = MemoryRange { highest: seen.highest.max(last), last };
            drop(seen);
            std::thread::sleep(INTERVAL);
        }
        Ok(())
    }

    /// The memory since the last call.
    pub(super) fn take(&self) -> MemoryRange {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
