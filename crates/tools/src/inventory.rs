//! The tool that checks a list of installed apps.

use std::time::{Duration, Instant};

use appstitch_budget::Budget;
use appstitch_inventory::InventoryError;
use appstitch_inventory::check::CheckOptions;
use appstitch_snapshot::Snapshot;
use appstitch_types::inventory::{InventoryReport, Verdict};

use crate::{arguments::ToolArguments, definition::ToolOutput};

/// How long a check may take. One of the largest size takes a fraction of a second.
const CHECK_TIME: Duration = Duration::from_secs(10);

/// Checks a list, and returns as many answers as fit.
pub(crate) fn check(
    snapshot: &Snapshot,
    arguments: &ToolArguments,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let included = verdicts(arguments.verdicts.as_deref())?;
    let mut budget = Budget::new(appstitch_inventory::LIMITS).until(Instant::now() + CHECK_TIME);
    let inventory = appstitch_inventory::read(arguments.inventory.as_bytes(), &mut budget)
        .map_err(|error| error.to_string())?;
    let options = CheckOptions::default();
    let mut checked = snapshot
        .check_installed(inventory.apps, options, &mut budget)
        .map_err(|exceeded| InventoryError::from(exceeded).to_string())?;
    let version = snapshot.revision().map(|_| snapshot.token().to_owned());
    let totals = checked.totals();
    checked.retain_verdicts(|verdict| included.contains(&verdict));
    let mut report = InventoryReport::new(version, checked.into_iter().collect());
    report.totals = totals;
    report.formats = inventory.formats.iter().map(|format| format.name().to_owned()).collect();
    report.skipped = inventory.skipped;
    let there = report.apps.len();
    let json = fitting(&mut report, max_bytes).map_err(|error| error.to_string())?;
    let shown = report.apps.len();
    let note = (shown < there).then(|| {
        format!(
            "Only the first {shown} of {there} apps fit into the result; check fewer apps at a time, or use POST /inventory/check of the HTTP API."
        )
    });
    Ok(ToolOutput { json: json.into(), notes: note.into_iter().collect() })
}

/// The report as JSON, with as many apps as fit.
fn fitting(report: &mut InventoryReport, max_bytes: usize) -> Result<Vec<u8>, serde_json::Error> {
    loop {
        let json = serde_json::to_vec(report)?;
        if json.len() <= max_bytes || report.apps.is_empty() {
            return Ok(json);
        }
        // Answers have similar lengths, so the share that fits is found in a few steps.
        let count = report.apps.len();
        let share = count.saturating_mul(max_bytes) / json.len();
        report.apps.truncate(share.min(count - 1));
    }
}

fn verdicts(list: Option<&str>) -> Result<Vec<Verdict>, String> {
    let Some(list) = list else { return Ok(vec![Verdict::Outdated]) };
    let words: Vec<&str> = list.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    // An empty list asks for nothing in particular, as in the HTTP interface.
    if words.is_empty() || words.contains(&"all") {
        return Ok(Verdict::ALL.to_vec());
    }
    words
        .into_iter()
        .map(|word| {
            Verdict::from_word(word).ok_or_else(|| {
                let known = Verdict::ALL.map(Verdict::word).join(", ");
                format!("verdicts: unknown verdict '{word}'; use all, or some of {known}")
            })
        })
        .collect()
}
