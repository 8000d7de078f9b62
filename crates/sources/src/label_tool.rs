//! `label_tool`: the label fragments of the installer-label tool.
//!
//! The upstream file is a tar archive. Each file under `fragments/labels` is one arm of a
//! shell `case`. The label's values are kept as written. Values that can be computed from the text
//! alone are added next to them (see `evaluated`).

mod archive;
mod evaluated;
mod resolution;
mod written;

pub use resolution::{Resolution, fingerprint};

use std::io::Read;

use appstitch_catalog::{BrokenRule, LabelDocument, LabelToolSource, RawObject, Slug, Uri};
use appstitch_labels::Label;
use serde_json::{Map, Value};

use crate::{ParsedFile, Unreadable, UpstreamEntry};
use evaluated::{Evaluated, looks_literal};

/// The key prefix of fragments. The file name follows.
pub const FRAGMENT: &str = "fragment/";

/// The web page of the labels.
const LABELS: &str = "https://github.com/Installomator/Installomator/blob/main/fragments/labels";

/// Splits the upstream archive into one document per fragment.
pub fn read(archive: &mut dyn Read) -> Result<ParsedFile, Unreadable> {
    let mut parsed = ParsedFile::default();
    for (name, body) in archive::fragments(archive)? {
        match std::str::from_utf8(&body)
            .map_err(|error| error.to_string())
            .and_then(|text| parse(&name, text))
        {
            Ok(_) => {
                parsed.take(UpstreamEntry { key: format!("{FRAGMENT}{name}"), body: body.into() });
            }
            Err(why) => parsed.refuse(&name, &why),
        }
    }
    Ok(parsed)
}

/// Reads one fragment.
pub fn parse(name: &str, text: &str) -> Result<LabelDocument, String> {
    parse_with(name, text, None)
}

/// Reads one fragment together with the result of running it. The result is ignored if it
/// belongs to another version of the fragment.
pub fn parse_with(
    name: &str,
    text: &str,
    resolution: Option<&Resolution>,
) -> Result<LabelDocument, String> {
    let label = Label::parse(text).map_err(|stopped| stopped.to_string())?;
    let (first, others) = label.names.split_first().ok_or("the label has no name")?;
    let slug = Slug::parse(first).map_err(|broken| broken.to_string())?;
    let mut raw = written::variables(&label);
    let evaluated = Evaluated::of(&label);
    let mut intel = evaluated.differing(&raw);
    let mut resolved = evaluated.resolved(&raw);
    let mut unresolved: Vec<&'static str> = ["downloadURL", "appNewVersion"]
        .into_iter()
        .filter(|key| raw.contains_key(*key) && !is_told(key, &raw, &resolved))
        .collect();
    if let Some(resolution) = resolution.filter(|resolution| resolution.is_of(text)) {
        for (key, value) in resolution.values() {
            unresolved.retain(|missing| *missing != key);
            resolved.insert(key.to_owned(), Value::String(value.to_owned()));
            // The label was run on one architecture. If it checks the architecture, the value
            // may be wrong for the other one.
            if written::asks_architecture(text) {
                let told = evaluated.on_intel(key);
                intel.insert(key.to_owned(), told.unwrap_or(Value::Null));
            }
        }
    }
    if !resolved.is_empty() {
        raw.insert(LabelToolSource::RESOLVED.to_owned(), Value::Object(resolved));
    }
    if let Some(text) = written::function(&label, "appCustomVersion") {
        raw.insert(LabelToolSource::VERSION_FUNCTION.to_owned(), text.into());
    }
    if !intel.is_empty() {
        raw.insert(LabelToolSource::RESOLVED_INTEL.to_owned(), Value::Object(intel));
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
    Ok(LabelDocument { slug, other_names: others.to_vec(), source, unresolved })
}

fn is_told(key: &str, raw: &Map<String, Value>, resolved: &Map<String, Value>) -> bool {
    match resolved.get(key) {
        Some(value) => !value.is_null(),
        None => raw.get(key).is_some_and(|value| value.is_string() && looks_literal(value)),
    }
}

#[cfg(test)]
mod tests;
