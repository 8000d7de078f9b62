//! Whether searches find what people mean.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
    path::Path,
};

use appstitch_snapshot::{Draft, Filter, FreshEntry, Snapshot, SnapshotBuilder};
use appstitch_stitching::Stitched;
use appstitch_types::search::SearchResponse;
use serde::Deserialize;

use crate::run::Failure;

/// A query with its fair answers.
#[derive(Deserialize)]
struct SearchRow {
    q: String,
    class: String,
    /// Fair first hits.
    #[serde(default)]
    top: Vec<String>,
    /// At least one of these is among the first five, or with `all` every one.
    #[serde(default)]
    within5: Vec<String>,
    #[serde(default)]
    all: bool,
    /// The first five are all in `top`.
    #[serde(default)]
    five_from: bool,
    #[serde(default)]
    never_first: Vec<String>,
    /// Nothing may be found.
    #[serde(default)]
    none: bool,
}

/// The rows that are right and those that are forbidden, in total and per class.
#[derive(Default)]
pub(super) struct SearchScore {
    rows: usize,
    right: usize,
    forbidden: usize,
    /// Right rows and all rows.
    classes: BTreeMap<String, (usize, usize)>,
    mistakes: Vec<String>,
}

const LOOKED_AT: usize = 5;

pub(super) fn score(folder: &Path, apps: &[Stitched]) -> Result<SearchScore, Failure> {
    let failed = |error: &dyn std::error::Error| Failure(format!("search.json: {error}"));
    let bytes = std::fs::read(folder.join("search.json")).map_err(|error| failed(&error))?;
    let rows: Vec<SearchRow> = serde_json::from_slice(&bytes).map_err(|error| failed(&error))?;
    let snapshot = snapshot(apps).map_err(|error| failed(&error))?;
    let mut score = SearchScore::default();
    for row in rows {
        let page = snapshot.find_apps(&row.q, &Filter::default(), LOOKED_AT, 0);
        let page = page.and_then(|page| serde_json::from_slice::<SearchResponse>(&page.body()));
        let page = page.map_err(|error| failed(&error))?;
        let hits: Vec<&str> = page.items.iter().map(|hit| hit.slug.as_str()).collect();
        score.add(&row, &hits);
    }
    Ok(score)
}

/// Prints the first hits of each query.
pub(super) fn print<'a>(
    queries: impl Iterator<Item = &'a str>,
    apps: &[Stitched],
) -> Result<(), Failure> {
    let failed = |error: serde_json::Error| Failure(error.to_string());
    let snapshot = snapshot(apps).map_err(failed)?;
    for query in queries {
        let page = snapshot.find_apps(query, &Filter::default(), LOOKED_AT, 0);
        let page = page.and_then(|page| serde_json::from_slice::<SearchResponse>(&page.body()));
        let page = page.map_err(failed)?;
        let hits = page.items.iter().map(|hit| format!("{} {:?}", hit.slug, hit.tier));
        let nearest = page.did_you_mean.iter().map(|app| format!("{}?", app.slug));
        println!("{query}: {}", hits.chain(nearest).collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

fn snapshot(apps: &[Stitched]) -> Result<Snapshot, serde_json::Error> {
    draft(apps)?.into_snapshot(None)
}

/// The catalog as it would be published.
pub(super) fn draft(apps: &[Stitched]) -> Result<Draft, serde_json::Error> {
    let mut builder = SnapshotBuilder::empty();
    for stitched in apps {
        let Stitched { record, provenance, variant_of } = stitched;
        builder.push(&FreshEntry::new(record, provenance, variant_of.as_ref()))?;
    }
    builder.finish(&HashMap::new())
}

impl SearchRow {
    fn is_right(&self, hits: &[&str]) -> bool {
        let has = |list: &[String], hit: &str| list.iter().any(|slug| slug == hit);
        let is_first = self.top.is_empty() || hits.first().is_some_and(|hit| has(&self.top, hit));
        let is_found = |slug: &String| hits.contains(&slug.as_str());
        let is_within = if self.all {
            self.within5.iter().all(is_found)
        } else {
            self.within5.is_empty() || self.within5.iter().any(is_found)
        };
        let are_all = !self.five_from || hits.iter().all(|hit| has(&self.top, hit));
        is_first && is_within && are_all && (!self.none || hits.is_empty())
    }

    fn is_forbidden(&self, hits: &[&str]) -> bool {
        hits.first().is_some_and(|hit| self.never_first.iter().any(|slug| slug == hit))
    }
}

impl SearchScore {
    fn add(&mut self, row: &SearchRow, hits: &[&str]) {
        let (is_right, is_forbidden) = (row.is_right(hits), row.is_forbidden(hits));
        self.rows += 1;
        self.right += usize::from(is_right && !is_forbidden);
        self.forbidden += usize::from(is_forbidden);
        let (right, rows) = self.classes.entry(row.class.clone()).or_default();
        *right += usize::from(is_right && !is_forbidden);
        *rows += 1;
        if !is_right || is_forbidden {
            self.mistakes.push(format!("{}: {}", row.q, hits.join(", ")));
        }
    }

    pub(super) fn section(&self) -> String {
        let Self { rows, right, forbidden, .. } = self;
        let mut text =
            String::from("| Searches | Right | Forbidden first | Rows |\n|---|---:|---:|---:|\n");
        let _ = writeln!(text, "| all | {right} | {forbidden} | {rows} |");
        for (class, (right, rows)) in &self.classes {
            let _ = writeln!(text, "| {class} | {right} | | {rows} |");
        }
        text
    }

    pub(super) fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_forbidden_first_hit_is_never_right() {
        let row = json!({"q": "a", "class": "exact", "top": ["a"], "within5": ["a"],
            "never_first": ["b"]});
        let row: SearchRow = serde_json::from_value(row).unwrap();
        let mut score = SearchScore::default();
        score.add(&row, &["a", "b"]);
        score.add(&row, &["b", "a"]);
        score.add(&row, &[]);
        assert_eq!((score.right, score.forbidden, score.rows), (1, 1, 3));
        assert_eq!(score.mistakes().len(), 2);
    }
}
