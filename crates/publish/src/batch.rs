//! An uploaded batch of records: NDJSON, one record per line.

use std::collections::HashMap;

use appstitch_budget::{Budget, Exceeded};
use appstitch_stitching::{Record, Refusal};
use appstitch_types::Slug;

use crate::{
    change::{CatalogChange, Keep, RecordsChange},
    published::{BatchSummary, Published},
    tally::Tally,
};

/// The maximum size of one record, in bytes of JSON.
const MAX_RECORD_BYTES: usize = 8 << 20;

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
    /// Whether any line was a JSON object.
    pub readable: bool,
    /// How many records were received and rejected, and what was rejected or changed.
    pub tally: Tally,
}

impl Batch {
    #[must_use]
    pub fn empty() -> Self {
        Self {
            records: Vec::new(),
            keep: Keep::Slugs(Vec::new()),
            readable: false,
            tally: Tally::default(),
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

    pub fn read_one(json: &[u8], budget: &mut Budget) -> Result<Self, Exceeded> {
        let mut batch = Self::empty();
        batch.take("the record", json, &mut HashMap::new(), budget)?;
        Ok(batch)
    }

    fn take(
        &mut self,
        location: &str,
        json: &[u8],
        slugs: &mut HashMap<String, Slug>,
        budget: &mut Budget,
    ) -> Result<(), Exceeded> {
        budget.step(LINE_STEPS)?;
        self.tally.received += 1;
        let admitted = if json.len() > MAX_RECORD_BYTES {
            let why = format!("it is larger than {MAX_RECORD_BYTES} bytes");
            Err(Refusal { slug: None, readable: false, why })
        } else {
            Record::admit(json)
        };
        let admitted = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => return self.refuse(location, refusal, budget),
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
            return self.refuse(location, Refusal { slug, readable: true, why }, budget);
        }
        budget.row()?;
        budget.hold(json.len() + slug.as_str().len() + RECORD_OVERHEAD)?;
        slugs.insert(slug.folded(), slug.clone());
        let slug = slug.to_string();
        for note in admitted.notes {
            self.note(location, Some(&slug), note);
        }
        self.records.push(admitted.record);
        Ok(())
    }

    fn refuse(
        &mut self,
        location: &str,
        refusal: Refusal,
        budget: &mut Budget,
    ) -> Result<(), Exceeded> {
        self.tally.rejected += 1;
        self.readable |= refusal.readable;
        self.note(location, refusal.slug.as_deref(), refusal.why);
        match (&mut self.keep, refusal.slug) {
            (Keep::Slugs(slugs), Some(slug)) => {
                budget.hold(slug.len() + size_of::<String>())?;
                slugs.push(slug);
            }
            (keep, None) if *keep != Keep::Everything => {
                *keep = Keep::Everything;
                let why = "its slug is unknown, so no record is removed".to_owned();
                self.note(location, None, why);
            }
            _ => {}
        }
        Ok(())
    }

    fn note(&mut self, location: &str, slug: Option<&str>, why: String) {
        let what = match slug {
            Some(slug) => format!("{location}, slug '{slug}'"),
            None => location.to_owned(),
        };
        self.tally.note(what, why);
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

    #[must_use]
    pub fn summary(self, published: Published) -> BatchSummary {
        self.tally.summary(published)
    }
}

#[cfg(test)]
mod tests {
    use appstitch_budget::Limits;

    use super::*;

    #[test]
    fn the_work_and_what_is_kept_are_limited() {
        let read = |ndjson: String, limits: Limits| {
            Batch::read(ndjson.as_bytes(), &mut Budget::new(limits))
                .map(|batch| batch.tally.received)
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
