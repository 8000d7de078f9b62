//! Watches a run from another thread: stops one that takes too long, and remembers its seed.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use crate::run::workspace;

/// A run is stopped after so many seconds.
const SECONDS: u64 = 20;

/// Watches runs.
pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    /// How many seconds the run may still take; 0 while nothing runs.
    left: Arc<AtomicU64>,
    /// The seed of the current run, for those that end the whole process.
    file: PathBuf,
}

impl Watch {
    /// Starts to watch.
    pub(super) fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let left = Arc::new(AtomicU64::new(0));
        let watch = Self {
            stop: Arc::clone(&stop),
            left: Arc::clone(&left),
            file: workspace().join("target/fuzz-labels.seed"),
        };
        thread::spawn(move || {
            // Ends with the process.
            loop {
                thread::sleep(Duration::from_secs(1));
                let passed = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |seconds| {
                    seconds.checked_sub(1)
                });
                if passed == Ok(1) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        watch
    }

    /// The flag that stops a run.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// A run begins.
    pub(super) fn begin(&mut self, seed: u64) {
        // Without the file a run that ends the process has to be found by hand.
        drop(fs::write(&self.file, seed.to_string()));
        self.stop.store(false, Ordering::Relaxed);
        self.left.store(SECONDS, Ordering::Relaxed);
    }

    /// A run ends.
    pub(super) fn end(&mut self) {
        self.left.store(0, Ordering::Relaxed);
    }
}

/// The most memory that the process had so far, in bytes; 0 where that is not told.
pub(super) fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}
