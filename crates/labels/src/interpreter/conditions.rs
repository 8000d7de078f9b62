//! Tests between `[[` and `]]`.

use std::ops::Range;

use super::{Shell, Value};
use crate::{
    Mac, Stopped,
    syntax::{Condition, Word},
    text::pattern::{Mode, Pattern, Syntax},
};

impl Shell<'_> {
    pub(super) fn condition(&mut self, condition: &Condition) -> Result<bool, Stopped> {
        self.budget.step(1)?;
        match condition {
            Condition::Not(inner) => self.condition(inner).map(|holds| !holds),
            Condition::All(conditions) => self.until(conditions, false),
            Condition::Any(conditions) => self.until(conditions, true),
            Condition::Unary { operator, word } => {
                let text = self.scalar(word)?;
                test_one(operator, &text, self.mac)
            }
            Condition::Binary { operator, left, right } => self.compare(operator, left, right),
        }
    }

    /// The value of tests in order up to the first with this value. One that is not known counts
    /// only if no later one decides; all later ones are without side effects.
    fn until(&mut self, conditions: &[Condition], value: bool) -> Result<bool, Stopped> {
        let mut unknown = None;
        for condition in conditions {
            match self.condition(condition) {
                Ok(holds) if holds == value => return Ok(value),
                Ok(_) => {}
                Err(stopped) => unknown = unknown.or(Some(stopped)),
            }
        }
        unknown.map_or(Ok(!value), Err)
    }

    fn compare(&mut self, operator: &str, left: &Word, right: &Word) -> Result<bool, Stopped> {
        let text = self.scalar(left)?;
        match operator {
            "==" | "=" => self.matches(right, &text),
            "!=" => self.matches(right, &text).map(|fits| !fits),
            "=~" => self.search(right, &text),
            "<" => Ok(text < self.scalar(right)?),
            ">" => Ok(text > self.scalar(right)?),
            _ => {
                let right = self.scalar(right)?;
                self.compare_numbers(operator, &text, &right)
            }
        }
    }

    fn search(&mut self, pattern: &Word, text: &str) -> Result<bool, Stopped> {
        // Unlike in patterns, quotes change nothing here.
        let expression = self.scalar(pattern)?;
        let (syntax, mode) = (Syntax::GREP_EXTENDED, Mode::default());
        let pattern = Pattern::compile("=~", &[&expression], syntax, mode, self.budget)?;
        let Some(groups) = pattern.capture(text, 0, self.budget)? else { return Ok(false) };
        let text_of = |group: Option<Range<usize>>| {
            group.and_then(|group| text.get(group)).unwrap_or_default().to_owned()
        };
        let mut groups = groups.into_iter().map(text_of);
        let whole = groups.next().unwrap_or_default();
        let groups = groups.collect();
        self.variables.insert("MATCH".to_owned(), Ok(Value::Text(whole)));
        self.variables.insert("match".to_owned(), Ok(Value::List(groups)));
        Ok(true)
    }

    fn compare_numbers(
        &mut self,
        operator: &str,
        left: &str,
        right: &str,
    ) -> Result<bool, Stopped> {
        let order = match (self.calculate(left), self.calculate(right)) {
            (Ok(left), Ok(right)) => left.cmp(&right),
            (left_number, right_number) => {
                match (left.trim().parse::<f64>(), right.trim().parse::<f64>()) {
                    (Ok(left), Ok(right)) if left.is_finite() && right.is_finite() => {
                        left.total_cmp(&right)
                    }
                    _ => left_number?.cmp(&right_number?),
                }
            }
        };
        by_order(operator, order)
    }
}

pub(super) fn by_order(operator: &str, order: std::cmp::Ordering) -> Result<bool, Stopped> {
    match operator {
        "-eq" => Ok(order.is_eq()),
        "-ne" => Ok(order.is_ne()),
        "-lt" => Ok(order.is_lt()),
        "-le" => Ok(order.is_le()),
        "-gt" => Ok(order.is_gt()),
        "-ge" => Ok(order.is_ge()),
        _ => Err(Stopped::Unsupported(format!("the test {operator} is not supported"))),
    }
}

/// Folders in which a new Mac has nothing that a label asks for.
const EMPTY: [&str; 6] =
    ["/Applications/", "/Library/", "/usr/local/", "/opt/", "/Users/", "/private/tmp/"];

pub(super) fn test_one(operator: &str, text: &str, mac: &Mac) -> Result<bool, Stopped> {
    match operator {
        "-n" => Ok(!text.is_empty()),
        "-z" => Ok(text.is_empty()),
        "-a" | "-b" | "-c" | "-d" | "-e" | "-f" | "-g" | "-h" | "-k" | "-L" | "-p" | "-r"
        | "-s" | "-S" | "-u" | "-w" | "-x" => {
            let empty = mac.is_described() && EMPTY.iter().any(|folder| text.starts_with(folder));
            if text.is_empty() || empty {
                return Ok(false);
            }
            Err(Stopped::Unsupported(format!("whether {text} exists is not known")))
        }
        _ => Err(Stopped::Unsupported(format!("the test {operator} is not supported"))),
    }
}
