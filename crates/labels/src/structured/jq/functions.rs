//! The functions of `jq` that read values.

use serde_json::Value;

use super::order::compare;
use super::parser::Filter;
use super::runner::{Leave, Runner, Sink, is_true, weight};
use crate::{Stopped, search::Search};

/// Calls a function.
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
        "map" | "any" | "all" => {
            let mut values = Vec::new();
            for member in members(input)? {
                values.append(&mut runner.collect(argument, member)?);
            }
            let value = match name {
                "any" => values.iter().any(is_true).into(),
                "all" => values.iter().all(is_true).into(),
                _ => Value::Array(values),
            };
            sink(runner, &value)
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
        ("empty", _) | ("values", Value::Null) => return Ok(None),
        ("values", _) | ("tostring", Value::String(_)) | ("tonumber", Value::Number(_)) => {
            runner.copy(input)?
        }
        ("not", _) => (!is_true(input)).into(),
        ("type", _) => type_name(input).into(),
        ("length", Value::Null) => 0.into(),
        ("length", Value::Number(value)) => number(value.as_f64().unwrap_or(0.0).abs()),
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
        ("sort" | "unique" | "reverse" | "min" | "max", Value::Array(values)) => {
            runner.budget.step(values.len().saturating_mul(16))?;
            let Value::Array(mut values) = runner.copy(input)? else { return Err(Leave::Failed) };
            if name == "reverse" {
                values.reverse();
            } else {
                values.sort_by(compare);
            }
            match name {
                "min" => values.into_iter().next().unwrap_or_default(),
                "max" => values.pop().unwrap_or_default(),
                "unique" => {
                    values.dedup_by(|left, right| compare(left, right).is_eq());
                    Value::Array(values)
                }
                _ => Value::Array(values),
            }
        }
        ("add", _) => {
            let mut sum = Value::Null;
            for member in members(input)? {
                sum = add(runner, &sum, member)?;
            }
            sum
        }
        ("tostring", _) => {
            runner.budget.hold(weight(input))?;
            input.to_string().into()
        }
        ("tonumber", Value::String(text)) => {
            let value: Value = serde_json::from_str(text).map_err(|_| Leave::Failed)?;
            if value.is_number() { value } else { return Err(Leave::Failed) }
        }
        ("ascii_downcase", Value::String(text)) => text.to_ascii_lowercase().into(),
        ("ascii_upcase", Value::String(text)) => text.to_ascii_uppercase().into(),
        _ => return Err(Leave::Failed),
    }))
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Functions whose argument is one value.
fn with_text(
    runner: &mut Runner<'_>,
    name: &str,
    input: &Value,
    argument: &Value,
) -> Result<Value, Leave> {
    Ok(match (name, input, argument) {
        ("has", Value::Object(map), Value::String(name)) => map.contains_key(name).into(),
        ("has", Value::Array(values), Value::Number(place)) => {
            let place = place.as_u64().and_then(|place| usize::try_from(place).ok());
            place.is_some_and(|place| place < values.len()).into()
        }
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

/// The sum of two values.
pub(super) fn add(runner: &mut Runner<'_>, left: &Value, right: &Value) -> Result<Value, Leave> {
    Ok(match (left, right) {
        (Value::Null, other) | (other, Value::Null) => runner.copy(other)?,
        (Value::Number(left), Value::Number(right)) => {
            number(left.as_f64().unwrap_or(0.0) + right.as_f64().unwrap_or(0.0))
        }
        (Value::String(left), Value::String(right)) => {
            runner.budget.hold(left.len() + right.len())?;
            format!("{left}{right}").into()
        }
        (Value::Array(_), Value::Array(more)) => {
            let mut sum = runner.copy(left)?;
            let more: Vec<Value> =
                more.iter().map(|value| runner.copy(value)).collect::<Result<_, _>>()?;
            if let Value::Array(values) = &mut sum {
                values.extend(more);
            }
            sum
        }
        (Value::Object(_), Value::Object(more)) => {
            let mut sum = runner.copy(left)?;
            for (name, value) in more {
                let value = runner.copy(value)?;
                if let Value::Object(map) = &mut sum {
                    map.insert(name.clone(), value);
                }
            }
            sum
        }
        _ => return Err(Leave::Failed),
    })
}

/// A computed number; without a fraction it is printed as an integer.
pub(super) fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it has no fraction and is small")]
        return (value as i64).into();
    }
    value.into()
}
