//! Uploads of what running labels found: NDJSON, one label per line.

use appstitch_budget::Budget;
use appstitch_hostile::Chance;
use appstitch_publish::{LabelResult, ResolvedLines};
use appstitch_store::Document;
use jiff::Timestamp;

use super::made_up_json::Vocabulary;
use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    ..TargetEntry::new("resolved_labels", || {
        let document = |key: &str, source: &str, body: &'static str| Document {
            source: source.to_owned(),
            origin: String::new(),
            key: key.to_owned(),
            body: body.into(),
        };
        Ok(Box::new(ResolvedLabels(vec![
            document("fragment/sample.sh", "label_tool", FRAGMENT),
            document("sample", "label_versions", TRACKED),
        ])))
    })
};

const FRAGMENT: &str =
    "sample|other)\nname=\"Sample App\"\nappNewVersion=$(curl -s example.com)\n;;\n";
const TRACKED: &str =
    r#"{"appNewVersion":"1.1","found_at":"2026-11-15T10:00:00Z","is_settled":true}"#;

const DICTIONARY: &[&str] = &[
    "{\"label\":\"sample\",\"ok\":true,",
    "\"appNewVersion\":\"1.2\"",
    "\"downloadURL\":\"https://example.com/a.dmg\"",
    "\"found_by\":\"run\"",
    "\"found_by\":\"tracker\"",
    "\"found_at\":\"2026-11-15T10:00:00Z\"",
    "\"found_at\":\"-009999-01-02T01:59:59Z\"",
    "\"i386\":{",
    "\"fragment\":\"",
    "\n",
    "false",
    "null",
    "other",
    "1.0",
    "9999-12-31T23:59:59.999999999Z",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &["appNewVersion", "downloadURL", "found_by", "found_at", "fragment", "i386"],
    texts: &[
        "1.2",
        "1.10",
        "0.9",
        "and",
        "https://example.com/a-1.2.dmg",
        "run",
        "posted",
        "2026-11-15T10:00:00Z",
        "2026-11-15T12:30:00Z",
        "1970-01-01T00:00:00Z",
        "",
    ],
};

/// One in this many uploads is merged with stored labels, which are evaluated for it.
const MERGED: u64 = 32;

struct ResolvedLabels(Vec<Document>);

impl Target for ResolvedLabels {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let now = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_hours(498_000);
        let read = ResolvedLines::read(input, now, &mut Budget::default())
            .map_err(|error| format!("a short input is within every limit: {error}"))?;
        if !is_one_in(MERGED, input) {
            return Ok(());
        }
        let read = read.report(&self.0);
        let lines = input.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.trim_ascii().is_empty()).count();
        ensure(read.tally.received == lines && read.labels.len() == lines, || {
            format!("every line has a result: {lines} lines, {:?}", read.tally)
        })?;
        let is_rejected = |label: &&appstitch_publish::LabelReport| {
            matches!(label.result, LabelResult::Rejected { .. })
        };
        let rejected = read.labels.iter().filter(is_rejected).count();
        ensure(read.tally.rejected == rejected, || {
            format!("rejected lines are counted: {rejected}, {:?}", read.tally)
        })?;
        let again = ResolvedLines::read(input, now, &mut Budget::default());
        let again = again.map(|lines| lines.report(&self.0));
        ensure(again == Ok(read), || "the same lines give the same".to_owned())
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let line = |chance: &mut Chance| {
            let values = WORDS.object(chance, 1);
            let values = values.trim_start_matches('{');
            let gap = if values == "}" { "" } else { "," };
            let label = chance.pick(&["sample", "other", "nobody"]);
            format!("{{\"label\":\"{label}\",\"ok\":true{gap}{values}")
        };
        let lines: Vec<String> = (0..=chance.below(4)).map(|_| line(chance)).collect();
        Some(lines.join("\n").into_bytes())
    }
}
