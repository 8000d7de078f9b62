//! How many apps are titles of the Jamf patch source, and why others are not.

use std::{cmp::Reverse, collections::BTreeMap};

use appstitch_stitching::Stitched;
use appstitch_types::AppSources;

use super::search::draft;
use crate::run::Failure;

/// How many of the apps with the most recipes are counted apart.
const MOST_MANAGED: usize = 100;

/// The reasons that are printed.
const REASONS: usize = 3;

pub(super) struct Coverage {
    rows: Vec<Row>,
}

struct Row {
    name: String,
    apps: usize,
    titles: usize,
    /// The commonest first.
    reasons: Vec<(usize, &'static str)>,
}

impl Coverage {
    pub(super) fn of(apps: &[Stitched]) -> Result<Self, Failure> {
        let draft = draft(apps).map_err(|error| Failure(error.to_string()))?;
        let outcomes = draft.patch_outcomes();
        let row = |name: String, apps: &[&Stitched]| {
            let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
            for app in apps {
                if let Some(Some(reason)) = outcomes.get(app.record.app.slug.as_str()) {
                    *counts.entry(reason.word()).or_default() += 1;
                }
            }
            let titles = apps.len() - counts.values().sum::<usize>();
            let mut reasons: Vec<(usize, &'static str)> =
                counts.into_iter().map(|(reason, count)| (count, reason)).collect();
            reasons.sort_by_key(|(count, reason)| (Reverse(*count), *reason));
            Row { name, apps: apps.len(), titles, reasons }
        };
        let all: Vec<&Stitched> = apps.iter().collect();
        let has_label = |app: &&Stitched| sources(app).is_some_and(|of| of.label_tool.is_some());
        let labeled: Vec<&Stitched> = apps.iter().filter(has_label).collect();
        let mut managed = all.clone();
        managed.sort_by_key(|app| (Reverse(recipes(app)), app.record.app.slug.to_string()));
        managed.truncate(MOST_MANAGED);
        Ok(Self {
            rows: vec![
                row("all".to_owned(), &all),
                row("with a label".to_owned(), &labeled),
                row(format!("the {MOST_MANAGED} with most recipes"), &managed),
            ],
        })
    }

    pub(super) fn print(&self) {
        println!(
            "\n| Patch titles | Apps | Titles | Commonest reasons why not |\n|---|---:|---:|---|"
        );
        for Row { name, apps, titles, reasons } in &self.rows {
            let reasons = reasons.iter().take(REASONS);
            let reasons: Vec<String> =
                reasons.map(|(count, reason)| format!("{reason} {count}")).collect();
            println!("| {name} | {apps} | {titles} | {} |", reasons.join(", "));
        }
    }
}

fn sources(app: &Stitched) -> Option<&AppSources> {
    app.record.sources.as_ref()
}

fn recipes(app: &Stitched) -> usize {
    let index = sources(app).and_then(|sources| sources.recipe_index.as_ref());
    index.map_or(0, |index| index.recipes.len())
}
