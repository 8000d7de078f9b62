//! The report as text.

use std::fmt::Write as _;

use super::Report;
use crate::labels::escape::{escape, shorten};

/// The number of labels that are named for a reason.
const NAMED: usize = 3;
const NAMED_LEFT: usize = 10;
/// The number of characters of a reason.
const REASON: usize = 100;

impl Report {
    /// Counts, then the changed versions and what needs attention.
    pub(super) fn table(&self) -> String {
        let mut text = String::new();
        for (name, count) in [
            ("labels run", self.labels),
            ("resolved", self.resolved),
            ("unresolved", self.unresolved_labels),
            ("unchanged", self.unchanged),
            ("changed", self.changed.len()),
            ("pending", self.pending.len()),
            ("rejected", self.rejected.len()),
            ("left for next time", self.left.len()),
        ] {
            add(&mut text, format_args!("{name:<20}{count:>6}"));
        }
        add(&mut text, format_args!("{:<20}{:>6}", "requests", self.requests));
        self.add_changed(&mut text);
        self.add_unresolved(&mut text);
        self.add_rest(&mut text);
        if let Some(revision) = &self.revision {
            add(&mut text, format_args!("\nrevision {}", escape(revision)));
        }
        text
    }

    fn add_changed(&self, text: &mut String) {
        heading(text, "changed", self.changed.is_empty());
        for changed in &self.changed {
            let label = escape(&changed.label);
            let shown = |version: &Option<String>| {
                version.as_deref().map_or_else(|| "none".to_owned(), escape)
            };
            if changed.old == changed.new {
                let version = shown(&changed.new);
                add(text, format_args!("  {label:<30} {version} (other download URL)"));
            } else {
                let (old, new) = (shown(&changed.old), shown(&changed.new));
                add(text, format_args!("  {label:<30} {old} → {new}"));
            }
        }
    }

    fn add_unresolved(&self, text: &mut String) {
        heading(text, "unresolved", self.unresolved.is_empty());
        for group in &self.unresolved {
            let reason = shorten(&group.reason, REASON);
            let labels = named(&group.labels, NAMED);
            add(text, format_args!("{:>6}  {reason}\n        {labels}", group.count));
        }
    }

    /// Why labels stay unresolved, the most frequent reason first.
    pub(super) fn unresolved_lines(&self) -> impl Iterator<Item = String> {
        self.unresolved.iter().map(|group| {
            let reason = shorten(&group.reason, REASON);
            format!("{} unresolved: {reason} ({})", group.count, named(&group.labels, NAMED))
        })
    }

    fn add_rest(&self, text: &mut String) {
        heading(text, "pending", self.pending.is_empty());
        for pending in &self.pending {
            let (label, version) = (escape(&pending.label), escape(&pending.version));
            let (known, settles_at) = (escape(&pending.known), &pending.settles_at);
            add(
                text,
                format_args!(
                    "  {label:<30} {version} is lower than {known}; published if found again at {settles_at} or later"
                ),
            );
        }
        heading(text, "rejected", self.rejected.is_empty());
        for rejected in &self.rejected {
            let (label, why) = (escape(&rejected.label), escape(&rejected.why));
            add(text, format_args!("  {label:<30} {why}"));
        }
        if !self.left.is_empty() {
            let left = named(&self.left, NAMED_LEFT);
            add(text, format_args!("\nleft for next time: {left}"));
        }
        if !self.limited_hosts.is_empty() {
            let hosts = escape(&self.limited_hosts.join(", "));
            add(text, format_args!("\nrequest limit reached: {hosts}"));
        }
    }
}

fn heading(text: &mut String, name: &str, is_empty: bool) {
    if !is_empty {
        add(text, format_args!("\n{name}"));
    }
}

/// The first names, and how many more there are.
fn named(names: &[String], most: usize) -> String {
    let shown: Vec<String> = names.iter().take(most).map(|name| escape(name)).collect();
    match names.len().saturating_sub(most) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn add(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let _ = writeln!(text, "{line}");
}
