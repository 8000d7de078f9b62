//! `label_tool`: the label fragments of the installer-label tool.
//!
//! The upstream file is a tar archive. Each file under `fragments/labels` is one arm of a
//! shell `case`. The label's values are kept as written. Values that can be computed from the text
//! alone are added next to them (see `evaluated`).

mod allowance;
mod archive;
mod evaluated;
mod held;
mod resolution;
mod times;
mod written;

pub(crate) use allowance::Allowance;
pub use held::{HeldValue, HeldValues};
pub use resolution::{Resolution, RunValues, Taken, fingerprint};

use std::{collections::HashMap, io::Read};

use appstitch_budget::Budget;
use appstitch_catalog::{
    BrokenRule, LabelDocument, LabelToolSource, LabelValues, RawObject, Slug, Uri,
};
use appstitch_labels::Label;
use serde_json::{Map, Value};

use crate::{
    FileError, MAX_UNPACKED_BYTES, ParsedFile, Unreadable, UpstreamEntry, unpack::Unpacked,
};
use evaluated::{Evaluated, looks_literal};

/// The key prefix of fragments. The file name follows.
pub const FRAGMENT: &str = "fragment/";

/// The maximum size of one label file, in bytes. The largest real one has 5 kilobytes.
pub const MAX_FRAGMENT_BYTES: usize = 256 << 10;

/// The maximum number of labels. There are about 1,200.
pub const MAX_FRAGMENTS: usize = 3_000;

/// The maximum size of all label files together, in bytes. The real ones have less than a megabyte.
/// They are parsed again with every change.
pub const MAX_FRAGMENTS_BYTES: usize = 16 << 20;

/// The web page of the labels.
const LABELS: &str = "https://github.com/Installomator/Installomator/blob/main/fragments/labels";

/// Splits the upstream archive into one document per fragment. Nothing is evaluated yet.
pub fn read(archive: &mut dyn Read, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let mut parsed = ParsedFile::default();
    let mut slugs: HashMap<String, Slug> = HashMap::new();
    for (name, content) in archive::fragments(archive, budget)? {
        // Parsing a label takes some steps per character.
        budget.step(content.as_ref().map_or(1, Vec::len) as u64)?;
        let checked = content.and_then(|body| {
            let text = std::str::from_utf8(&body).map_err(|error| error.to_string())?;
            check_case(check(&name, text)?, &mut slugs)?;
            Ok(body)
        });
        match checked {
            Ok(body) => {
                let entry = UpstreamEntry { key: format!("{FRAGMENT}{name}"), body: body.into() };
                parsed.take(entry, budget)?;
            }
            Err(why) => parsed.refuse(&name, &why, budget),
        }
    }
    Ok(parsed)
}

/// Rejects a label whose slug differs from an earlier one only in case.
fn check_case(slug: Slug, slugs: &mut HashMap<String, Slug>) -> Result<(), String> {
    let first = slugs.entry(slug.folded()).or_insert_with(|| slug.clone());
    if *first == slug { Ok(()) } else { Err(slug.twin_problem(first)) }
}

/// The fragments of the upstream archive, compressed or not. Nothing is checked, so this takes a
/// fraction of the time of [`read`].
pub fn fragments(file: &[u8]) -> Result<Vec<UpstreamEntry>, FileError> {
    let unpack = |error| Unreadable(format!("cannot unpack the file: {error}"));
    let mut unpacked = Unpacked::new(file, MAX_UNPACKED_BYTES).map_err(unpack)?;
    let fragments = archive::fragments(&mut unpacked, &mut Budget::default());
    if unpacked.is_exceeded() {
        return Err(FileError::TooLarge { limit: MAX_UNPACKED_BYTES });
    }
    let entry = |(name, content): (String, archive::Content)| {
        let body = content.ok()?.into();
        Some(UpstreamEntry { key: format!("{FRAGMENT}{name}"), body })
    };
    Ok(fragments?.into_iter().filter_map(entry).collect())
}

/// The names of a fragment's label, the main one first. Nothing is evaluated.
pub fn names(text: &str) -> Result<Vec<String>, String> {
    let label = Label::parse(text).map_err(|stopped| stopped.to_string())?;
    slug_and_others(&label)?;
    Ok(label.names)
}

fn slug_and_others(label: &Label) -> Result<(Slug, &[String]), String> {
    let (first, others) = label.names.split_first().ok_or("the label has no name")?;
    Ok((Slug::parse(first).map_err(|broken| broken.to_string())?, others))
}

/// Checks everything of a fragment that does not need an evaluation. One that passes can be parsed.
/// Returns its slug.
fn check(name: &str, text: &str) -> Result<Slug, String> {
    let label = Label::parse(text).map_err(|stopped| stopped.to_string())?;
    let (slug, _) = slug_and_others(&label)?;
    source(name, String::new(), &written::variables(&label))
        .map_err(|broken| broken.to_string())?;
    Ok(slug)
}

/// Reads one fragment.
pub fn parse(name: &str, text: &str) -> Result<LabelDocument, String> {
    parse_with(name, text, &mut Allowance::default(), |_| HeldValues::default())
}

/// The values that a fragment's text alone does not tell. The label gets nothing of the reserve that
/// all labels share, so this can be called for any number of labels.
pub fn unresolved(name: &str, text: &str) -> Result<Vec<&'static str>, String> {
    let own = &mut Allowance::without_reserve();
    Ok(parse_with(name, text, own, |_| HeldValues::default())?.unresolved)
}

/// Reads one fragment together with what was found by running it. `find` gets the label's names.
pub(crate) fn parse_with(
    name: &str,
    text: &str,
    allowance: &mut Allowance,
    find: impl FnOnce(&[String]) -> HeldValues,
) -> Result<LabelDocument, String> {
    let label = Label::parse(text).map_err(|stopped| stopped.to_string())?;
    let (slug, others) = slug_and_others(&label)?;
    let mut raw = written::variables(&label);
    let evaluated = Evaluated::of(&label, allowance);
    let mut intel = evaluated.differing(&raw);
    let mut resolved = evaluated.resolved(&raw);
    let mut unresolved: Vec<&'static str> = ["downloadURL", "appNewVersion"]
        .into_iter()
        .filter(|key| raw.contains_key(*key) && !is_told(key, &raw, &resolved))
        .collect();
    let mut found = LabelValues::default();
    for (key, held) in find(&label.names).by_variable() {
        let value = Value::String(held.value.clone());
        let is_known = is_told(key, &raw, &resolved);
        let known = resolved.get(key).or_else(|| raw.get(key)).filter(|_| is_known);
        // The tracker may have run another text of the label: what this text says is certain.
        if known == Some(&value) || (is_known && held.is_only_tracked) {
            continue;
        }
        unresolved.retain(|missing| *missing != key);
        if let Some(on_intel) = held.on_intel(text, evaluated.on_intel(key)) {
            intel.insert(key.to_owned(), on_intel);
        }
        resolved.insert(key.to_owned(), value);
        held::note(&mut found, key, held.finding);
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
    let source = source(name, slug.to_string(), &raw).map_err(|broken| broken.to_string())?;
    Ok(LabelDocument { slug, other_names: others.to_vec(), source, unresolved, found })
}

/// The payload of a label.
fn source(
    name: &str,
    label_name: String,
    raw: &Map<String, Value>,
) -> Result<LabelToolSource, BrokenRule> {
    let raw = serde_json::value::to_raw_value(raw).map_err(|_| BrokenRule::RawShape)?;
    Ok(LabelToolSource {
        label_name,
        label_url: Uri::parse(&format!("{LABELS}/{name}"))?,
        raw: RawObject::new(raw)?,
    })
}

fn is_told(key: &str, raw: &Map<String, Value>, resolved: &Map<String, Value>) -> bool {
    match resolved.get(key) {
        Some(value) => !value.is_null(),
        None => raw.get(key).is_some_and(|value| value.is_string() && looks_literal(value)),
    }
}

#[cfg(test)]
mod tests;
