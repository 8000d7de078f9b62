//! Uploads of manual records: NDJSON, one record per line.

use std::collections::HashSet;

use appstitch_budget::Budget;
use appstitch_hostile::Chance;
use appstitch_publish::Batch;
use appstitch_stitching::Record;

use super::{generated_label, made_up_json::Vocabulary};
use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry =
    TargetEntry { dictionary: DICTIONARY, ..TargetEntry::new("records", || Ok(Box::new(Records))) };

const DICTIONARY: &[&str] = &[
    "{\"app\":{\"slug\":\"",
    "\"name\":\"Sample App\"",
    "\"sources\":[\"label_tool\"]",
    "},\"sources\":null}\n",
    "\"sources\":{\"label_tool\":{",
    "\"cask_catalog\":{\"token\":\"sample\",\"entry_json\":{",
    "\"label_name\":\"sample\"",
    "\"label_url\":\"https://example.com/\"",
    "\"raw\":{",
    "\"appCustomVersion\":\"appCustomVersion(){ ",
    "\"downloadURL\":\"https://example.com/a.dmg\"",
    "\"type\":\"dmg\"",
    "\"_resolved\":{",
    "\"bundle_id\":\"com.example.sample\"",
    "\"current_version\":\"1.2\"",
    "\"download_url\":\"https://example.com/a.dmg\"",
    "\"install_method\":\"dmg\"",
    "\"expected_team_id\":\"ABCDE12345\"",
    "\"latest_release_date\":\"2026-01-01\"",
    "\"sha256\":\"",
    "null",
    "\n",
    "\u{feff}",
    "drift",
    "jamf-index",
    "$(id)",
    "`id`",
    "<b>",
    "\\u202e",
    "\\u0000",
    "}; touch /tmp/x; {",
    ";;",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "slug", "name", "vendor", "bundle_id", "current_version", "latest_release_date",
        "download_url", "install_method", "expected_team_id", "sha256", "sources", "unknown",
    ],
    texts: &[
        "sample",
        "Sample App",
        "Example",
        "com.example.sample",
        "1.2",
        "2026-01-01",
        "https://example.com/a.dmg",
        "dmg",
        "pkg",
        "ABCDE12345",
        "label_tool",
        "$x",
        "latest",
        "drift",
    ],
};

const SOURCES: [&str; 4] = [
    "null",
    "{}",
    r#"{"label_tool":{"label_name":"sample","label_url":"https://example.com/s.sh","raw":{"name":"Sample App","type":"dmg","downloadURL":"https://example.com/a.dmg","appNewVersion":"1.2"}}}"#,
    r#"{"cask_catalog":{"token":"sample","entry_json":{"token":"sample","name":["Sample App"],"url":"https://example.com/a.dmg","version":"1.2","artifacts":[{"app":["Sample App.app"]}]}}}"#,
];

/// One in this many uploads is compared with its lines, each on its own.
const COMPARED: u64 = 16;

struct Records;

impl Target for Records {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let batch = Batch::read(input, &mut Budget::default())
            .map_err(|error| format!("a short input is within every limit: {error}"))?;
        ensure(batch.tally.received == batch.records.len() + batch.tally.rejected, || {
            format!("received is accepted and rejected: {batch:?}")
        })?;
        let text = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
        let lines: Vec<&[u8]> = text
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.trim_ascii().is_empty())
            .collect();
        ensure(batch.tally.received == lines.len(), || "every line counts once".to_owned())?;
        ensure(batch.tally.rejected == 0 || !batch.tally.problems.is_empty(), || {
            "a rejected record is a problem".to_owned()
        })?;
        if !is_one_in(COMPARED, input) {
            return Ok(());
        }
        let mut slugs = HashSet::new();
        let alone = lines.iter().filter_map(|line| Record::admit(line).ok());
        let alone = alone.map(|admitted| admitted.record);
        let alone: Vec<Record> =
            alone.filter(|record| slugs.insert(record.app.slug.folded())).collect();
        ensure(alone == batch.records, || "records are those of the lines, in order".to_owned())?;
        batch.records.iter().try_for_each(check_record)
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let line = |chance: &mut Chance| {
            let app = WORDS.object(chance, 1);
            let app = app.trim_start_matches('{');
            let gap = if app == "}" { "" } else { "," };
            let sources = chance.pick(&SOURCES);
            format!(
                "{{\"app\":{{\"slug\":\"s{}\",\"name\":\"S\",\"sources\":[]{gap}{app},\"sources\":{sources}}}",
                chance.below(3)
            )
        };
        let lines: Vec<String> = (0..=chance.below(3)).map(|_| line(chance)).collect();
        Some(lines.join("\n").into_bytes())
    }
}

/// A record that was accepted is accepted again as it is served, and gives a label.
fn check_record(record: &Record) -> Result<(), String> {
    let json = serde_json::to_vec(record).map_err(|error| format!("a record is JSON: {error}"))?;
    let again = Record::admit(&json)
        .map_err(|refusal| format!("an accepted record is accepted again: {refusal}"))?;
    ensure(again.record == *record, || {
        format!("an accepted record stays as it is: {:?}: {record:?}", again.notes)
    })?;
    match &record.sources {
        Some(sources) => generated_label::check(&record.app, sources),
        None => Ok(()),
    }
}
