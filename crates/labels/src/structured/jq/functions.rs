//! The functions of `jq` that read values.

use serde_json::Value;

use super::order::compare;
use super::parser::Filter;
use super::runner::{Leave, Runner, Sink, is_true, weight};
use crate::{Stopped, search::Search};

pub(super) fn call<'budget>(
    runner: &mut Runner<'budget>,
    name: &str,
    arguments: &[Filter],
    input: &Value,
    sink: &mut Sink<'_, 'budget>,
) -> Result<(), Leave> {
    runner.budget.step(match input {
        Value::String(text) => text.len() / 64,
        Value::Array(values) => values.len() / 8,
        Value::Object(map) => map.len(),
        _ => 0,
    })?;
    let Some(argument) = arguments.first() else {
        let value = plain(runner, name, input)?;
        return value.map_or(Ok(()), |value| sink(runner, &value));
    };
    match name {
        "select" => runner.evaluate(argument, input, &mut |runner, truth| {
            if is_true(truth) { sink(runner, input) } else { Ok(()) }
        }),
        "map" => {
            let mut values = Vec::new();
            for member in members(input)? {
                values.append(&mut runner.collect(argument, member)?);
            }
            sink(runner, &Value::Array(values))
        }
        "sort_by" | "max_by" | "min_by" => {
            let Value::Array(values) = input else { return Err(Leave::Failed) };
            let mut keyed = Vec::with_capacity(values.len());
            for value in values {
                keyed.push((Value::Array(runner.collect(argument, value)?), runner.copy(value)?));
            }
            runner.budget.step(keyed.len().saturating_mul(16))?;
            keyed.sort_by(|(left, _), (right, _)| compare(left, right));
            if name == "sort_by" {
                let values = keyed.into_iter().map(|(_, value)| value).collect();
                return sink(runner, &Value::Array(values));
            }
            let found = if name == "max_by" { keyed.last() } else { keyed.first() };
            sink(runner, found.map_or(&Value::Null, |(_, value)| value))
        }
        "first" => match runner.first(argument, input)? {
            Some(value) => sink(runner, &value),
            None => Ok(()),
        },
        "last" => match runner.collect(argument, input)?.last() {
            Some(value) => sink(runner, value),
            None => Ok(()),
        },
        _ => runner.evaluate(argument, input, &mut |runner, argument| {
            let value = with_text(runner, name, input, argument)?;
            sink(runner, &value)
        }),
    }
}

fn members(value: &Value) -> Result<Vec<&Value>, Leave> {
    match value {
        Value::Array(values) => Ok(values.iter().collect()),
        Value::Object(map) => Ok(map.values().collect()),
        _ => Err(Leave::Failed),
    }
}

/// Functions without arguments; `empty` has no value.
fn plain(runner: &mut Runner<'_>, name: &str, input: &Value) -> Result<Option<Value>, Leave> {
    Ok(Some(match (name, input) {
        ("empty", _) => return Ok(None),
        ("tostring", Value::String(_)) | ("tonumber", Value::Number(_)) => runner.copy(input)?,
        ("not", _) => (!is_true(input)).into(),
        ("length", Value::Null) => 0.into(),
        ("length", Value::Number(_)) => {
            return Err(Stopped::unsupported("jq", "the length of a number").into());
        }
        ("length", Value::String(text)) => text.chars().count().into(),
        ("length", Value::Array(values)) => values.len().into(),
        ("length", Value::Object(map)) => map.len().into(),
        ("keys", Value::Array(values)) => {
            runner.budget.hold_each(values.len(), 32)?;
            (0..values.len()).collect()
        }
        ("keys", Value::Object(map)) => {
            runner.budget.hold_each(map.len(), 64)?;
            let mut names: Vec<&String> = map.keys().collect();
            names.sort();
            names.into_iter().cloned().collect()
        }
        ("first", Value::Array(values)) => runner.copy(values.first().unwrap_or(&Value::Null))?,
        ("last", Value::Array(values)) => runner.copy(values.last().unwrap_or(&Value::Null))?,
        ("sort" | "reverse", Value::Array(values)) => {
            runner.budget.step(values.len().saturating_mul(16))?;
            let Value::Array(mut values) = runner.copy(input)? else { return Err(Leave::Failed) };
            if name == "reverse" {
                values.reverse();
            } else {
                values.sort_by(compare);
            }
            Value::Array(values)
        }
        ("tostring", _) => {
            runner.budget.hold(weight(input))?;
            input.to_string().into()
        }
        ("tonumber", Value::String(text)) => {
            let value: Value = serde_json::from_str(text).map_err(|_| Leave::Failed)?;
            if value.is_number() { value } else { return Err(Leave::Failed) }
        }
        _ => return Err(Leave::Failed),
    }))
}

fn with_text(
    runner: &mut Runner<'_>,
    name: &str,
    input: &Value,
    argument: &Value,
) -> Result<Value, Leave> {
    Ok(match (name, input, argument) {
        ("join", Value::Array(values), Value::String(separator)) => {
            runner.budget.hold_each(values.len(), 48 + separator.len())?;
            let mut parts = Vec::with_capacity(values.len());
            for value in values {
                parts.push(match value {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    Value::Array(_) | Value::Object(_) => return Err(Leave::Failed),
                    other => other.to_string(),
                });
            }
            let text = parts.join(separator);
            runner.budget.hold(text.len())?;
            text.into()
        }
        ("ltrimstr", Value::String(text), Value::String(part)) => {
            text.strip_prefix(part.as_str()).unwrap_or(text).into()
        }
        ("rtrimstr", Value::String(text), Value::String(part)) => {
            text.strip_suffix(part.as_str()).unwrap_or(text).into()
        }
        ("ltrimstr" | "rtrimstr", _, _) => runner.copy(input)?,
        ("startswith", Value::String(text), Value::String(part)) => text.starts_with(part).into(),
        ("endswith", Value::String(text), Value::String(part)) => text.ends_with(part).into(),
        ("split", Value::String(text), Value::String(_)) if text.is_empty() => {
            Value::Array(Vec::new())
        }
        ("split", Value::String(text), Value::String(part)) if part.is_empty() => {
            runner.budget.hold_each(text.len(), 64)?;
            text.chars().map(String::from).collect()
        }
        ("split", Value::String(text), Value::String(part)) => {
            runner.budget.hold_each(text.matches(part.as_str()).count(), 64)?;
            runner.budget.hold(text.len())?;
            text.split(part.as_str()).collect()
        }
        ("test", Value::String(text), Value::String(pattern)) => {
            matches(runner, text, pattern)?.into()
        }
        _ => return Err(Leave::Failed),
    })
}

fn matches(runner: &mut Runner<'_>, text: &str, pattern: &str) -> Result<bool, Leave> {
    if let Some((known, search)) = &runner.pattern
        && known == pattern
    {
        return Ok(search.is_match(text, runner.budget)?);
    }
    let search = Search::compile(pattern, runner.budget)?;
    let search =
        search.ok_or_else(|| Stopped::unsupported("jq", format!("the pattern {pattern}")))?;
    let found = search.is_match(text, runner.budget)?;
    runner.pattern = Some((pattern.to_owned(), search));
    Ok(found)
}

/// The sum of two values. Only texts are joined.
pub(super) fn add(runner: &mut Runner<'_>, left: &Value, right: &Value) -> Result<Value, Leave> {
    match (left, right) {
        (Value::Null, other) | (other, Value::Null) => runner.copy(other),
        (Value::String(left), Value::String(right)) => {
            runner.budget.hold(left.len() + right.len())?;
            Ok(format!("{left}{right}").into())
        }
        _ => Err(Stopped::unsupported("jq", "the sum of these values").into()),
    }
}
