//! Free-form upstream objects that the catalog serves unchanged.

use std::fmt;

use memchr::memchr2;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Map, Value, value::RawValue};

use crate::broken_rule::BrokenRule;

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
    pub fn as_json(&self) -> &str {
        self.0.get()
    }

    /// The object, not parsed.
    pub fn as_raw(&self) -> &RawValue {
        &self.0
    }

    /// Parses the object, for rules that need its values.
    ///
    /// Empty if the text cannot be represented as values (for example, because of a lone
    /// surrogate escape). Such a payload is still served, but no rule uses it.
    pub fn read(&self) -> Map<String, Value> {
        serde_json::from_str(self.0.get()).unwrap_or_default()
    }

    /// Parses the values of the wanted keys. The others are skipped, which takes a fraction of the
    /// time: some payloads are nearly all of values that no rule needs.
    pub fn read_keys(&self, is_wanted: impl Fn(&str) -> bool) -> Map<String, Value> {
        self.read_keys_beside("", is_wanted).0
    }

    /// The same, and the text of one more member, which is not parsed.
    pub fn read_keys_beside(
        &self,
        unparsed: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> (Map<String, Value>, Option<&str>) {
        read_wanted(self.0.get(), unparsed, is_wanted).unwrap_or_default()
    }
}

/// Parses the values of the wanted keys of an object that is a member of the one in a text; `None` if
/// there is no such object.
pub fn read_member(
    text: &str,
    key: &str,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<Map<String, Value>> {
    let (_, inside) = read_wanted(text, key, |_| false)?;
    read_wanted(inside?, "", is_wanted).map(|(read, _)| read)
}

fn read_wanted<'t>(
    text: &'t str,
    unparsed: &str,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<(Map<String, Value>, Option<&'t str>)> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(SelectedKeys { is_wanted, unparsed }).ok()
}

/// Reads the values of some keys of an object, and the text of another one. Of several members with
/// the same key the last one counts.
struct SelectedKeys<'k, F> {
    is_wanted: F,
    unparsed: &'k str,
}

impl<'de, F: Fn(&str) -> bool> Visitor<'de> for SelectedKeys<'_, F> {
    type Value = (Map<String, Value>, Option<&'de str>);

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut read = Map::new();
        let mut unparsed = None;
        while let Some(key) = object.next_key::<String>()? {
            if (self.is_wanted)(&key) {
                read.insert(key, object.next_value()?);
            } else if key == self.unparsed {
                unparsed = Some(object.next_value::<&RawValue>()?.get());
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok((read, unparsed))
    }
}

/// Whether there is no whitespace between tokens. Nesting that is too deep is an error. The input
/// must be valid JSON.
fn is_compact(text: &str) -> Result<bool, BrokenRule> {
    let mut depth = 0_usize;
    let mut is_compact = true;
    let mut rest = text.as_bytes();
    while let [byte, behind @ ..] = rest {
        rest = behind;
        match byte {
            b'"' => rest = behind_string(rest),
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

/// What follows the string whose opening quote was read.
fn behind_string(mut rest: &[u8]) -> &[u8] {
    while let Some(position) = memchr2(b'"', b'\\', rest) {
        let length = if rest[position] == b'"' { 1 } else { 2 };
        rest = rest.get(position + length..).unwrap_or_default();
        if length == 1 {
            return rest;
        }
    }
    &[]
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
    fn a_member_is_kept_as_text_and_read_later() {
        let raw =
            read(r#"{"a":{"b":1},"c":3,"odd":"\ud800","a":{"b":7,"b":{"c":2,"d":"\ud800"}}}"#)
                .unwrap();
        let beside = |key: &str| raw.read_keys_beside(key, |key| key == "c");
        let (read, text) = beside("a");
        assert_eq!(Value::Object(read), serde_json::json!({"c": 3}));
        let text = text.unwrap();
        assert_eq!(text, r#"{"b":7,"b":{"c":2,"d":"\ud800"}}"#);
        assert_eq!(beside("x").1, None);
        let member = |key: &str| read_member(text, key, |key| key != "d").map(Value::Object);
        assert_eq!(member("b"), Some(serde_json::json!({"c": 2})));
        assert_eq!(read_member(text, "b", |_| true), None, "a value that is no text");
        assert_eq!(member("c"), None);
        for text in ["7", "[]", r#"{"b":7}"#] {
            assert_eq!(read_member(text, "b", |_| true), None, "{text}");
        }
    }

    #[test]
    fn white_space_is_told_from_that_in_strings() {
        for text in [r#"{"a b":"\" c","d":["\\","e f\\\""]}"#, "{}", r#"{"a":""}"#] {
            assert_eq!(is_compact(text), Ok(true), "{text}");
            assert_eq!(read(text).unwrap().as_json(), text);
        }
        for text in [r#"{"a\\" :1}"#, r#"{"a":"\"", "b":1}"#, "{ }", "{\"a\":1\n}"] {
            assert_eq!(is_compact(text), Ok(false), "{text}");
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
