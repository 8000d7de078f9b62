//! The progress of a refresh while it runs, and a table at the end.

use std::io::IsTerminal;

use appstitch_publish::{Published, Tally};
use appstitch_sources::Upstream;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{exit::Failure, labels};

/// The outcome of one file.
pub(super) enum FileOutcome {
    /// Fetched and parsed.
    Read(Tally),
    /// The same as last time.
    Unchanged,
    /// Not published; the reason.
    Failed(String),
}

/// The outcomes so far.
pub(super) struct Report {
    on_terminal: bool,
    rows: Vec<(&'static str, String, FileOutcome)>,
    published: Option<Published>,
    resolved: Option<Resolving>,
}

/// The outcome of resolving labels.
enum Resolving {
    /// The result in one line, and why labels stay unresolved.
    Done(String, Vec<String>),
    /// The reason why nothing is published.
    Failed(String),
}

/// The progress of one file.
pub(super) struct Bar(Option<ProgressBar>);

impl Report {
    pub(super) fn new() -> Self {
        Self {
            on_terminal: std::io::stderr().is_terminal(),
            rows: Vec::new(),
            published: None,
            resolved: None,
        }
    }

    /// Shows a progress bar on a terminal, otherwise a plain line.
    pub(super) fn start(&self, upstream: Upstream, address: &str) -> Bar {
        if !self.on_terminal {
            eprintln!("fetching {} from {address}", upstream.token());
            return Bar(None);
        }
        let bar = ProgressBar::no_length().with_message(upstream.token());
        // The template is constant; if it were invalid, the default style would do.
        if let Ok(style) =
            ProgressStyle::with_template("{msg:14} {bytes:>10} {wide_bar} {elapsed:>4}")
        {
            bar.set_style(style);
        }
        Bar(Some(bar))
    }

    pub(super) fn add(&mut self, upstream: Upstream, address: &str, outcome: FileOutcome) {
        self.rows.push((upstream.token(), address.to_owned(), outcome));
    }

    /// Marks the files of a source as failed, although they were read.
    pub(super) fn fail(&mut self, source: &str, why: &str) {
        for (_, _, outcome) in self.rows.iter_mut().filter(|(token, _, _)| *token == source) {
            if matches!(outcome, FileOutcome::Read(_)) {
                *outcome = FileOutcome::Failed(why.to_owned());
            }
        }
    }

    pub(super) fn published(&mut self, published: &Published) {
        self.published = Some(published.clone());
    }

    /// Takes the result of resolving labels; `None` if no label needed a run.
    pub(super) fn resolved(&mut self, result: Result<Option<labels::Report>, Failure>) {
        self.resolved = Some(match result {
            Ok(None) => Resolving::Done("no label needs a run".to_owned(), Vec::new()),
            Ok(Some(report)) if report.is_offline() => {
                Resolving::Failed(labels::no_answer().to_string())
            }
            Ok(Some(report)) => Resolving::Done(report.summary(), report.reasons()),
            Err(failure) => Resolving::Failed(failure.to_string()),
        });
    }

    /// Whether labels were to be resolved and nothing came of it.
    pub(super) fn is_unresolved(&self) -> bool {
        matches!(self.resolved, Some(Resolving::Failed(_)))
    }

    pub(super) fn failed(&self) -> bool {
        self.rows.iter().any(|(_, _, outcome)| matches!(outcome, FileOutcome::Failed(_)))
    }

    /// Prints the table to stdout, because it is the result of the command.
    pub(super) fn print(&self) {
        println!("{:<14} {:<10} {:>8} {:>8}  ", "source", "outcome", "entries", "rejected");
        for (source, address, outcome) in &self.rows {
            match outcome {
                FileOutcome::Read(tally) => {
                    let accepted = tally.received - tally.rejected;
                    println!("{source:<14} {:<10} {accepted:>8} {:>8}", "read", tally.rejected);
                }
                FileOutcome::Unchanged => {
                    println!("{source:<14} {:<10} {:>8} {:>8}", "unchanged", "-", "-");
                }
                FileOutcome::Failed(why) => {
                    println!("{source:<14} {:<10} {:>8} {:>8}", "failed", "-", "-");
                    eprintln!("warning: {source}, {address}: {why}");
                }
            }
            if let FileOutcome::Read(tally) = outcome {
                for problem in &tally.problems {
                    eprintln!("warning: {}: {}", problem.what, problem.why);
                }
            }
        }
        for (source, why) in self.published.iter().flat_map(|published| published.left_out.told()) {
            eprintln!("warning: {source}: {why}");
        }
        match &self.published {
            Some(Published { token, changed: true, total, added, updated, removed, .. }) => {
                println!(
                    "{total} apps ({added} added, {updated} updated, {removed} removed), revision {token}"
                );
            }
            Some(Published { token, total, .. }) => {
                println!("{total} apps, revision {token} (unchanged)");
            }
            None => {}
        }
        match &self.resolved {
            Some(Resolving::Done(summary, reasons)) => {
                println!("{summary}");
                for reason in reasons {
                    eprintln!("warning: {reason}");
                }
            }
            Some(Resolving::Failed(why)) => {
                println!("labels not resolved");
                eprintln!("warning: labels not resolved: {why}");
            }
            None => {}
        }
    }
}

impl Bar {
    pub(super) fn advance(&self, done: u64, total: Option<u64>) {
        if let Some(bar) = &self.0 {
            if let Some(total) = total {
                bar.set_length(total);
            }
            bar.set_position(done);
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish();
        }
    }
}
