//! The progress of a refresh while it runs, and a table at the end.

use std::{io::IsTerminal, sync::Mutex};

use appstitch_publish::{ChangePreview, MovedVersion, Published};
use appstitch_refresh::{FileReport, FileResult, Watch};
use appstitch_sources::Upstream;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{exit::Failure, labels, words::counted};

/// The problems of a file that are shown unless all are asked for.
const SHOWN_PROBLEMS: usize = 5;

/// The versions that a dry run shows unless all are asked for.
const SHOWN_VERSIONS: usize = 20;

pub(super) struct Report {
    pub(super) files: Vec<FileReport>,
    pub(super) published: Vec<Published>,
    /// What would be published, in a dry run.
    pub(super) previews: Vec<ChangePreview>,
    resolved: Option<Resolving>,
    is_verbose: bool,
}

enum Resolving {
    /// The result in one line, and why labels stay unresolved.
    Done(String, Vec<String>),
    /// The reason why nothing is published.
    Failed(String),
}

impl Report {
    pub(super) fn new(is_verbose: bool) -> Self {
        Self {
            files: Vec::new(),
            published: Vec::new(),
            previews: Vec::new(),
            resolved: None,
            is_verbose,
        }
    }

    /// Marks the files of a source as failed, although they were read.
    pub(super) fn fail(&mut self, source: &str, why: &str) {
        FileReport::fail_source(&mut self.files, source, why);
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
        self.files.iter().any(FileReport::failed)
    }

    /// Prints the table to stdout, because it is the result of the command.
    pub(super) fn print(&self) {
        println!("{:<14} {:<10} {:>8} {:>8}  ", "source", "outcome", "entries", "rejected");
        for FileReport { upstream, address, result } in &self.files {
            let source = upstream.token();
            match result {
                FileResult::Read(tally) => {
                    let accepted = tally.received - tally.rejected;
                    println!("{source:<14} {:<10} {accepted:>8} {:>8}", "read", tally.rejected);
                }
                FileResult::Unchanged => {
                    println!("{source:<14} {:<10} {:>8} {:>8}", "unchanged", "-", "-");
                }
                FileResult::Nothing(why) => {
                    println!("{source:<14} {:<10} {:>8} {:>8}", "nothing", "-", "-");
                    eprintln!("note: {source}, {address}: {why}");
                }
                FileResult::Failed(failure) => {
                    println!("{source:<14} {:<10} {:>8} {:>8}", "failed", "-", "-");
                    eprintln!("warning: {source}, {address}: {}", failure.why);
                }
            }
            if let FileResult::Read(tally) = result {
                let shown = if self.is_verbose { usize::MAX } else { SHOWN_PROBLEMS };
                for problem in tally.problems.iter().take(shown) {
                    eprintln!("warning: {}: {}", problem.what, problem.why);
                }
                let left = tally.problems.len().saturating_sub(shown);
                if left > 0 {
                    let more = counted(left, "more problem");
                    eprintln!("warning: {source}: {more}; --verbose lists them");
                }
            }
        }
        for (source, why) in
            self.published.iter().flat_map(|published| published.left_out.reasons())
        {
            eprintln!("warning: {source}: {why}");
        }
        for Published { token, changed, total, added, updated, removed, .. } in &self.published {
            let apps = counted(total, "app");
            if *changed {
                println!(
                    "{apps} ({added} added, {updated} updated, {removed} removed), revision {token}"
                );
            } else {
                println!("{apps}, revision {token} (unchanged)");
            }
        }
        for preview in &self.previews {
            self.print_preview(preview);
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

impl Report {
    fn print_preview(&self, preview: &ChangePreview) {
        let ChangePreview { added, updated, removed, moved } = preview;
        println!(
            "not published: {} would be added, {updated} updated, {removed} removed",
            counted(added, "app")
        );
        let shown = if self.is_verbose { usize::MAX } else { SHOWN_VERSIONS };
        for MovedVersion { slug, from, to } in moved.iter().take(shown) {
            let text = |version: &Option<String>| version.as_deref().unwrap_or("-").to_owned();
            println!("  {slug}: {} -> {}", text(from), text(to));
        }
        let left = moved.len().saturating_sub(shown);
        if left > 0 {
            println!("  and {}; --verbose lists them", counted(left, "more version"));
        }
    }
}

/// The progress of the files: a bar on a terminal, otherwise a line for each.
#[derive(Default)]
pub(super) struct Bars(Mutex<Option<ProgressBar>>);

impl Bars {
    fn with_bar(&self, act: impl FnOnce(&ProgressBar)) {
        // Bars never fail, so the lock is never poisoned.
        if let Ok(Some(bar)) = self.0.lock().as_deref() {
            act(bar);
        }
    }
}

impl Watch for Bars {
    fn started(&self, upstream: Upstream, address: &str) {
        if !std::io::stderr().is_terminal() {
            eprintln!("fetching {} from {address}", upstream.token());
            return;
        }
        let bar = ProgressBar::no_length().with_message(upstream.token());
        // The template is constant; if it were invalid, the default style would do.
        if let Ok(style) =
            ProgressStyle::with_template("{msg:14} {bytes:>10} {wide_bar} {elapsed:>4}")
        {
            bar.set_style(style);
        }
        if let Ok(mut current) = self.0.lock() {
            *current = Some(bar);
        }
    }

    fn received(&self, bytes: u64, of: Option<u64>) {
        self.with_bar(|bar| {
            if let Some(of) = of {
                bar.set_length(of);
            }
            bar.set_position(bytes);
        });
    }

    fn finished(&self) {
        self.with_bar(ProgressBar::finish);
    }
}
