//! The progress of an export: a bar on a terminal, otherwise one line at the start.

use std::{
    io::IsTerminal,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use appstitch_export::Watcher;
use indicatif::{ProgressBar, ProgressStyle};

use crate::words::counted;

/// Shows how far an export is, and passes on that it is interrupted.
pub(super) struct Progress {
    stop: Arc<AtomicBool>,
    bar: OnceLock<Option<ProgressBar>>,
}

impl Progress {
    pub(super) fn new(stop: Arc<AtomicBool>) -> Self {
        Self { stop, bar: OnceLock::new() }
    }

    pub(super) fn finish(&self) {
        if let Some(Some(bar)) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for Progress {
    fn progress(&self, done: usize, total: usize) {
        let bar = self.bar.get_or_init(|| start(total));
        if let Some(bar) = bar {
            bar.set_position(done as u64);
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn start(total: usize) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        eprintln!("exporting {}", counted(total, "address"));
        return None;
    }
    let bar = ProgressBar::new(total as u64);
    // The template is constant; if it were invalid, the default style would do.
    if let Ok(style) =
        ProgressStyle::with_template("addresses {pos:>6}/{len} {wide_bar} {elapsed:>4}")
    {
        bar.set_style(style);
    }
    Some(bar)
}
