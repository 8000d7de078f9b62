//! Reads records from the input.

use std::rc::Rc;

use super::machine::{KEPT, Machine};
use super::record::{Separator, find_text};
use super::refuse::refuse;
use super::value::Value;
use crate::{Budget, Stopped};

impl<'a> Machine<'a> {
    /// Makes the next record of the input the current one, if there is one.
    pub(super) fn next_record(&mut self, budget: &mut Budget) -> Result<bool, Stopped> {
        let Some(text) = self.read(budget)? else { return Ok(false) };
        self.set_record(text.into(), budget)?;
        Ok(true)
    }

    /// Makes a text the current record.
    pub(super) fn set_record(&mut self, text: Rc<str>, budget: &mut Budget) -> Result<(), Stopped> {
        let separator = self.text_of("FS");
        let separator = self.separator(&separator, budget)?;
        let separator = match (&*self.text_of("RS"), separator) {
            // Newlines separate the fields of paragraphs as well.
            ("", Separator::Character(_) | Separator::Pattern(_) | Separator::Nothing) => {
                return Err(refuse("an empty RS with this FS"));
            }
            (_, separator) => separator,
        };
        self.record.set_text(text, separator);
        Ok(())
    }

    /// What a text means as a separator.
    pub(super) fn separator(
        &mut self,
        text: &Rc<str>,
        budget: &mut Budget,
    ) -> Result<Separator, Stopped> {
        if let Some(known) = self.separators.get(text) {
            return Ok(known.clone());
        }
        let separator = Separator::new(text, budget)?;
        if self.separators.len() >= KEPT {
            self.separators.clear();
        }
        self.separators.insert(Rc::clone(text), separator.clone());
        Ok(separator)
    }

    /// Takes the next record from the input and counts it.
    pub(super) fn read(&mut self, budget: &mut Budget) -> Result<Option<&'a str>, Stopped> {
        budget.step(1)?;
        let separator = self.text_of("RS");
        let mut characters = separator.chars();
        let (record, rest) = match (characters.next(), characters.next()) {
            (None, _) => {
                let start = self.rest.trim_start_matches('\n');
                match start.split_once("\n\n") {
                    Some((record, rest)) => (record, rest.trim_start_matches('\n')),
                    None => (start.strip_suffix('\n').unwrap_or(start), ""),
                }
            }
            (Some(only), None) => self.rest.split_once(only).unwrap_or((self.rest, "")),
            _ => {
                let Separator::Pattern(pattern) = self.separator(&separator, budget)? else {
                    return Err(refuse("this RS"));
                };
                match find_text(&pattern, self.rest, 0, budget)? {
                    Some(found) => (
                        self.rest.get(..found.start).unwrap_or_default(),
                        self.rest.get(found.end..).unwrap_or_default(),
                    ),
                    None => (self.rest, ""),
                }
            }
        };
        if self.rest.is_empty() || (separator.is_empty() && record.is_empty()) {
            return Ok(None);
        }
        self.rest = rest;
        for name in ["NR", "FNR"] {
            // A program can make it a text.
            budget.step(self.variables.get(name).map_or(0, Value::steps))?;
            let count = self.variables.get(name).map_or(0.0, Value::to_number);
            self.variables.insert(name.to_owned(), Value::Number(count + 1.0));
        }
        budget.hold(record.len())?;
        Ok(Some(record))
    }
}
