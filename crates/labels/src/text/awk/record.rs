//! Records and their fields.

use std::ops::Range;
use std::rc::Rc;

use super::value::{Value, refuse};
use crate::text::pattern::{Mode, Pattern, Syntax};
use crate::{Budget, Stopped};

const FIELDS: usize = 1_000_000;

/// About how many bytes a field takes besides its text.
const FIELD: usize = 64;

#[derive(Clone)]
pub(super) enum Separator {
    /// Runs of blanks and newlines; those at the ends do not count.
    Blanks,
    Character(char),
    Pattern(Rc<Pattern>),
    /// Every character is a field.
    Nothing,
}

impl Separator {
    pub(super) fn new(text: &str, budget: &mut Budget) -> Result<Self, Stopped> {
        let mut characters = text.chars();
        Ok(match (characters.next(), characters.next()) {
            (None, _) => Self::Nothing,
            (Some(' '), None) => Self::Blanks,
            (Some(only), None) => Self::Character(only),
            _ => {
                let pattern =
                    Pattern::compile("awk", &[text], Syntax::AWK, Mode::default(), budget)?;
                Self::Pattern(Rc::new(pattern))
            }
        })
    }

    pub(super) fn split(&self, text: &str, budget: &mut Budget) -> Result<Vec<Value>, Stopped> {
        budget.step(1 + text.len() / 16)?;
        budget.hold(text.len())?;
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let counted = match self {
            Self::Blanks => text.matches([' ', '\t', '\n']).count(),
            Self::Character(only) => text.matches(*only).count(),
            Self::Nothing => text.len(),
            Self::Pattern(_) => 0,
        };
        budget.hold_each(counted, FIELD)?;
        Ok(match self {
            Self::Blanks => {
                let blank = [' ', '\t', '\n'];
                text.split(blank).filter(|it| !it.is_empty()).map(Value::input).collect()
            }
            Self::Character(only) => text.split(*only).map(Value::input).collect(),
            Self::Nothing => {
                let mut buffer = [0; 4];
                text.chars().map(|it| Value::input(&*it.encode_utf8(&mut buffer))).collect()
            }
            Self::Pattern(pattern) => {
                let mut parts = Vec::new();
                let mut start = 0;
                while let Some(found) = find_text(pattern, text, start, budget)? {
                    budget.hold(FIELD)?;
                    parts.push(Value::input(text.get(start..found.start).unwrap_or_default()));
                    start = found.end;
                }
                parts.push(Value::input(text.get(start..).unwrap_or_default()));
                parts
            }
        })
    }
}

fn find_text(
    pattern: &Pattern,
    text: &str,
    from: usize,
    budget: &mut Budget,
) -> Result<Option<Range<usize>>, Stopped> {
    let mut from = from;
    while from <= text.len() {
        match pattern.find(text, from, budget)? {
            Some(found) if found.is_empty() => from = crate::text::pattern::after(text, &found),
            found => return Ok(found),
        }
    }
    Ok(None)
}

/// The current record. It is split when a field is needed.
pub(super) struct Record {
    text: Rc<str>,
    fields: Vec<Value>,
    /// How to split the record, unless it is split.
    unsplit: Option<Separator>,
}

impl Record {
    pub(super) fn new() -> Self {
        Self { text: "".into(), fields: Vec::new(), unsplit: None }
    }

    pub(super) fn set_text(&mut self, text: Rc<str>, separator: Separator) {
        self.text = text;
        self.unsplit = Some(separator);
    }

    /// `$0`.
    pub(super) fn text(&self) -> Value {
        Value::Input(Rc::clone(&self.text))
    }

    /// `NF`.
    pub(super) fn count(&mut self, budget: &mut Budget) -> Result<usize, Stopped> {
        if let Some(separator) = self.unsplit.take() {
            self.fields = separator.split(&self.text, budget)?;
        }
        Ok(self.fields.len())
    }

    /// A field, counted from 1.
    pub(super) fn field(&mut self, number: usize, budget: &mut Budget) -> Result<Value, Stopped> {
        self.count(budget)?;
        let index = number.wrapping_sub(1);
        Ok(self.fields.get(index).cloned().unwrap_or_default())
    }

    /// Sets a field, counted from 1, and makes the record of the fields.
    pub(super) fn set_field(
        &mut self,
        number: usize,
        value: Value,
        separator: &str,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        let count = self.count(budget)?;
        if number > count {
            self.set_count(number, separator, budget)?;
        }
        if let Some(field) = self.fields.get_mut(number.wrapping_sub(1)) {
            *field = value;
        }
        self.join(separator, budget)
    }

    /// Sets `NF`, and makes the record of the fields.
    pub(super) fn set_count(
        &mut self,
        count: usize,
        separator: &str,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        if count > FIELDS {
            return Err(refuse("a record of this many fields"));
        }
        self.count(budget)?;
        budget.step(count)?;
        budget.hold_each(count.saturating_sub(self.fields.len()), FIELD)?;
        self.fields.resize(count, Value::text(""));
        self.join(separator, budget)
    }

    fn join(&mut self, separator: &str, budget: &mut Budget) -> Result<(), Stopped> {
        let mut text = String::new();
        for (index, field) in self.fields.iter().enumerate() {
            if index > 0 {
                text.push_str(separator);
            }
            text.push_str(&field.to_text());
        }
        budget.step(1 + self.fields.len())?;
        budget.hold(text.len())?;
        self.text = text.into();
        Ok(())
    }
}
