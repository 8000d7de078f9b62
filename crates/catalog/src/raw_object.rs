//! Free-form upstream objects that the catalog serves unchanged.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value, value::RawValue};

use crate::BrokenRule;

/// A JSON object as upstream wrote it: key order, number formats, escapes and duplicate keys are
/// kept. Only whitespace between tokens is removed, to keep records compact.
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub struct RawObject(Box<RawValue>);

impl RawObject {
    /// The maximum nesting depth. Common JSON parsers stop at 128 levels, and the object is
    /// itself nested two or three levels deep in responses.
    const MAX_DEPTH: usize = 100;

    /// Checks that the value is an object and removes whitespace between tokens.
    pub fn new(value: Box<RawValue>) -> Result<Self, BrokenRule> {
        let text = value.get();
        if !text.starts_with('{') {
            return Err(BrokenRule::RawShape);
        }
        let compact = compact(text)?;
        if compact.len() == text.len() {
            return Ok(Self(value));
        }
        RawValue::from_string(compact).map(Self).map_err(|_| BrokenRule::RawShape)
    }

    /// The object's JSON text.
    #[must_use]
    pub fn as_json(&self) -> &str {
        self.0.get()
    }

    /// The object, not parsed.
    pub(crate) fn as_raw(&self) -> &RawValue {
        &self.0
    }

    /// Parses the object, for rules that need its values.
    ///
    /// Empty if the text cannot be represented as values (for example, because of a lone
    /// surrogate escape). Such a payload is still served, but no rule uses it.
    #[must_use]
    pub fn read(&self) -> Map<String, Value> {
        serde_json::from_str(self.0.get()).unwrap_or_default()
    }
}

/// Removes whitespace between tokens. The input must be valid JSON.
fn compact(text: &str) -> Result<String, BrokenRule> {
    let mut compact = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else {
            match character {
                '"' => in_string = true,
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                ' ' | '\t' | '\n' | '\r' => continue,
                _ => {}
            }
            if depth > RawObject::MAX_DEPTH {
                return Err(BrokenRule::RawDepth(RawObject::MAX_DEPTH));
            }
        }
        compact.push(character);
    }
    Ok(compact)
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Box::<RawValue>::deserialize(deserializer)?;
        Self::new(value).map_err(de::Error::custom)
    }
}

impl PartialEq for RawObject {
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json()
    }
}

impl Eq for RawObject {}

impl fmt::Debug for RawObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RawObject, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn spelling_order_and_repeats_stay_and_white_space_goes() {
        let raw =
            read("{ \"b\" : 1.50e+1 ,\n\"a\\u00e9\": \" x \\\" y \\\\\", \"b\":\t1e400 }").unwrap();
        assert_eq!(raw.as_json(), r#"{"b":1.50e+1,"a\u00e9":" x \" y \\","b":1e400}"#);
    }

    #[test]
    fn only_objects_of_bounded_depth_are_taken() {
        assert!(read("[1]").is_err());
        assert!(read("null").is_err());
        let deep =
            |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert!(read(&deep(99)).is_ok());
        assert!(read(&deep(100)).is_err());
    }
}
