//! Whole records and flagged drifts that were judged by hand, with the tracker's findings.

use std::{collections::HashMap, path::Path};

use appstitch_stitching::{IndexedValues, Stitched, find_drift};
use appstitch_types::DriftScope;
use serde::Deserialize;
use serde_json::Value;

use super::{answers::rows, score::Score};
use crate::run::Failure;

/// A field of a record.
#[derive(Deserialize)]
struct FieldRow {
    slug: String,
    field: String,
    verdict: FieldVerdict,
    /// What was served when it was judged.
    served: Value,
    right: Value,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FieldVerdict {
    Right,
    Wrong,
    NullDerivable,
    NullOk,
}

#[derive(Deserialize)]
struct DriftRow {
    slug: String,
    verdict: DriftVerdict,
    leader: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DriftVerdict {
    TrueDrift,
    FalseAlarm,
    Arguable,
}

/// The fields of judged records that are in the record itself. Answers in words count as missing.
pub(super) fn fields(truth: &Path, apps: &[Stitched]) -> Result<Score, Failure> {
    let apps = by_slug(apps);
    let mut score = Score::default();
    for row in rows::<FieldRow>(truth, "records.json")? {
        let Some(stitched) = apps.get(row.slug.as_str()) else { continue };
        let app = serde_json::to_value(&stitched.record.app)
            .map_err(|error| Failure(error.to_string()))?;
        let Some(found) = app.get(&row.field) else { continue };
        let expected = match row.verdict {
            FieldVerdict::Right => &row.served,
            FieldVerdict::Wrong | FieldVerdict::NullDerivable => &row.right,
            FieldVerdict::NullOk => &Value::Null,
        };
        // A value that nobody expected can be right.
        let is_accepted = found == expected || row.verdict == FieldVerdict::NullOk;
        let written = |value: &Value| (!value.is_null()).then(|| value.to_string());
        let name = format!("{} {}", row.slug, row.field);
        score.add(&name, written(expected).as_deref(), written(found).as_deref(), is_accepted);
    }
    Ok(score)
}

/// Who leads where drift was flagged; arguable ones do not count.
pub(super) fn drifts(truth: &Path, apps: &[Stitched]) -> Result<Score, Failure> {
    let apps = by_slug(apps);
    let mut score = Score::default();
    for row in rows::<DriftRow>(truth, "drift.json")? {
        let Some(stitched) = apps.get(row.slug.as_str()) else { continue };
        let versions = IndexedValues::of(&stitched.record, &[], &[]).versions;
        let drift = find_drift(&stitched.record.app, DriftScope::default().of(&versions));
        let found = drift.map(|drift| drift.leader.unwrap_or_default());
        let expected = row.leader.as_ref().filter(|_| row.verdict == DriftVerdict::TrueDrift);
        if row.verdict != DriftVerdict::Arguable {
            let is_accepted = found.as_ref() == expected;
            score.add(&row.slug, expected.map(String::as_str), found.as_deref(), is_accepted);
        }
    }
    Ok(score)
}

fn by_slug(apps: &[Stitched]) -> HashMap<&str, &Stitched> {
    apps.iter().map(|stitched| (stitched.record.app.slug.as_str(), stitched)).collect()
}
