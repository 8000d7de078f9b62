//! Reads an upload of resolved labels: NDJSON with the values found by running labels.

mod fragments;
mod line;
mod line_limit;
mod outcome;

use std::collections::BTreeMap;

use appstitch_budget::{Budget, Exceeded};
use appstitch_catalog::FoundBy;
use appstitch_sources::{
    self as sources, RESOLUTION, Upstream,
    fetch::Validators,
    label_tool::{Resolution, Taken},
};
use appstitch_store::Document;
use jiff::Timestamp;

use crate::{SourceUpload, Tally, batch::shortened, origin::finder_origin};
use fragments::KnownFragments;
use line::CheckedLine;
use outcome::Finding;

pub use line::{ResolvedLabel, ResolvedValues};
pub use line_limit::{MAX_RESOLVED_LINES, TooManyLines, check_line_count};
pub use outcome::{LabelOutcome, LabelResult};

/// An upload of resolved labels.
#[derive(Debug)]
pub struct ResolvedUpload {
    /// The documents to publish, one upload per finder.
    pub uploads: Vec<SourceUpload>,
    /// The counts of the lines, and the problems.
    pub tally: Tally,
    /// What became of each line, in their order.
    pub labels: Vec<LabelOutcome>,
}

/// What a finder has found for a label: the file of its fragment, and the finder.
type FinderKey = (String, FoundBy);

/// Converts lines to documents, for known labels only. `documents` are the stored documents of the
/// labels and of their tracked versions (see [`Publisher::label_documents`]). A failed run changes
/// nothing. A line without a URL or version keeps the value of an earlier line or upload. Check
/// lines that somebody else wrote with [`check_line_count`] first. What the results take is taken
/// from the budget.
///
/// [`Publisher::label_documents`]: crate::Publisher::label_documents
pub fn read_resolved_labels(
    ndjson: &[u8],
    documents: &[Document],
    now: Timestamp,
    budget: &mut Budget,
) -> Result<ResolvedUpload, Exceeded> {
    let mut reading = Reading {
        known: KnownFragments::read(documents),
        now,
        found: BTreeMap::new(),
        tally: Tally::default(),
    };
    let mut labels = Vec::new();
    for (number, line) in line_limit::numbered_lines(ndjson) {
        budget.step(LINE_STEPS)?;
        budget.hold(LINE_BYTES)?;
        labels.push(reading.take_line(number, line));
    }
    let Reading { found, mut tally, .. } = reading;
    let uploads = [FoundBy::Run, FoundBy::Posted]
        .into_iter()
        .filter_map(|finder| upload(finder, &found, &mut tally))
        .collect();
    Ok(ResolvedUpload { uploads, tally, labels })
}

/// The most bytes of a line. Versions and addresses are short.
const MAX_LINE_BYTES: usize = 64 << 10;

/// What the result of a line takes in memory: names and reasons are short or shortened.
const LINE_BYTES: usize = 512;

/// The steps of a line.
const LINE_STEPS: u64 = 100;

/// The lines read so far.
struct Reading<'a> {
    known: KnownFragments<'a>,
    now: Timestamp,
    found: BTreeMap<FinderKey, Resolution>,
    tally: Tally,
}

impl Reading<'_> {
    fn take_line(&mut self, number: usize, line: &[u8]) -> LabelOutcome {
        self.tally.received += 1;
        let place = format!("line {number}");
        let parsed = if line.len() > MAX_LINE_BYTES {
            Err(format!("the line is longer than {MAX_LINE_BYTES} bytes"))
        } else {
            line::parse(line)
        };
        let rejected = |why: String| LabelResult::Rejected { why: shortened(why) };
        let (label, place, result) = match parsed {
            Err(why) => (String::new(), place, rejected(why)),
            Ok(line) => {
                let label = line.label.clone();
                let place = format!("{place}, label '{label}'");
                let result = self.take_label(&place, line);
                (shortened(label), shortened(place), result.unwrap_or_else(rejected))
            }
        };
        match &result {
            LabelResult::Rejected { why } => self.tally.refuse(place, why.clone()),
            LabelResult::Pending { .. } => self.tally.note(place, result.to_string()),
            LabelResult::Changed { .. } | LabelResult::Unchanged => {}
        }
        LabelOutcome { label, result }
    }

    /// Adds the finding of a line to what its finder has found, and compares what holds for the
    /// label before and after it.
    fn take_label(&mut self, place: &str, line: ResolvedLabel) -> Result<LabelResult, String> {
        let Self { known, now, found, tally } = self;
        let fragment = known.find(&line.label)?;
        let CheckedLine { found_by, found_at, run, i386, problems } =
            CheckedLine::check(line, fragment.text, *now)?;
        for problem in problems {
            tally.note(place.to_owned(), problem);
        }
        let key = |finder: FoundBy| (fragment.file.to_owned(), finder);
        let before = known.held(fragment, |finder| found.get(&key(finder)));
        let version = run.app_new_version.clone();
        let resolution = found.entry(key(found_by)).or_insert_with(|| {
            let stored = known.stored(fragment, found_by).cloned();
            stored.unwrap_or_else(|| Resolution::new(fragment.text, found_by))
        });
        match resolution.take(run, i386, found_at) {
            Taken::Outdated => Err(format!("a run later than {found_at} found another version")),
            Taken::Pending { known, settles_at } => {
                Ok(LabelResult::Pending { version: version.unwrap_or_default(), known, settles_at })
            }
            Taken::Held => {
                let resolution = resolution.clone();
                let after = known.held(fragment, |finder| found.get(&key(finder)));
                let version = version.as_deref();
                let finding = Finding { version, found_at, resolution: &resolution };
                Ok(LabelResult::compare(&before, &after, &finding))
            }
        }
    }
}

fn upload(
    finder: FoundBy,
    found: &BTreeMap<FinderKey, Resolution>,
    tally: &mut Tally,
) -> Option<SourceUpload> {
    let mut entries = Vec::new();
    for ((file, _), resolution) in found.iter().filter(|((_, own), _)| *own == finder) {
        let key = format!("{RESOLUTION}{file}");
        match serde_json::to_vec(resolution) {
            Ok(body) => entries.push(sources::UpstreamEntry { key, body: body.into() }),
            Err(error) => tally.refuse(key, error.to_string()),
        }
    }
    (!entries.is_empty()).then(|| SourceUpload {
        source: Upstream::LabelTool.token(),
        origin: finder_origin(finder).to_owned(),
        entries,
        rejected: 0,
        replaces: None,
        validators: Validators::default(),
    })
}

#[cfg(test)]
mod tests;
