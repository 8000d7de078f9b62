//! Ends the process if one execution does not end.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// How often it is looked whether an execution has ended, within the time that it may take.
const LOOKS: u32 = 8;

/// Counts executions, so that another thread sees when nothing goes on.
pub(crate) struct Watchdog {
    /// Odd while an execution runs, and never the same for two of them.
    state: Arc<AtomicU64>,
}

impl Watchdog {
    /// Starts to watch. The thread ends with the process.
    pub(crate) fn start(limit: Duration) -> Self {
        let state = Arc::new(AtomicU64::new(0));
        let watched = Arc::clone(&state);
        thread::spawn(move || {
            let mut last = 0;
            let mut looks = 0;
            loop {
                thread::sleep(limit / LOOKS);
                let now = watched.load(Ordering::Relaxed);
                let is_same = now == last && !now.is_multiple_of(2);
                looks = if is_same { looks + 1 } else { 0 };
                last = now;
                if looks > LOOKS {
                    eprintln!("an execution takes more than {limit:?}");
                    // Any other end would wait for the thread that hangs.
                    std::process::abort();
                }
            }
        });
        Self { state }
    }

    /// An execution begins.
    pub(crate) fn begin(&self) {
        self.state.store((self.now() | 1) + 2, Ordering::Relaxed);
    }

    /// Nothing runs for now.
    pub(crate) fn rest(&self) {
        self.state.store((self.now() | 1) + 1, Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        self.state.load(Ordering::Relaxed)
    }
}
