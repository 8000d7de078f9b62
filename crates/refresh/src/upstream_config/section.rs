//! Reads the values of a table, and rejects keys that nobody knows. No value is repeated in an error:
//! it may be a secret.

use std::time::Duration;

use toml::{Table, Value};

use super::interval::interval;

/// How alike two keys must be, from 0 to 1, so that one is suggested for the other.
const ALIKE: f64 = 0.75;

#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'t> {
    /// Such as `[titles]`; empty for the file itself.
    name: &'t str,
    table: &'t Table,
}

impl<'t> Section<'t> {
    pub(super) fn new(name: &'t str, table: &'t Table, known: &[&str]) -> Result<Self, String> {
        for key in table.keys() {
            if !known.contains(&key.as_str()) {
                return Err(unknown(name, key, known));
            }
        }
        Ok(Self { name, table })
    }

    pub(super) fn get(&self, key: &str) -> Option<&'t Value> {
        self.table.get(key)
    }

    /// The table of another section.
    pub(super) fn table(&self, key: &str) -> Result<Option<&'t Table>, String> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.as_table().map(Some).ok_or_else(|| self.wrong(key, "a table"))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'t str>, String> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = value.as_str().map(str::trim).filter(|text| !text.is_empty());
        text.map(Some).ok_or_else(|| self.wrong(key, "a text in quotes"))
    }

    pub(super) fn required(&self, key: &str) -> Result<&'t str, String> {
        self.text(key)?.ok_or_else(|| format!("{}: '{key}' is missing", self.name))
    }

    pub(super) fn interval(&self, key: &str) -> Result<Option<Duration>, String> {
        let interval = self.text(key)?.map(interval).transpose();
        interval.map_err(|why| format!("{}: '{key}': {why}", self.name))
    }

    pub(super) fn wrong(&self, key: &str, expected: &str) -> String {
        wrong(self.name, key, expected)
    }
}

pub(super) fn wrong(section: &str, key: &str, expected: &str) -> String {
    let key = key.escape_debug();
    if section.is_empty() {
        format!("'{key}': expected {expected}")
    } else {
        format!("{section}: '{key}': expected {expected}")
    }
}

/// The texts of an array.
pub(super) fn texts(section: &str, key: &str, value: &Value) -> Result<Vec<String>, String> {
    let texts = value.as_array().and_then(|values| {
        values.iter().map(|value| value.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
    });
    texts.ok_or_else(|| wrong(section, key, "a list of texts"))
}

/// Why a key is not accepted, with the one that was probably meant.
pub(super) fn unknown(section: &str, key: &str, known: &[&str]) -> String {
    let likeness = |known: &str| strsim::jaro_winkler(known, key);
    let nearest = known
        .iter()
        .filter(|known| likeness(known) >= ALIKE)
        .max_by(|left, right| likeness(left).total_cmp(&likeness(right)));
    let key = key.escape_debug();
    let place = if section.is_empty() { String::new() } else { format!(" in {section}") };
    match nearest {
        Some(nearest) => format!("unknown key '{key}'{place}; did you mean '{nearest}'?"),
        None => format!("unknown key '{key}'{place}; expected one of {}", known.join(", ")),
    }
}
