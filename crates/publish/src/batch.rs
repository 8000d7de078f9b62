//! An uploaded batch of records: NDJSON, one record per line.

use std::collections::HashMap;

use appstitch_budget::{Budget, Exceeded};
use appstitch_catalog::{Record, Refusal, Slug, visible};
use serde::{Deserialize, Serialize};

use crate::{CatalogChange, Keep, LabelOutcome, Published, RecordsChange};

/// The maximum number of problems in a summary.
const LISTED_PROBLEMS: usize = 100;

/// The maximum size of one record, in bytes of JSON.
pub const MAX_RECORD_BYTES: usize = 8 << 20;

/// The maximum length of a problem, in bytes. Problems quote what somebody else wrote.
const PROBLEM_BYTES: usize = 500;

/// How many bytes of JSON are read per step.
const BYTES_PER_STEP: usize = 32;

/// The steps of a line besides those of its bytes.
const LINE_STEPS: u64 = 16;

/// What a record takes in memory besides its JSON.
const RECORD_OVERHEAD: usize = 512;

/// The accepted records of an upload, and the problems of the others.
#[derive(Debug)]
pub struct Batch {
    /// The accepted records, each slug once.
    pub records: Vec<Record>,
    /// The stored records to keep because their replacement was rejected.
    pub keep: Keep,
    /// The number of records received.
    pub received: usize,
    /// The number of records rejected.
    pub rejected: usize,
    /// Whether any line was a JSON object.
    pub readable: bool,
    /// What was rejected or changed, and why.
    pub problems: Vec<UploadProblem>,
}

/// A problem with one entry of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadProblem {
    /// The entry.
    pub what: String,
    /// The problem.
    pub why: String,
}

impl UploadProblem {
    /// A problem as people read it: what they sent is quoted without characters that change how a
    /// terminal or a page shows the rest.
    fn new(what: String, why: String) -> Self {
        // Escapes are longer than what they stand for.
        let readable = |text: String| shortened(visible(&shortened(text)));
        Self { what: readable(what), why: readable(why) }
    }
}

/// The response to an upload.
#[derive(Debug, Clone, Serialize)]
pub struct BatchSummary {
    /// The token served now.
    pub revision: String,
    /// Whether the served catalog changed.
    pub changed: bool,
    /// The number of entries received.
    pub received: usize,
    /// The number of entries accepted.
    pub accepted: usize,
    /// The number of entries rejected.
    pub rejected: usize,
    /// The first hundred problems.
    pub problems: Vec<UploadProblem>,
    /// The changes to the served apps.
    pub apps: AppCounts,
    /// What became of each resolved label. Other uploads have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelOutcome>,
}

/// The effect of a change on the served apps.
#[derive(Debug, Clone, Serialize)]
pub struct AppCounts {
    total: u64,
    added: usize,
    updated: usize,
    removed: usize,
}

impl Batch {
    /// An empty batch.
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

    /// Reads a batch. An invalid line is recorded as a problem and does not affect the others. The
    /// records that are kept, and the work of finding them, are taken from the budget.
    pub fn read(ndjson: &[u8], budget: &mut Budget) -> Result<Self, Exceeded> {
        let mut batch = Self::empty();
        let mut slugs = HashMap::new();
        let text = ndjson.strip_prefix(b"\xef\xbb\xbf").unwrap_or(ndjson);
        for (number, line) in (1_usize..).zip(text.split(|byte| *byte == b'\n')) {
            budget.step(1 + (line.len() / BYTES_PER_STEP) as u64)?;
            if !line.trim_ascii().is_empty() {
                batch.take(&format!("line {number}"), line, &mut slugs, budget)?;
            }
        }
        Ok(batch)
    }

    /// Reads a single record.
    pub fn read_one(json: &[u8], budget: &mut Budget) -> Result<Self, Exceeded> {
        let mut batch = Self::empty();
        batch.take("the record", json, &mut HashMap::new(), budget)?;
        Ok(batch)
    }

    fn take(
        &mut self,
        place: &str,
        json: &[u8],
        slugs: &mut HashMap<String, Slug>,
        budget: &mut Budget,
    ) -> Result<(), Exceeded> {
        budget.step(LINE_STEPS)?;
        self.received += 1;
        let admitted = if json.len() > MAX_RECORD_BYTES {
            let why = format!("it is larger than {MAX_RECORD_BYTES} bytes");
            Err(Refusal { slug: None, readable: false, why })
        } else {
            Record::admit(json)
        };
        let admitted = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => return self.refuse(place, refusal, budget),
        };
        self.readable = true;
        let slug = &admitted.record.app.slug;
        if let Some(first) = slugs.get(&slug.folded()) {
            let why = if first == slug {
                "duplicate slug; the first record is used".to_owned()
            } else {
                slug.twin_problem(first)
            };
            // The first record is the one that replaces a stored record.
            let slug = Some(first.to_string());
            return self.refuse(place, Refusal { slug, readable: true, why }, budget);
        }
        budget.row()?;
        budget.hold(json.len() + slug.as_str().len() + RECORD_OVERHEAD)?;
        slugs.insert(slug.folded(), slug.clone());
        let slug = slug.to_string();
        for note in admitted.notes {
            self.note(place, Some(&slug), note);
        }
        self.records.push(admitted.record);
        Ok(())
    }

    fn refuse(
        &mut self,
        place: &str,
        refusal: Refusal,
        budget: &mut Budget,
    ) -> Result<(), Exceeded> {
        self.rejected += 1;
        self.readable |= refusal.readable;
        self.note(place, refusal.slug.as_deref(), refusal.why);
        match (&mut self.keep, refusal.slug) {
            (Keep::Slugs(slugs), Some(slug)) => {
                budget.hold(slug.len() + size_of::<String>())?;
                slugs.push(slug);
            }
            (keep, None) if *keep != Keep::Everything => {
                *keep = Keep::Everything;
                let why = "its slug is unknown, so no record is removed".to_owned();
                self.note(place, None, why);
            }
            _ => {}
        }
        Ok(())
    }

    fn note(&mut self, place: &str, slug: Option<&str>, why: String) {
        if self.problems.len() < LISTED_PROBLEMS {
            let what = match slug {
                Some(slug) => format!("{place}, slug '{slug}'"),
                None => place.to_owned(),
            };
            self.problems.push(UploadProblem::new(what, why));
        }
    }

    /// The change that replaces all records with these.
    #[must_use]
    pub fn replacement(&mut self, allow_shrink: bool) -> CatalogChange {
        CatalogChange::Records(RecordsChange::Replace {
            records: std::mem::take(&mut self.records),
            keep: std::mem::replace(&mut self.keep, Keep::Slugs(Vec::new())),
            allow_shrink,
        })
    }

    /// The response to the upload after it is published.
    #[must_use]
    pub fn summary(self, published: Published) -> BatchSummary {
        let tally =
            Tally { received: self.received, rejected: self.rejected, problems: self.problems };
        tally.summary(published)
    }
}

/// The entry counts and problems of an upload of any kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of entries received.
    pub received: usize,
    /// The number of entries rejected.
    pub rejected: usize,
    /// The first hundred problems.
    pub problems: Vec<UploadProblem>,
}

impl Tally {
    /// Counts a rejected entry.
    pub fn refuse(&mut self, what: String, why: String) {
        self.rejected += 1;
        self.note(what, why);
    }

    /// Notes a problem of an entry that is not rejected.
    pub fn note(&mut self, what: String, why: String) {
        if self.problems.len() < LISTED_PROBLEMS {
            self.problems.push(UploadProblem::new(what, why));
        }
    }

    /// The response to the upload after it is published.
    #[must_use]
    pub fn summary(mut self, published: Published) -> BatchSummary {
        // They concern the whole catalog, so they come before the problems of single entries.
        let left_out = published.left_out.told();
        let left_out = left_out.map(|(source, why)| UploadProblem { what: source.to_owned(), why });
        self.problems.splice(0..0, left_out);
        self.problems.truncate(LISTED_PROBLEMS);
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
            labels: Vec::new(),
        }
    }
}

/// The text, cut to the length of a problem.
pub(crate) fn shortened(text: String) -> String {
    appstitch_budget::shortened(text, PROBLEM_BYTES)
}

#[cfg(test)]
mod tests {
    use appstitch_budget::Limits;

    use super::*;

    #[test]
    fn the_work_and_what_is_kept_are_limited() {
        let read = |ndjson: String, limits: Limits| {
            Batch::read(ndjson.as_bytes(), &mut Budget::new(limits)).map(|batch| batch.received)
        };
        let steps = Limits { steps: 1000, ..Limits::NONE };
        assert_eq!(read("x\n".repeat(1000), steps), Err(Exceeded::Steps(1000)));
        assert_eq!(read("\n".repeat(1001), steps), Err(Exceeded::Steps(1000)));
        let record = |number: usize| {
            format!(r#"{{"app":{{"slug":"a{number}","name":"A","sources":[]}},"sources":null}}"#)
        };
        let records: Vec<String> = (0..3).map(record).collect();
        let rows = Limits { rows: 2, ..Limits::NONE };
        assert_eq!(read(records.join("\n"), rows), Err(Exceeded::Rows(2)));
        let bytes = Limits { bytes: 1_500, ..Limits::NONE };
        assert_eq!(read(records.join("\n"), bytes), Err(Exceeded::Bytes(1_500)));
        assert_eq!(read(records.join("\n"), Limits::FILE), Ok(3));
    }

    #[test]
    fn rejected_slugs_count_as_kept() {
        let lines = (0..1000).map(|number| format!(r#"{{"app":{{"slug":"slug{number}"}}}}"#));
        let lines: Vec<String> = lines.collect();
        let mut budget = Budget::new(Limits { bytes: 10_000, ..Limits::NONE });
        let read = Batch::read(lines.join("\n").as_bytes(), &mut budget);
        assert_eq!(read.err(), Some(Exceeded::Bytes(10_000)));
    }
}
