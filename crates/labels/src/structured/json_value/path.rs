//! The part of JavaScript's property paths that labels use.

use serde_json::Value;

use super::super::scanner::{Scanner, is_blank};
use crate::{Budget, Stopped};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Property(String),
    Index(usize),
    /// `filter(x => x.NAME)`
    Filter(String),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsValue {
    Defined(Value),
    Undefined,
}

/// Parses a path. The helper puts a dot before a path that starts with a name.
pub(super) fn parse(path: &str) -> Result<Vec<Step>, Stopped> {
    let unsupported = || Stopped::unsupported("getJSONValue", format!("the path {path}"));
    let mut scanner = Scanner::new(path);
    let mut steps = Vec::new();
    let mut dotted = !path.starts_with(['.', '[']);
    while !scanner.at_end() {
        if scanner.take("[") {
            steps.push(bracket(&mut scanner).ok_or_else(unsupported)?);
        } else if scanner.take(".") || dotted {
            steps.push(property(&mut scanner).ok_or_else(unsupported)?);
        } else {
            return Err(unsupported());
        }
        dotted = false;
    }
    Ok(steps)
}

fn bracket(scanner: &mut Scanner<'_>) -> Option<Step> {
    scanner.take_while(is_blank);
    let step = match scanner.peek()? {
        quote @ ('"' | '\'') => {
            scanner.next();
            let name = scanner.take_until(&quote.to_string())?;
            // Escapes would have to be evaluated.
            Step::Property((!name.contains('\\')).then(|| name.to_owned())?)
        }
        _ => Step::Index(scanner.take_while(|digit| digit.is_ascii_digit()).parse().ok()?),
    };
    scanner.take_while(is_blank);
    scanner.take("]").then_some(step)
}

fn name<'text>(scanner: &mut Scanner<'text>) -> Option<&'text str> {
    let part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let name = scanner.take_while(part);
    let valid = !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit());
    valid.then_some(name)
}

fn property(scanner: &mut Scanner<'_>) -> Option<Step> {
    let property = name(scanner)?;
    if property != "filter" || !scanner.take("(") {
        return Some(Step::Property(property.to_owned()));
    }
    scanner.take_while(is_blank);
    let variable = name(scanner)?;
    scanner.take_while(is_blank);
    scanner.take("=>").then_some(())?;
    scanner.take_while(is_blank);
    let same = name(scanner)? == variable && scanner.take(".");
    let property = name(scanner)?;
    scanner.take_while(is_blank);
    (same && scanner.take(")")).then(|| Step::Filter(property.to_owned()))
}

/// Follows a path. Nothing means that JavaScript throws an exception.
pub(super) fn follow(
    value: Value,
    steps: &[Step],
    budget: &mut Budget,
) -> Result<Option<JsValue>, Stopped> {
    let mut found = JsValue::Defined(value);
    for step in steps {
        budget.step(1)?;
        let JsValue::Defined(value) = found else { return Ok(None) };
        found = match (step, value) {
            (Step::Filter(name), Value::Array(values)) => {
                budget.step(values.len())?;
                if values.iter().any(Value::is_null) {
                    return Ok(None);
                }
                let keeps = |value: &Value| value.get(name).is_some_and(is_true);
                JsValue::Defined(Value::Array(values.into_iter().filter(keeps).collect()))
            }
            (_, Value::Null) | (Step::Filter(_), _) => return Ok(None),
            (Step::Index(index), Value::Array(mut values)) if *index < values.len() => {
                JsValue::Defined(values.swap_remove(*index))
            }
            (Step::Index(index), Value::Object(mut members)) => {
                member(members.remove(&index.to_string()))
            }
            (Step::Index(index), Value::String(text)) => {
                let unit = text.chars().nth(*index);
                member(unit.map(|unit| Value::String(unit.to_string())))
            }
            (Step::Property(name), Value::Object(mut members)) => member(members.remove(name)),
            (Step::Property(name), Value::Array(values)) if name == "length" => {
                JsValue::Defined(values.len().into())
            }
            (Step::Property(name), Value::String(text)) if name == "length" => {
                JsValue::Defined(text.encode_utf16().count().into())
            }
            _ => JsValue::Undefined,
        };
        if let (Step::Property(name), JsValue::Undefined) = (step, &found)
            && is_inherited(name)
        {
            return Err(Stopped::unsupported("getJSONValue", format!("the property {name}")));
        }
    }
    Ok(Some(found))
}

fn member(value: Option<Value>) -> JsValue {
    value.map_or(JsValue::Undefined, JsValue::Defined)
}

/// Whether JavaScript finds a property without the text having it.
fn is_inherited(name: &str) -> bool {
    matches!(name, "constructor" | "toString" | "valueOf" | "__proto__" | "filter" | "at" | "map")
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
