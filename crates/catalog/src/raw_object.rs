//! Free-form upstream objects that the catalog serves unchanged.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, IgnoredAny, MapAccess, Visitor},
};
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
        if is_compact(text)? {
            return Ok(Self(value));
        }
        RawValue::from_string(compact(text)).map(Self).map_err(|_| BrokenRule::RawShape)
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

    /// Parses the values of the wanted keys. The others are skipped, which takes a fraction of the
    /// time: some payloads are nearly all of values that no rule needs.
    #[must_use]
    pub(crate) fn read_keys(&self, is_wanted: impl Fn(&str) -> bool) -> Map<String, Value> {
        let mut deserializer = serde_json::Deserializer::from_str(self.0.get());
        deserializer.deserialize_map(WantedKeys(is_wanted)).unwrap_or_default()
    }

    /// The same for an object that is inside of this one, below the keys of a path; `None` if there is
    /// no such object.
    pub(crate) fn read_inside(
        &self,
        path: &[&str],
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<Map<String, Value>> {
        let mut text = self.0.get();
        for key in path {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            text = deserializer.deserialize_map(LastMember(key)).ok()??;
        }
        let mut deserializer = serde_json::Deserializer::from_str(text);
        deserializer.deserialize_map(WantedKeys(is_wanted)).ok()
    }
}

/// The text of a member of an object. Of several with the same key the last one counts.
struct LastMember<'k>(&'k str);

impl<'de> Visitor<'de> for LastMember<'_> {
    type Value = Option<&'de str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(key) = object.next_key::<String>()? {
            if key == self.0 {
                found = Some(object.next_value::<&RawValue>()?.get());
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// Reads the values of some keys of an object.
struct WantedKeys<F>(F);

impl<'de, F: Fn(&str) -> bool> Visitor<'de> for WantedKeys<F> {
    type Value = Map<String, Value>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            if (self.0)(&key) {
                read.insert(key, object.next_value()?);
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(read)
    }
}

/// Whether there is no whitespace between tokens. Nesting that is too deep is an error. The input
/// must be valid JSON.
fn is_compact(text: &str) -> Result<bool, BrokenRule> {
    let mut depth = 0_usize;
    let mut is_compact = true;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => skip_string(&mut bytes),
            b'{' | b'[' => {
                depth += 1;
                if depth > RawObject::MAX_DEPTH {
                    return Err(BrokenRule::RawDepth(RawObject::MAX_DEPTH));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b' ' | b'\t' | b'\n' | b'\r' => is_compact = false,
            _ => {}
        }
    }
    Ok(is_compact)
}

/// Skips the rest of a string.
fn skip_string(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

/// Removes whitespace between tokens. The input must be valid JSON.
fn compact(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character == '"' {
            in_string = true;
        } else if matches!(character, ' ' | '\t' | '\n' | '\r') {
            continue;
        }
        compact.push(character);
    }
    compact
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
    fn only_wanted_keys_are_read() {
        let raw = read(r#"{"a":1,"b":{"a":[2,"\"}"]},"c":null,"a":"last"}"#).unwrap();
        let some = raw.read_keys(|key| key != "b");
        assert_eq!(Value::Object(some), serde_json::json!({"a": "last", "c": null}));
        assert_eq!(raw.read_keys(|_| true), raw.read());
        assert!(raw.read_keys(|_| false).is_empty());
    }

    #[test]
    fn an_object_inside_is_read_alone() {
        let raw =
            read(r#"{"a":{"b":1},"odd":"\ud800","a":{"b":7,"b":{"c":2,"d":"\ud800"}}}"#).unwrap();
        let inside = |path: &[&str]| raw.read_inside(path, |key| key != "d").map(Value::Object);
        assert_eq!(inside(&["a", "b"]), Some(serde_json::json!({"c": 2})));
        assert_eq!(raw.read_inside(&["a", "b"], |_| true), None, "a value that is no text");
        for path in [&["b"][..], &["a", "c"], &["odd"], &["a", "b", "c"]] {
            assert_eq!(inside(path), None, "{path:?}");
        }
    }

    #[test]
    fn a_value_that_is_not_wanted_does_no_harm() {
        let raw = read(r#"{"odd":"\ud800","good":1}"#).unwrap();
        assert!(raw.read().is_empty());
        assert_eq!(raw.read_keys(|key| key == "good").len(), 1);
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
