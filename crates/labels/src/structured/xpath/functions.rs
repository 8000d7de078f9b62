//! The functions of `XPath`.

use super::super::failure::Failure;
use super::super::scanner::is_blank;
use super::super::tree::{Dialect, Kind, split_name};
use super::evaluator::{Context, Evaluator};
use super::value::Value;
use crate::Stopped;

pub(super) fn call(
    evaluator: &mut Evaluator<'_>,
    name: &str,
    arguments: &[Value],
    context: Context,
) -> Result<Value, Failure> {
    let current = Value::Nodes(vec![context.node]);
    let value = match (name, arguments) {
        #[expect(clippy::cast_precision_loss, reason = "documents are far smaller")]
        ("last", []) => Value::Number(context.size as f64),
        #[expect(clippy::cast_precision_loss, reason = "documents are far smaller")]
        ("position", []) => Value::Number(context.position as f64),
        #[expect(clippy::cast_precision_loss, reason = "documents are far smaller")]
        ("count", [Value::Nodes(nodes)]) => Value::Number(nodes.len() as f64),
        ("true", []) => Value::Truth(true),
        ("false", []) => Value::Truth(false),
        ("not", [value]) => Value::Truth(!value.truth()),
        ("string", []) => Value::Text(evaluator.text(&current)?),
        ("string", [value]) => Value::Text(evaluator.text(value)?),
        ("number", []) => Value::Number(evaluator.number(&current)?),
        ("number", [value]) => Value::Number(evaluator.number(value)?),
        ("name" | "local-name", []) => node_name(evaluator, name, &current)?,
        ("name" | "local-name", [value]) => node_name(evaluator, name, value)?,
        ("normalize-space", []) => normalize(evaluator, &current)?,
        ("normalize-space", [value]) => normalize(evaluator, value)?,
        ("string-length", []) => length(evaluator, &current)?,
        ("string-length", [value]) => length(evaluator, value)?,
        ("concat", values) if values.len() > 1 => {
            let mut text = String::new();
            for value in values {
                text.push_str(&evaluator.text(value)?);
            }
            Value::Text(text)
        }
        ("starts-with", [text, start]) => {
            let (text, start) = (evaluator.text(text)?, evaluator.text(start)?);
            Value::Truth(text.starts_with(&start))
        }
        ("contains", [text, part]) => {
            let (text, part) = (evaluator.text(text)?, evaluator.text(part)?);
            Value::Truth(text.contains(&part))
        }
        ("substring-before" | "substring-after", [text, part]) => {
            let (text, part) = (evaluator.text(text)?, evaluator.text(part)?);
            Value::Text(around(evaluator.dialect, name, &text, &part).to_owned())
        }
        ("substring", [text, start]) => {
            let (text, start) = (evaluator.text(text)?, evaluator.number(start)?);
            Value::Text(substring(&text, start, f64::INFINITY))
        }
        ("substring", [text, start, length]) => {
            let (text, start) = (evaluator.text(text)?, evaluator.number(start)?);
            Value::Text(substring(&text, start, evaluator.number(length)?))
        }
        ("translate", [text, from, to]) => {
            let (text, from) = (evaluator.text(text)?, evaluator.text(from)?);
            let to: Vec<char> = evaluator.text(to)?.chars().collect();
            evaluator.budget.step(text.len().saturating_mul(from.len() + 1))?;
            Value::Text(translate(&text, &from, &to))
        }
        _ => return Err(unknown(name)),
    };
    Ok(value)
}

/// A known function with wrong arguments is refused; the others may exist.
fn unknown(name: &str) -> Failure {
    const KNOWN: [&str; 19] = [
        "last", "position", "count", "true", "false", "not", "string", "number", "name",
        "local-name", "normalize-space", "string-length", "concat", "starts-with", "contains",
        "substring-before", "substring-after", "substring", "translate",
    ];
    if KNOWN.contains(&name) {
        Failure::Refused
    } else {
        Stopped::unsupported("XPath", format!("the function {name}")).into()
    }
}

fn node_name(
    evaluator: &mut Evaluator<'_>,
    function: &str,
    value: &Value,
) -> Result<Value, Failure> {
    let Value::Nodes(nodes) = value else { return Err(Failure::Refused) };
    let Some(first) = nodes.first() else { return Ok(Value::Text(String::new())) };
    let document = evaluator.document;
    let name = document.name(*first);
    let (prefix, local) = split_name(name);
    let whole = match evaluator.dialect {
        _ if function == "name" => true,
        Dialect::Perl => false,
        // libxml2 leaves an undeclared prefix in the name.
        Dialect::Libxml => document.namespace(*first, prefix).is_none(),
    };
    if evaluator.dialect == Dialect::Perl
        && !matches!(document.node(*first).kind, Kind::Element(_) | Kind::Attribute(..))
    {
        return Err(Failure::Refused);
    }
    Ok(Value::Text(if whole { name } else { local }.to_owned()))
}

fn normalize(evaluator: &mut Evaluator<'_>, value: &Value) -> Result<Value, Failure> {
    let text = evaluator.text(value)?;
    let words: Vec<&str> = match evaluator.dialect {
        Dialect::Perl => text.split_whitespace().collect(),
        Dialect::Libxml => text.split(is_blank).filter(|word| !word.is_empty()).collect(),
    };
    Ok(Value::Text(words.join(" ")))
}

fn length(evaluator: &mut Evaluator<'_>, value: &Value) -> Result<Value, Failure> {
    #[expect(clippy::cast_precision_loss, reason = "texts are far shorter")]
    let length = evaluator.text(value)?.chars().count() as f64;
    Ok(Value::Number(length))
}

fn around<'text>(dialect: Dialect, name: &str, text: &'text str, part: &str) -> &'text str {
    let Some((mut before, mut after)) = text.split_once(part) else { return "" };
    if dialect == Dialect::Perl {
        // Perl's module searches with a pattern whose dots do not match line breaks.
        before = before.rsplit('\n').next().unwrap_or_default();
        after = after.split('\n').next().unwrap_or_default();
    }
    if name == "substring-before" { before } else { after }
}

fn substring(text: &str, start: f64, length: f64) -> String {
    let start = (start + 0.5).floor();
    let end = start + (length + 0.5).floor();
    let mut position = 0.0;
    let inside = |_: &char| {
        position += 1.0;
        position >= start && position < end
    };
    text.chars().filter(inside).collect()
}

fn translate(text: &str, from: &str, to: &[char]) -> String {
    let replace = |character| match from.chars().position(|candidate| candidate == character) {
        Some(index) => to.get(index).copied(),
        None => Some(character),
    };
    text.chars().filter_map(replace).collect()
}
