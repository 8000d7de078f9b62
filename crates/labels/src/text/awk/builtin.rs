//! The functions of the language. Positions and lengths are counted in characters, from 1.

use std::collections::HashMap;

use super::format;
use super::machine::Machine;
use super::record::Separator;
use super::replace::replace;
use super::tree::Expression;
use super::value::{Value, refuse};
use crate::{Budget, Stopped};

impl Machine<'_> {
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
        budget: &mut Budget,
    ) -> Result<Value, Stopped> {
        match (name, arguments) {
            ("sub" | "gsub", [pattern, replacement]) => {
                let record = Expression::Field(Box::new(Expression::Number(0.0)));
                self.substitute(name == "gsub", pattern, replacement, &record, budget)
            }
            ("sub" | "gsub", [pattern, replacement, target]) if target.is_target() => {
                self.substitute(name == "gsub", pattern, replacement, target, budget)
            }
            ("match", [text, pattern]) => self.find(text, pattern, budget),
            ("split", [text, Expression::Variable(array)]) => self.split(text, array, None, budget),
            ("split", [text, Expression::Variable(array), separator]) => {
                self.split(text, array, Some(separator), budget)
            }
            ("length", []) => Ok(length(&self.record.text())),
            ("length", [Expression::Variable(array)]) if self.arrays.contains_key(array) => {
                Ok(Value::count(self.arrays.get(array).map_or(0, HashMap::len)))
            }
            _ => {
                let values = self.evaluate_all(arguments, budget)?;
                plain(name, &values, budget)
            }
        }
    }

    fn substitute(
        &mut self,
        all: bool,
        pattern: &Expression,
        replacement: &Expression,
        target: &Expression,
        budget: &mut Budget,
    ) -> Result<Value, Stopped> {
        let pattern = self.pattern(pattern, budget)?;
        let replacement = self.evaluate(replacement, budget)?.to_text();
        let text = self.evaluate(target, budget)?.to_text();
        let (text, count) = replace(&pattern, &replacement, &text, all, budget)?;
        if count > 0 {
            self.set(target, Value::text(text), budget)?;
        }
        Ok(Value::count(count))
    }

    fn find(
        &mut self,
        text: &Expression,
        pattern: &Expression,
        budget: &mut Budget,
    ) -> Result<Value, Stopped> {
        let text = self.evaluate(text, budget)?.to_text();
        let pattern = self.pattern(pattern, budget)?;
        let (start, length) = match pattern.find(&text, 0, budget)? {
            Some(found) => {
                let before = text.get(..found.start).unwrap_or_default();
                let inside = text.get(found).unwrap_or_default();
                let start = Value::count(before.chars().count() + 1);
                (start, Value::count(inside.chars().count()))
            }
            None => (Value::Number(0.0), Value::Number(-1.0)),
        };
        self.variables.insert("RSTART".to_owned(), start.clone());
        self.variables.insert("RLENGTH".to_owned(), length);
        Ok(start)
    }

    fn split(
        &mut self,
        text: &Expression,
        array: &str,
        separator: Option<&Expression>,
        budget: &mut Budget,
    ) -> Result<Value, Stopped> {
        let text = self.evaluate(text, budget)?.to_text();
        let separator = match separator {
            Some(Expression::Regex(pattern)) => Separator::Pattern(pattern.clone()),
            Some(separator) => {
                let separator = self.evaluate(separator, budget)?.to_text();
                self.separator(&separator, budget)?
            }
            None => {
                let separator = self.text_of("FS");
                self.separator(&separator, budget)?
            }
        };
        let parts = separator.split(&text, budget)?;
        let count = parts.len();
        budget.step(count)?;
        budget.hold_each(count, 96)?;
        let numbered = (1_usize..).zip(parts);
        let elements = numbered.map(|(number, part)| (number.to_string().into(), part)).collect();
        self.arrays.insert(array.to_owned(), elements);
        Ok(Value::count(count))
    }
}

/// The functions that only need values.
fn plain(name: &str, values: &[Value], budget: &mut Budget) -> Result<Value, Stopped> {
    let work: usize = values.iter().map(|value| value.to_text().len()).sum();
    budget.step(1 + work / 16)?;
    budget.hold(work)?;
    Ok(match (name, values) {
        ("length", [value]) => length(value),
        ("int", [value]) => Value::Number(value.to_number().trunc()),
        ("tolower", [value]) => Value::text(value.to_text().to_ascii_lowercase()),
        ("toupper", [value]) => Value::text(value.to_text().to_ascii_uppercase()),
        ("index", [text, part]) => {
            let text = text.to_text();
            let before = text.find(&*part.to_text()).and_then(|at| text.get(..at));
            before.map_or(Value::Number(0.0), |before| Value::count(before.chars().count() + 1))
        }
        ("substr", [text, from]) => substring(text, from, i64::MAX),
        ("substr", [text, from, length]) => substring(text, from, length.to_index()),
        ("sprintf", [format, values @ ..]) => {
            Value::text(format::format(&format.to_text(), values, budget)?)
        }
        _ => return Err(refuse(format_args!("this call of {name}"))),
    })
}

fn length(value: &Value) -> Value {
    Value::count(value.to_text().chars().count())
}

/// A start before the first character is the first character, and does not shorten the part.
fn substring(text: &Value, from: &Value, length: i64) -> Value {
    let text = text.to_text();
    let skipped = usize::try_from(from.to_index().saturating_sub(1)).unwrap_or(0);
    let length = usize::try_from(length).unwrap_or(0);
    Value::text(text.chars().skip(skipped).take(length).collect::<String>())
}
