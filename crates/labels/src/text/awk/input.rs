//! Reads records from the input.

use std::rc::Rc;

use super::machine::{KEPT, Machine};
use super::record::Separator;
use super::value::{Value, refuse};
use crate::{Budget, Stopped};

impl<'a> Machine<'a> {
    /// Makes the next record of the input the current one, if there is one.
    pub(super) fn next_record(&mut self, budget: &mut Budget) -> Result<bool, Stopped> {
        let Some(text) = self.read(budget)? else { return Ok(false) };
        self.set_record(text.into(), budget)?;
        Ok(true)
    }

    pub(super) fn set_record(&mut self, text: Rc<str>, budget: &mut Budget) -> Result<(), Stopped> {
        let separator = self.text_of("FS");
        let separator = self.separator(&separator, budget)?;
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
    fn read(&mut self, budget: &mut Budget) -> Result<Option<&'a str>, Stopped> {
        budget.step(1)?;
        let separator = self.text_of("RS");
        let mut characters = separator.chars();
        let (Some(separator), None) = (characters.next(), characters.next()) else {
            return Err(refuse("an RS that is not one character"));
        };
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (record, rest) = self.rest.split_once(separator).unwrap_or((self.rest, ""));
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
