//! `label_tool`: the label fragments of the installer-label tool.
//!
//! The upstream file is a gzipped tar; each file under `fragments/labels` is one arm of a
//! shell `case`. It is parsed with a real grammar. What the label writes is kept as it is;
//! what its text alone tells is worked out beside it (see [`evaluate`]).

mod archive;
mod assignments;
mod evaluate;
mod filters;
mod glob;
mod shell;

use appstitch_catalog::{BrokenRule, LabelToolSource, RawObject, Slug, Uri};
use serde_json::{Map, Value};

use crate::{Document, Reading, Unreadable};
use shell::Fragment;

/// Under which key of a label's `raw` the values stand that its text alone, or somebody who
/// ran it, tells.
pub const RESOLVED: &str = "resolved";

/// Where the labels can be read.
const LABELS: &str = "https://github.com/Installomator/Installomator/blob/main/fragments/labels";

/// One label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The first name: the app's slug.
    pub slug: Slug,
    /// The other names.
    pub other_names: Vec<String>,
    /// The payload.
    pub source: LabelToolSource,
    /// Which of version and address only a running shell can tell.
    pub unresolved: Vec<&'static str>,
}

/// Splits the upstream archive into one document per fragment; the key is the file's name.
pub fn read(archive: &[u8]) -> Result<Reading, Unreadable> {
    let mut reading = Reading::default();
    for (name, body) in archive::fragments(archive)? {
        match std::str::from_utf8(&body)
            .map_err(|error| error.to_string())
            .and_then(|text| parse(&name, text))
        {
            Ok(_) => reading.take(Document { key: name, body }),
            Err(why) => reading.refuse(&name, &why),
        }
    }
    Ok(reading)
}

/// Reads one fragment.
pub fn parse(name: &str, text: &str) -> Result<Label, String> {
    let fragment = Fragment::parse(text)?;
    let (first, others) = fragment.names.split_first().ok_or("it has no name")?;
    let slug = Slug::parse(first).map_err(|broken| broken.to_string())?;
    let mut raw = assignments::written(&fragment);
    let resolved = resolved(&fragment, &raw);
    let unresolved = ["downloadURL", "appNewVersion"]
        .into_iter()
        .filter(|key| raw.contains_key(*key) && !is_told(key, &raw, &resolved))
        .collect();
    if !resolved.is_empty() {
        raw.insert(RESOLVED.to_owned(), Value::Object(resolved));
    }
    let payload = || -> Result<LabelToolSource, BrokenRule> {
        let raw = serde_json::value::to_raw_value(&raw).map_err(|_| BrokenRule::RawShape)?;
        Ok(LabelToolSource {
            label_name: first.clone(),
            label_url: Uri::parse(&format!("{LABELS}/{name}"))?,
            raw: RawObject::new(raw)?,
        })
    };
    let source = payload().map_err(|broken| broken.to_string())?;
    Ok(Label { slug, other_names: others.to_vec(), source, unresolved })
}

/// The values worked out, for variables that are not literal as written.
fn resolved(fragment: &Fragment, raw: &Map<String, Value>) -> Map<String, Value> {
    let values = evaluate::evaluate(fragment);
    let mut resolved = Map::new();
    for (name, written) in raw {
        let value = match values.get(name) {
            Some(evaluate::Value::Text(text)) => Value::String(text.clone()),
            Some(evaluate::Value::List(items)) => items.iter().cloned().map(Value::from).collect(),
            Some(evaluate::Value::Unknown) | None => continue,
        };
        let empty = value.as_str().is_some_and(str::is_empty);
        if value != *written && !empty {
            resolved.insert(name.clone(), value);
        }
    }
    resolved
}

fn is_told(key: &str, raw: &Map<String, Value>, resolved: &Map<String, Value>) -> bool {
    let literal = |value: &Value| {
        value.as_str().is_some_and(|text| !text.contains(['$', '`']) && !text.is_empty())
    };
    resolved.contains_key(key) || raw.get(key).is_some_and(literal)
}

#[cfg(test)]
mod tests;
