//! Parts of texts and lists, by number.

use super::{Shell, Value};
use crate::{
    Stopped,
    syntax::{Part, Word},
};

impl Shell<'_> {
    /// Applies `[…]`, one after the other.
    pub(super) fn subscripted(
        &mut self,
        mut value: Value,
        subscripts: &[Word],
    ) -> Result<Value, Stopped> {
        for subscript in subscripts {
            let text = self.scalar(subscript)?;
            self.budget.step(value.size())?;
            value = match text.as_str() {
                "@" | "*" => value,
                _ if text.starts_with('(') => {
                    return Err(Stopped::Unsupported(format!("[{text}] is not supported")));
                }
                _ => {
                    if let Some((first, last)) = text.split_once(',') {
                        let (first, last) = (self.number(first)?, self.number(last)?);
                        range(value, first, last)
                    } else {
                        let number = self.number(&text)?;
                        element(value, number)
                    }
                }
            };
        }
        Ok(value)
    }

    fn number(&mut self, text: &str) -> Result<i64, Stopped> {
        self.arithmetic(&vec![Part::Quoted(text.to_owned())])
    }
}

/// The element with this number, from 1, or from the end with a negative number.
fn element(value: Value, number: i64) -> Value {
    let text = match value {
        Value::Text(text) => {
            let characters: Vec<char> = text.chars().collect();
            index(characters.len(), number)
                .and_then(|at| characters.get(at).copied())
                .map(String::from)
        }
        Value::List(mut list) => {
            index(list.len(), number).filter(|at| *at < list.len()).map(|at| list.swap_remove(at))
        }
    };
    Value::Text(text.unwrap_or_default())
}

fn index(length: usize, number: i64) -> Option<usize> {
    match number {
        1.. => usize::try_from(number - 1).ok(),
        0 => None,
        _ => length.checked_sub(usize::try_from(number.unsigned_abs()).ok()?),
    }
}

fn range(value: Value, first: i64, last: i64) -> Value {
    let bounds = |length: usize| {
        let from = if first == 0 { 0 } else { index(length, first).unwrap_or(0) };
        let to = match last {
            1.. => usize::try_from(last).unwrap_or(length).min(length),
            0 => 0,
            _ => index(length, last).map_or(0, |at| at + 1),
        };
        (from.min(to), to)
    };
    match value {
        Value::Text(text) => {
            let characters: Vec<char> = text.chars().collect();
            let (from, to) = bounds(characters.len());
            Value::Text(characters.get(from..to).unwrap_or(&[]).iter().collect())
        }
        Value::List(list) => {
            let (from, to) = bounds(list.len());
            Value::List(list.get(from..to).unwrap_or(&[]).to_vec())
        }
    }
}

/// `${name:offset:length}`, which counts from 0.
pub(super) fn slice(value: Value, offset: i64, length: Option<i64>) -> Result<Value, Stopped> {
    let bounds = |total: usize| -> Result<(usize, usize), Stopped> {
        let all = i64::try_from(total).unwrap_or(i64::MAX);
        let from = if offset < 0 { all.saturating_add(offset).max(0) } else { offset.min(all) };
        let to = match length {
            None => all,
            Some(length) if length < 0 => all.saturating_add(length),
            Some(length) => from.saturating_add(length).min(all),
        };
        if to < from {
            return Err(Stopped::Unsupported("a part of a text with a negative length".to_owned()));
        }
        Ok((usize::try_from(from).unwrap_or(0), usize::try_from(to).unwrap_or(0)))
    };
    Ok(match value {
        Value::Text(text) => {
            let characters: Vec<char> = text.chars().collect();
            let (from, to) = bounds(characters.len())?;
            Value::Text(characters.get(from..to).unwrap_or(&[]).iter().collect())
        }
        Value::List(list) => {
            let (from, to) = bounds(list.len())?;
            Value::List(list.get(from..to).unwrap_or(&[]).to_vec())
        }
    })
}
