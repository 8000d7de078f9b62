use std::collections::HashSet;

use appstitch_budget::{Budget, Exceeded};
use bytes::Bytes;
use thiserror::Error;

/// The maximum size of one entry of a file, in bytes. The largest real one has 466 kilobytes.
pub(crate) const MAX_ENTRY_BYTES: usize = 4 << 20;

/// The maximum size of an entry's key, in bytes. The longest real one has 90.
pub(crate) const MAX_KEY_BYTES: usize = 512;

/// In bytes. Problems quote what others wrote.
const MAX_PROBLEM_BYTES: usize = 500;

const ENTRY_OVERHEAD: usize = 256;

/// One entry of an upstream, as upstream wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamEntry {
    pub key: String,
    /// Clones share the bytes.
    pub body: Bytes,
}

/// A rejected entry, or a problem of an accepted one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub what: String,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedFile {
    /// The accepted entries; keys are unique.
    pub entries: Vec<UpstreamEntry>,
    pub rejected: usize,
    /// The first of the rejected entries, as many as the budget keeps.
    pub refused: Vec<Refused>,
    pub notes: Vec<Refused>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    #[error("the file is larger than {limit} bytes when unpacked")]
    TooLarge { limit: usize },
    #[error("reading the file is too much work: {0}")]
    Exceeded(#[from] Exceeded),
    /// The page of the titles is there, but without the table.
    #[error("the page has no table of titles")]
    NoTable,
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

impl FileError {
    pub(crate) fn unreadable(why: impl Into<String>) -> Self {
        Self::Unreadable(Unreadable(why.into()))
    }

    pub(crate) fn not_a(self, format: &str) -> Self {
        match self {
            Self::Unreadable(Unreadable(why)) => Self::unreadable(format!("not {format}: {why}")),
            other => other,
        }
    }
}

impl ParsedFile {
    /// Adds an entry. Its key must be new.
    pub(crate) fn take(
        &mut self,
        entry: UpstreamEntry,
        budget: &mut Budget,
    ) -> Result<(), Exceeded> {
        budget.row()?;
        budget.hold(entry.key.len() + entry.body.len() + ENTRY_OVERHEAD)?;
        self.entries.push(entry);
        Ok(())
    }

    pub(crate) fn refuse(&mut self, what: &str, why: &str, budget: &mut Budget) {
        self.rejected += 1;
        if budget.keeps_problem() {
            self.refused.push(Refused { what: shortened(what), why: shortened(why) });
        }
    }

    pub(crate) fn note(&mut self, what: &str, why: &str, budget: &mut Budget) {
        if budget.keeps_problem() {
            self.notes.push(Refused { what: shortened(what), why: shortened(why) });
        }
    }
}

fn shortened(text: &str) -> String {
    if text.len() <= MAX_PROBLEM_BYTES {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(MAX_PROBLEM_BYTES)])
}

/// Collects entries of which each key counts once.
#[derive(Default)]
pub(crate) struct KeyedEntries {
    keys: HashSet<String>,
    count: usize,
    pub(crate) parsed: ParsedFile,
}

impl KeyedEntries {
    /// Takes the next entry of a file: its key and content, or why it is rejected.
    pub(crate) fn take(
        &mut self,
        entry: Result<(String, Bytes), String>,
        budget: &mut Budget,
    ) -> Result<(), Exceeded> {
        self.count += 1;
        let what = format!("entry {}", self.count);
        self.take_named(&what, entry, budget)
    }

    /// Like [`Self::take`], for an entry that has a name.
    pub(crate) fn take_named(
        &mut self,
        what: &str,
        entry: Result<(String, Bytes), String>,
        budget: &mut Budget,
    ) -> Result<(), Exceeded> {
        budget.step(ENTRY_STEPS)?;
        let checked = entry.and_then(|(key, body)| {
            if key.len() > MAX_KEY_BYTES {
                return Err(format!("its key is longer than {MAX_KEY_BYTES} bytes"));
            }
            if self.keys.contains(&key) {
                return Err(format!("duplicate key '{key}'; the first entry is used"));
            }
            Ok(UpstreamEntry { key, body })
        });
        match checked {
            Err(why) => self.parsed.refuse(what, &why, budget),
            Ok(entry) => {
                budget.hold(entry.key.len())?;
                self.keys.insert(entry.key.clone());
                self.parsed.take(entry, budget)?;
            }
        }
        Ok(())
    }
}

/// The steps of an entry besides those of its bytes.
pub(crate) const ENTRY_STEPS: u64 = 8;

#[cfg(test)]
mod tests {
    use appstitch_budget::Limits;

    use super::*;

    #[test]
    fn all_rejected_entries_are_counted_and_the_first_are_kept_shortened() {
        let mut entries = KeyedEntries::default();
        let mut budget = Budget::new(Limits { problems: 2, ..Limits::NONE });
        for _ in 0..1000 {
            entries.take(Err("é".repeat(100_000)), &mut budget).unwrap();
        }
        let ParsedFile { rejected, refused, .. } = entries.parsed;
        assert_eq!((rejected, refused.len()), (1000, 2));
        assert!(refused[1].why.len() < 600, "{}", refused[1].why.len());
        assert_eq!(refused[1].what, "entry 2");
    }

    #[test]
    fn a_key_counts_once_and_must_be_short() {
        let mut entries = KeyedEntries::default();
        let mut budget = Budget::default();
        let entry = |key: &str| Ok((key.to_owned(), Bytes::from_static(b"{}")));
        for key in ["a", "a", &"k".repeat(MAX_KEY_BYTES), &"k".repeat(MAX_KEY_BYTES + 1)] {
            entries.take(entry(key), &mut budget).unwrap();
        }
        assert_eq!((entries.parsed.entries.len(), entries.parsed.rejected), (2, 2));
    }

    #[test]
    fn what_is_held_is_limited() {
        let limits = Limits { bytes: 1000, rows: 2, ..Limits::NONE };
        let entry = |size: usize| UpstreamEntry { key: String::new(), body: vec![0; size].into() };
        let (mut parsed, mut budget) = (ParsedFile::default(), Budget::new(limits));
        assert_eq!(parsed.take(entry(1000), &mut budget), Err(Exceeded::Bytes(1000)));
        let mut budget = Budget::new(limits);
        assert!(parsed.take(entry(1), &mut budget).is_ok());
        assert!(parsed.take(entry(1), &mut budget).is_ok());
        assert_eq!(parsed.take(entry(1), &mut budget), Err(Exceeded::Rows(2)));
    }
}
