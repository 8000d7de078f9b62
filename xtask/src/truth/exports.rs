//! How many apps fit each format of exports, and why the others do not.

use std::collections::HashMap;

use appstitch_exports::{ExportFormat, Subject, export};
use appstitch_stitching::{ParsedSources, Stitched, collect_details};
use appstitch_types::AppSources;

/// How many apps count as the most managed ones: those with the most recipes.
const MOST_MANAGED: usize = 100;

/// How many reasons are printed for each format.
const REASONS: usize = 3;

pub(super) fn print(apps: &[Stitched]) {
    let mut rows: Vec<Row> = ExportFormat::ALL.into_iter().map(Row::new).collect();
    let mut managed: Vec<usize> = (0..apps.len()).collect();
    managed.sort_by_key(|position| std::cmp::Reverse(recipes(&apps[*position])));
    managed.truncate(MOST_MANAGED);
    let none = AppSources::default();
    let mut labels = 0;
    for (position, stitched) in apps.iter().enumerate() {
        let app = &stitched.record.app;
        let sources = stitched.record.sources.as_ref().unwrap_or(&none);
        let parsed = ParsedSources::of(sources);
        let details = collect_details(app, &parsed, Some(&stitched.provenance), Vec::new());
        let subject = Subject::new(app, &details, &stitched.provenance, &parsed);
        let (is_labeled, is_managed) = (sources.label_tool.is_some(), managed.contains(&position));
        labels += usize::from(is_labeled);
        for row in &mut rows {
            match export(&subject, row.format) {
                Ok(_) => {
                    row.all += 1;
                    row.labeled += usize::from(is_labeled);
                    row.managed += usize::from(is_managed);
                }
                Err(reasons) => {
                    for reason in reasons {
                        *row.reasons.entry(reason.code()).or_default() += 1;
                    }
                }
            }
        }
    }
    let all = apps.len();
    println!(
        "\n| Exports | Of {all} apps | Of {labels} with a label | Of {MOST_MANAGED} with most recipes | Why not |\n|---|---:|---:|---:|---|"
    );
    for row in rows {
        let (name, reasons) = (row.format.name(), row.commonest());
        println!("| {name} | {} | {} | {} | {reasons} |", row.all, row.labeled, row.managed);
    }
}

fn recipes(stitched: &Stitched) -> usize {
    let sources = stitched.record.sources.as_ref();
    let index = sources.and_then(|sources| sources.recipe_index.as_ref());
    index.map_or(0, |index| index.recipes.len())
}

struct Row {
    format: ExportFormat,
    all: usize,
    labeled: usize,
    managed: usize,
    reasons: HashMap<&'static str, usize>,
}

impl Row {
    fn new(format: ExportFormat) -> Self {
        Self { format, all: 0, labeled: 0, managed: 0, reasons: HashMap::new() }
    }

    fn commonest(&self) -> String {
        let mut reasons: Vec<(&str, usize)> =
            self.reasons.iter().map(|(code, count)| (*code, *count)).collect();
        reasons.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
        let texts = reasons.iter().take(REASONS).map(|(code, count)| format!("{code} {count}"));
        texts.collect::<Vec<_>>().join(", ")
    }
}
