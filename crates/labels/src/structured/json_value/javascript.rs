//! Reads JSON and prints values as JavaScript does.

use serde_json::Value;

use crate::{Budget, Stopped};

/// The parser rejects what is nested as deeply as this.
const MAX_DEPTH: usize = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum JsonError {
    Invalid,
    TooDeep,
}

impl JsonError {
    /// The parser does not distinguish its limit from a mistake, but stops at the bracket that goes too
    /// deep. All before it is valid.
    fn new(error: &serde_json::Error, text: &str) -> Self {
        let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let end = lines.map(str::len).sum::<usize>() + error.column();
        let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
        for byte in text.bytes().take(end) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if depth >= MAX_DEPTH { Self::TooDeep } else { Self::Invalid }
    }
}

/// Parses a text that may be anything: what is not JSON gives nothing, as an exception does.
pub(in super::super) fn parse(text: &str, budget: &mut Budget) -> Result<Option<Value>, Stopped> {
    charge(text, budget)?;
    match serde_json::from_str(text) {
        Ok(value) => Ok(Some(value)),
        Err(error) => or_too_deep(JsonError::new(&error, text)).map(|()| None),
    }
}

pub(in super::super) fn parse_each(
    text: &str,
) -> impl Iterator<Item = Result<Value, JsonError>> + '_ {
    let values = serde_json::Deserializer::from_str(text).into_iter();
    values.map(move |value| value.map_err(|error| JsonError::new(&error, text)))
}

/// Stops at what a real tool could read.
pub(in super::super) fn or_too_deep(error: JsonError) -> Result<(), Stopped> {
    match error {
        JsonError::Invalid => Ok(()),
        JsonError::TooDeep => Err(Stopped::TooMuch("the JSON is nested too deeply")),
    }
}

/// Takes what parsing a text takes: every value has a size besides its text.
pub(in super::super) fn charge(text: &str, budget: &mut Budget) -> Result<(), Stopped> {
    budget.step(text.len() / 8)?;
    budget.hold(text.len())?;
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    budget.hold_each(values, 64)
}

/// Takes what printing a value takes: every line is indented by so many blanks a level.
pub(in super::super) fn charge_printing(
    value: &Value,
    indentation: usize,
    budget: &mut Budget,
) -> Result<(), Stopped> {
    budget.hold(printed_blanks(value, indentation, 1))
}

fn printed_blanks(value: &Value, indentation: usize, depth: usize) -> usize {
    let lines = |count: usize| (count + 1) * indentation * depth;
    match value {
        Value::Array(values) => {
            let inner = values.iter().map(|it| printed_blanks(it, indentation, depth + 1));
            lines(values.len()) + inner.sum::<usize>()
        }
        Value::Object(map) => {
            let inner = map.values().map(|it| printed_blanks(it, indentation, depth + 1));
            lines(map.len()) + inner.sum::<usize>()
        }
        _ => 0,
    }
}

/// Prints a value: texts bare, objects and arrays as `JSON.stringify(value, null, 4)`.
pub(in super::super) fn print(value: &Value) -> String {
    if let Value::String(text) = value {
        return text.clone();
    }
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

fn write(value: &Value, depth: usize, output: &mut String) {
    match value {
        Value::Null => output.push_str("null"),
        Value::Bool(truth) => output.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => output.push_str(&format_number(number.as_f64().unwrap_or(0.0))),
        Value::String(_) => output.push_str(&value.to_string()),
        Value::Array(values) => {
            let mut members = Vec::with_capacity(values.len());
            for value in values {
                let mut member = String::new();
                write(value, depth + 1, &mut member);
                members.push(member);
            }
            write_members('[', &members, ']', depth, output);
        }
        Value::Object(map) => {
            // JavaScript sorts properties that are indexes before all others.
            let index = |name: &String| name.parse::<u32>().ok().filter(|n| n.to_string() == *name);
            let mut names: Vec<&String> = map.keys().collect();
            names.sort_by_key(|name| index(name).map_or(u64::MAX, u64::from));
            let mut members = Vec::with_capacity(names.len());
            for name in names {
                let mut member = Value::String(name.clone()).to_string() + ": ";
                if let Some(value) = map.get(name) {
                    write(value, depth + 1, &mut member);
                }
                members.push(member);
            }
            write_members('{', &members, '}', depth, output);
        }
    }
}

fn write_members(open: char, members: &[String], close: char, depth: usize, output: &mut String) {
    output.push(open);
    for (place, member) in members.iter().enumerate() {
        output.push_str(if place == 0 { "\n" } else { ",\n" });
        output.push_str(&"    ".repeat(depth + 1));
        output.push_str(member);
    }
    if !members.is_empty() {
        output.push('\n');
        output.push_str(&"    ".repeat(depth));
    }
    output.push(close);
}

/// A number as JavaScript prints it.
pub(in super::super) fn format_number(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&size) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, power)) if !power.starts_with('-') => format!("{digits}e+{power}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_told_from_mistakes() {
        let error = |text: &str| parse_each(text).find_map(Result::err);
        let nested = |depth: usize, inside: &str| {
            let (open, close) = ("\n[{\"[\\\"{\": ".repeat(depth / 2), "}]".repeat(depth / 2));
            format!("{open}{inside}{close}")
        };
        assert_eq!(error(&nested(MAX_DEPTH - 2, "[1]")), None);
        assert_eq!(error(&nested(MAX_DEPTH - 2, "[")), Some(JsonError::Invalid));
        assert_eq!(error(&nested(MAX_DEPTH - 2, "[[")), Some(JsonError::TooDeep));
        assert_eq!(error(&nested(MAX_DEPTH, "1")), Some(JsonError::TooDeep));
        assert_eq!(error(&nested(5_000, "1")), Some(JsonError::TooDeep));
        assert_eq!(error(&format!("[1] x {}", "[".repeat(500))), Some(JsonError::Invalid));
        assert_eq!(error(&format!("\"{}\"", "[".repeat(500))), None);
        assert_eq!(error("\"é\" [1"), Some(JsonError::Invalid));
    }
}
