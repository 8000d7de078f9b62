//! `label_tool`: the label fragments of the installer-label tool.
//!
//! The upstream file is a tar archive. Each file under `fragments/labels` is one arm of a
//! shell `case`. The label's values are kept as written. Values that can be computed from the text
//! alone are added next to them (see `evaluated`).

mod allowance;
mod archive;
mod evaluated;
mod held;
mod major;
mod resolution;
mod times;
mod written;

use allowance::Allowance;
pub use held::{HeldValue, HeldValues};
pub use resolution::{Resolution, RunValues, Taken, fingerprint};

use std::{
    collections::{HashMap, HashSet},
    io::Read,
};

use appstitch_budget::Budget;
use appstitch_labels::Label;
use appstitch_stitching::{Documents, LabelDocument};
use appstitch_text::check_found_address;
use appstitch_types::{BrokenRule, LabelToolSource, LabelValues, RawObject, Slug, Uri};
use serde_json::{Map, Value};

use crate::{
    label_versions::TrackedVersions,
    parsed_file::{FileError, ParsedFile, UpstreamEntry},
    unpack::{MAX_UNPACKED_BYTES, read_unpacked},
};
use evaluated::{Evaluated, looks_literal};
use major::is_of_other_major;

pub const FRAGMENT: &str = "fragment/";

/// The label's file name follows.
pub const RESOLUTION: &str = "resolution/";

/// The maximum size of one label file, in bytes. The largest real one has 5 kilobytes.
pub(crate) const MAX_FRAGMENT_BYTES: usize = 256 << 10;

/// The maximum number of labels. There are about 1,200.
pub(crate) const MAX_FRAGMENTS: usize = 3_000;

/// The maximum size of all label files together, in bytes. The real ones have less than a megabyte.
/// They are parsed again with every change.
pub(crate) const MAX_FRAGMENTS_BYTES: usize = 16 << 20;

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
    let fragments = read_unpacked(file, MAX_UNPACKED_BYTES, |mut reader| {
        archive::fragments(&mut reader, &mut Budget::default())
    })?;
    let entry = |(name, content): (String, archive::Content)| {
        let body = content.ok()?.into();
        Some(UpstreamEntry { key: format!("{FRAGMENT}{name}"), body })
    };
    Ok(fragments.into_iter().filter_map(entry).collect())
}

/// The names of a fragment's label, the main one first. Nothing is evaluated.
pub fn names(text: &str) -> Result<Vec<String>, String> {
    let label = Label::parse(text).map_err(|stopped| stopped.to_string())?;
    slug_and_others(&label)?;
    Ok(label.names)
}

/// The values of a fragment's `downloadURL`, as written. Nothing is evaluated.
pub fn download_addresses(text: &str) -> Vec<String> {
    let Ok(label) = Label::parse(text) else { return Vec::new() };
    match written::variables(&label).remove("downloadURL") {
        Some(Value::String(url)) => vec![url],
        Some(Value::Array(urls)) => {
            urls.into_iter().filter_map(|url| Some(url.as_str()?.to_owned())).collect()
        }
        _ => Vec::new(),
    }
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

pub(crate) fn decode(documents: &[UpstreamEntry], tracked: &TrackedVersions, into: &mut Documents) {
    let mut resolutions: HashMap<&str, Vec<Resolution>> = HashMap::new();
    let mut main_names: HashSet<&str> = HashSet::new();
    for document in documents {
        if let Some(file) = document.key.strip_prefix(FRAGMENT) {
            // A label's file is named after the label.
            main_names.insert(file.strip_suffix(".sh").unwrap_or(file));
        } else if let Some(file) = document.key.strip_prefix(RESOLUTION)
            && let Ok(resolution) = serde_json::from_slice(&document.body)
        {
            resolutions.entry(file).or_default().push(resolution);
        }
    }
    let mut allowance = Allowance::default();
    let Documents { labels, tracked: seen, .. } = into;
    labels.extend(documents.iter().filter_map(|document| {
        let file = document.key.strip_prefix(FRAGMENT)?;
        let text = std::str::from_utf8(&document.body).ok()?;
        let found = resolutions.get(file).into_iter().flatten();
        let found = found.filter(|resolution| resolution.is_of(text));
        let mut earlier = Vec::new();
        let find = |names: &[String]| {
            let own = file.strip_suffix(".sh").unwrap_or(file);
            let tracked = tracked.of_label(names, |name| name != own && main_names.contains(name));
            let values = HeldValues::choose(found, tracked, text);
            let is_other = |held: &HeldValue| is_of_other_major(file, &held.value, &main_names);
            if values.version.as_ref().is_some_and(is_other) {
                HeldValues::default()
            } else {
                earlier = tracked.map(|tracked| tracked.seen.clone()).unwrap_or_default();
                values
            }
        };
        let label = parse_with(file, text, &mut allowance, find).ok()?;
        if !earlier.is_empty() {
            seen.insert(label.source.label_name.clone(), earlier);
        }
        Some(label)
    }));
}

pub fn parse(name: &str, text: &str) -> Result<LabelDocument, String> {
    parse_with(name, text, &mut Allowance::default(), |_| HeldValues::default())
}

/// The values that do not follow from a fragment's text. The label gets nothing of the reserve that
/// all labels share, so this can be called for any number of labels.
pub fn unresolved(name: &str, text: &str) -> Result<Vec<&'static str>, String> {
    let allowance = &mut Allowance::without_reserve();
    Ok(parse_with(name, text, allowance, |_| HeldValues::default())?.unresolved)
}

/// Reads one fragment together with what was found by running it. `find` gets the label's names.
fn parse_with(
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
        .filter(|key| raw.contains_key(*key) && !is_stated(key, &raw, &resolved))
        .collect();
    let mut recorded = Map::new();
    let mut found = LabelValues::default();
    let held = find(&label.names);
    if let Some((url, version)) = with_version(&raw, &resolved, held.version.as_ref()) {
        unresolved.retain(|missing| *missing != "downloadURL");
        let values = if version.is_only_tracked { &mut recorded } else { &mut resolved };
        values.insert("downloadURL".to_owned(), Value::String(url));
        held::note(&mut found, "downloadURL", version.finding);
    }
    // The tracker's address belongs to its version, and the text may state another one.
    let states_other_version = is_stated("appNewVersion", &raw, &resolved) && {
        let stated = resolved.get("appNewVersion").or_else(|| raw.get("appNewVersion"));
        stated.and_then(Value::as_str) != held.version.as_ref().map(|held| held.value.as_str())
    };
    for (key, held) in held.by_variable() {
        let value = Value::String(held.value.clone());
        let is_known = is_stated(key, &raw, &resolved) || recorded.contains_key(key);
        let known = resolved.get(key).or_else(|| raw.get(key)).filter(|_| is_known);
        let is_recorded = held.is_only_tracked && key == "downloadURL";
        if is_recorded && states_other_version {
            continue;
        }
        // The tracker may have run another text of the label: what this text says is certain.
        if known == Some(&value) || (is_known && held.is_only_tracked) {
            if is_recorded {
                recorded.entry(key).or_insert(value);
            }
            continue;
        }
        unresolved.retain(|missing| *missing != key);
        if let Some(on_intel) = held.on_intel(text, evaluated.on_intel(key)) {
            intel.insert(key.to_owned(), on_intel);
        }
        let values = if is_recorded { &mut recorded } else { &mut resolved };
        values.insert(key.to_owned(), value);
        held::note(&mut found, key, held.finding);
    }
    if !resolved.is_empty() {
        raw.insert(LabelToolSource::RESOLVED.to_owned(), Value::Object(resolved));
    }
    if !recorded.is_empty() {
        raw.insert(LabelToolSource::RECORDED.to_owned(), Value::Object(recorded));
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

/// The label's address with the version that was found, if it needs nothing else.
fn with_version<'a>(
    raw: &Map<String, Value>,
    resolved: &Map<String, Value>,
    version: Option<&'a HeldValue>,
) -> Option<(String, &'a HeldValue)> {
    let version = version.filter(|_| !is_stated("downloadURL", raw, resolved))?;
    let written = raw.get("downloadURL")?.as_str()?;
    let url = ["${appNewVersion}", "$appNewVersion"]
        .iter()
        .fold(written.to_owned(), |url, variable| url.replace(variable, &version.value));
    (url != written && check_found_address(&url).is_ok()).then_some((url, version))
}

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

fn is_stated(key: &str, raw: &Map<String, Value>, resolved: &Map<String, Value>) -> bool {
    match resolved.get(key) {
        Some(value) => !value.is_null(),
        None => raw.get(key).is_some_and(|value| value.is_string() && looks_literal(value)),
    }
}

#[cfg(test)]
mod tests;
