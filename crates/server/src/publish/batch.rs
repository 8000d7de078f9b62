//! A batch of records as it is uploaded: NDJSON, one record a line.

use std::collections::HashSet;

use appstitch_catalog::{Record, Refusal};
use serde::Serialize;

use super::{Published, RecordsChange};

/// How many problems a summary lists.
const LISTED_PROBLEMS: usize = 100;

/// The records of an upload that were let in, and what was wrong with the others.
#[derive(Debug, Default)]
pub struct Batch {
    /// The records let in, each slug once.
    pub records: Vec<Record>,
    /// Slugs whose new record was refused: what was there before stays.
    pub keep: Vec<String>,
    /// How many records were sent.
    pub received: usize,
    /// How many records were refused.
    pub rejected: usize,
    /// Whether anything sent was a JSON object.
    pub readable: bool,
    /// What was refused or changed, and why.
    pub problems: Vec<Problem>,
}

/// Something an uploader should know about one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
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
    pub problems: Vec<Problem>,
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
    /// Reads a batch; a bad line is a problem of its own and never sinks the rest.
    #[must_use]
    pub fn read(ndjson: &[u8]) -> Self {
        let mut batch = Self::default();
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
        let mut batch = Self::default();
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
        if let Some(given) = admitted.renamed_from {
            let why = format!("a route has this name: the app is served as '{slug}'");
            self.note(place, Some(given.as_str()), why);
        }
        self.records.push(admitted.record);
    }

    fn refuse(&mut self, place: &str, refusal: Refusal) {
        self.rejected += 1;
        self.readable |= refusal.readable;
        self.note(place, refusal.slug.as_deref(), refusal.why);
        self.keep.extend(refusal.slug);
    }

    fn note(&mut self, place: &str, slug: Option<&str>, why: String) {
        if self.problems.len() < LISTED_PROBLEMS {
            let what = match slug {
                Some(slug) => format!("{place}, slug '{slug}'"),
                None => place.to_owned(),
            };
            self.problems.push(Problem { what, why });
        }
    }

    /// The change that makes these all the records there are.
    #[must_use]
    pub fn replacement(&mut self, allow_shrink: bool) -> RecordsChange {
        RecordsChange::Replace {
            records: std::mem::take(&mut self.records),
            keep: std::mem::take(&mut self.keep),
            allow_shrink,
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
