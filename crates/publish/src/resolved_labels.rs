//! Resolved labels: NDJSON with the values found by running labels.
//!
//! Reading the lines needs nothing but the upload. Merging them with what is stored happens in the
//! plan of a change, which is computed again if another process wrote to the store meanwhile.
//! Otherwise two uploads for one label could overwrite each other.

mod fragments;
mod label_result;
mod line;
mod lines;

use std::collections::BTreeMap;

use appstitch_network::Validators;
use appstitch_sources::{
    self as sources, RESOLUTION, Upstream,
    label_tool::{Resolution, Taken},
};
use appstitch_store::Document;
use appstitch_types::FoundBy;
use jiff::Timestamp;

use crate::{
    origin::{finder_origin, stitched},
    source_upload::SourceUpload,
    tally::{Tally, shortened},
};
use fragments::KnownFragments;
use label_result::Finding;
use line::CheckedLine;
use lines::NumberedLine;

pub use label_result::{LabelReport, LabelResult};
pub use line::{ResolvedLabel, ResolvedValues};
pub use lines::{LinesError, MAX_RESOLVED_LINES, ResolvedLines, TooManyLines};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResolvedReport {
    /// The counts of the lines, and the problems.
    pub tally: Tally,
    /// What became of each line, in their order.
    pub labels: Vec<LabelReport>,
}

/// Resolved labels merged with what is stored.
#[derive(Debug)]
pub(crate) struct MergedLabels {
    /// The documents to publish, one upload per finder.
    pub(crate) uploads: Vec<SourceUpload>,
    pub(crate) report: ResolvedReport,
}

impl ResolvedLines {
    /// What would become of the lines with these documents in the store. Nothing is changed.
    #[must_use]
    pub fn report(&self, documents: &[Document]) -> ResolvedReport {
        MergedLabels::merge(self, documents).report
    }
}

/// The stored documents of the labels with everything that was found by running them.
pub(crate) fn label_documents(documents: &[Document]) -> impl Iterator<Item = &Document> {
    let sources = [Upstream::LabelTool, Upstream::LabelVersions].map(Upstream::token);
    stitched(documents.iter().filter(move |document| sources.contains(&document.source.as_str())))
}

/// What a finder has found for a label: the file of its fragment, and the finder.
type FinderKey = (String, FoundBy);

impl MergedLabels {
    /// Converts lines to documents, for known labels only. `documents` are those of the store. A
    /// failed run changes nothing. A line without a URL or version keeps the value of an earlier
    /// line or upload.
    pub(crate) fn merge(lines: &ResolvedLines, documents: &[Document]) -> Self {
        let documents: Vec<&Document> = label_documents(documents).collect();
        let mut reading = Reading {
            known: KnownFragments::read(&documents),
            now: lines.received_at,
            found: BTreeMap::new(),
            tally: Tally::default(),
        };
        let labels = lines.lines.iter().map(|line| reading.take_line(line)).collect();
        let Reading { found, mut tally, .. } = reading;
        let uploads = [FoundBy::Run, FoundBy::Posted]
            .into_iter()
            .filter_map(|finder| upload(finder, &found, &mut tally))
            .collect();
        Self { uploads, report: ResolvedReport { tally, labels } }
    }
}

struct Reading<'a> {
    known: KnownFragments<'a>,
    now: Timestamp,
    found: BTreeMap<FinderKey, Resolution>,
    tally: Tally,
}

impl Reading<'_> {
    fn take_line(&mut self, NumberedLine { number, line }: &NumberedLine) -> LabelReport {
        self.tally.received += 1;
        let location = format!("line {number}");
        let rejected = |why: String| LabelResult::Rejected { why: shortened(why) };
        let (label, location, result) = match line {
            Err(why) => (String::new(), location, rejected(why.clone())),
            Ok(line) => {
                let label = line.label.clone();
                let location = format!("{location}, label '{label}'");
                let result = self.take_label(&location, line);
                (shortened(label), shortened(location), result.unwrap_or_else(rejected))
            }
        };
        match &result {
            LabelResult::Rejected { why } => self.tally.refuse(location, why.clone()),
            LabelResult::Pending { .. } => self.tally.note(location, result.to_string()),
            LabelResult::Changed { .. } | LabelResult::Unchanged => {}
        }
        LabelReport { label, result }
    }

    /// Adds the finding of a line to what its finder has found, and compares what holds for the
    /// label before and after it.
    fn take_label(&mut self, location: &str, line: &ResolvedLabel) -> Result<LabelResult, String> {
        let Self { known, now, found, tally } = self;
        let fragment = known.find(&line.label)?;
        let CheckedLine { found_by, found_at, run, i386, problems } =
            CheckedLine::check(line, fragment.text, *now)?;
        for problem in problems {
            tally.note(location.to_owned(), problem);
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
    for ((file, _), resolution) in found.iter().filter(|((_, found_by), _)| *found_by == finder) {
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
