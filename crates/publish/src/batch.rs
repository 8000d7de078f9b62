//! A batch of records as it is uploaded: NDJSON, one record a line.

use std::collections::HashSet;

use appstitch_catalog::{Record, Refusal};
use serde::Serialize;

use crate::{CatalogChange, Keep, Published, RecordsChange};

/// How many problems a summary lists.
const LISTED_PROBLEMS: usize = 100;

/// The records of an upload that were let in, and what was wrong with the others.
#[derive(Debug)]
pub struct Batch {
    /// The records let in, each slug once.
    pub records: Vec<Record>,
    /// What stays because its replacement was refused.
    pub keep: Keep,
    /// How many records were sent.
    pub received: usize,
    /// How many records were refused.
    pub rejected: usize,
    /// Whether anything sent was a JSON object.
    pub readable: bool,
    /// What was refused or changed, and why.
    pub problems: Vec<UploadProblem>,
}

/// Something an uploader should know about one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UploadProblem {
    /// Which record.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

/// The answer to an upload.
#[derive(Debug, Clone, Serialize)]
pub struct BatchSummary {
    /// The token served now.
    pub revision: String,
    /// Whether the served catalog changed.
    pub changed: bool,
    /// How many records were sent.
    pub received: usize,
    /// How many of them were let in.
    pub accepted: usize,
    /// How many of them were refused.
    pub rejected: usize,
    /// The first hundred problems.
    pub problems: Vec<UploadProblem>,
    /// What changed for readers.
    pub apps: AppCounts,
}

/// What a change did to the apps.
#[derive(Debug, Clone, Serialize)]
pub struct AppCounts {
    total: u64,
    added: usize,
    updated: usize,
    removed: usize,
}

impl Batch {
    /// A batch of nothing.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            records: Vec::new(),
            keep: Keep::Slugs(Vec::new()),
            received: 0,
            rejected: 0,
            readable: false,
            problems: Vec::new(),
        }
    }

    /// Reads a batch; a bad line is a problem of its own and never sinks the rest.
    #[must_use]
    pub fn read(ndjson: &[u8]) -> Self {
        let mut batch = Self::empty();
        let mut slugs = HashSet::new();
        let text = ndjson.strip_prefix(b"\xef\xbb\xbf").unwrap_or(ndjson);
        for (number, line) in (1_usize..).zip(text.split(|byte| *byte == b'\n')) {
            if !line.trim_ascii().is_empty() {
                batch.take(&format!("line {number}"), line, &mut slugs);
            }
        }
        batch
    }

    /// Reads a single record.
    #[must_use]
    pub fn read_one(json: &[u8]) -> Self {
        let mut batch = Self::empty();
        batch.take("the record", json, &mut HashSet::new());
        batch
    }

    fn take(&mut self, place: &str, json: &[u8], slugs: &mut HashSet<String>) {
        self.received += 1;
        let admitted = match Record::admit(json) {
            Ok(admitted) => admitted,
            Err(refusal) => return self.refuse(place, refusal),
        };
        self.readable = true;
        let slug = admitted.record.app.slug.to_string();
        if !slugs.insert(slug.clone()) {
            let why = "the slug is given twice: the first one stands".to_owned();
            return self.refuse(place, Refusal { slug: Some(slug), readable: true, why });
        }
        for note in admitted.notes {
            self.note(place, Some(&slug), note);
        }
        self.records.push(admitted.record);
    }

    fn refuse(&mut self, place: &str, refusal: Refusal) {
        self.rejected += 1;
        self.readable |= refusal.readable;
        self.note(place, refusal.slug.as_deref(), refusal.why);
        match (&mut self.keep, refusal.slug) {
            (Keep::Slugs(slugs), Some(slug)) => slugs.push(slug),
            (keep, None) if *keep != Keep::Everything => {
                *keep = Keep::Everything;
                let why = "it may have been meant for any record, so none is removed".to_owned();
                self.note(place, None, why);
            }
            _ => {}
        }
    }

    fn note(&mut self, place: &str, slug: Option<&str>, why: String) {
        if self.problems.len() < LISTED_PROBLEMS {
            let what = match slug {
                Some(slug) => format!("{place}, slug '{slug}'"),
                None => place.to_owned(),
            };
            self.problems.push(UploadProblem { what, why });
        }
    }

    /// The change that makes these all the records there are.
    #[must_use]
    pub fn replacement(&mut self, allow_shrink: bool) -> CatalogChange {
        CatalogChange::Records(RecordsChange::Replace {
            records: std::mem::take(&mut self.records),
            keep: std::mem::replace(&mut self.keep, Keep::Slugs(Vec::new())),
            allow_shrink,
        })
    }

    /// The answer to the upload, once it is published.
    #[must_use]
    pub fn summary(self, published: Published) -> BatchSummary {
        let tally =
            Tally { received: self.received, rejected: self.rejected, problems: self.problems };
        tally.summary(published)
    }
}

/// What an upload held, whatever its kind.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// How many entries were sent.
    pub received: usize,
    /// How many of them were refused.
    pub rejected: usize,
    /// The first hundred problems.
    pub problems: Vec<UploadProblem>,
}

impl Tally {
    /// Counts a refused entry.
    pub fn refuse(&mut self, what: String, why: String) {
        self.rejected += 1;
        if self.problems.len() < LISTED_PROBLEMS {
            self.problems.push(UploadProblem { what, why });
        }
    }

    /// The answer to the upload, once it is published.
    #[must_use]
    pub fn summary(self, published: Published) -> BatchSummary {
        BatchSummary {
            revision: published.token,
            changed: published.changed,
            received: self.received,
            accepted: self.received - self.rejected,
            rejected: self.rejected,
            problems: self.problems,
            apps: AppCounts {
                total: published.total,
                added: published.added,
                updated: published.updated,
                removed: published.removed,
            },
        }
    }
}
