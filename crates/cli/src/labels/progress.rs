//! The progress of a run: a bar on a terminal, otherwise plain lines.

use std::{io::IsTerminal, sync::OnceLock};

use appstitch_resolver::{Counts, Event};
use indicatif::{ProgressBar, ProgressStyle};

use crate::words::counted;

/// A plain line is printed for so many labels.
const LABELS_PER_LINE: usize = 100;

/// Shows how far a run is, from its first label on.
#[derive(Default)]
pub(super) struct Progress(OnceLock<Option<ProgressBar>>);

impl Progress {
    fn start(labels: usize) -> Option<ProgressBar> {
        if !std::io::stderr().is_terminal() {
            eprintln!("resolving {}", counted(labels, "label"));
            return None;
        }
        let bar = ProgressBar::new(labels as u64);
        // The template is constant; if it were invalid, the default style would do.
        if let Ok(style) =
            ProgressStyle::with_template("labels {pos:>5}/{len} {wide_bar} {msg} {elapsed:>4}")
        {
            bar.set_style(style);
        }
        Some(bar)
    }

    pub(super) fn show(&self, event: Event<'_>) {
        let (Event::Started { counts, .. } | Event::Finished { counts, .. }) = event;
        let Counts { total, finished, requests_sent, .. } = counts;
        let bar = self.0.get_or_init(|| Self::start(total));
        if matches!(event, Event::Started { .. }) {
            return;
        }
        match bar {
            Some(bar) => {
                bar.set_position(finished as u64);
                bar.set_message(counted(requests_sent, "request"));
            }
            None if finished % LABELS_PER_LINE == 0 && finished < total => {
                let requests = counted(requests_sent, "request");
                eprintln!("{finished} of {total} labels done, {requests}");
            }
            None => {}
        }
    }

    pub(super) fn finish(&self) {
        if let Some(Some(bar)) = self.0.get() {
            bar.finish_and_clear();
        }
    }
}
