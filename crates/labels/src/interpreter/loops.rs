//! `for`, `while` and `until`.

use super::{Flow, Input, Interrupt, Shell, Sink, Value, statements::FlowResult};
use crate::{
    Stopped,
    syntax::{Script, Statement, Word},
};

impl Shell<'_> {
    pub(super) fn loop_over(
        &mut self,
        name: &str,
        words: &[Word],
        body: &Script,
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        let mut values = Vec::new();
        for word in words {
            match self.fields(word) {
                Ok(fields) => values.extend(fields),
                Err(stopped) => {
                    self.variables.insert(name.to_owned(), Err(stopped.clone()));
                    self.undecided_loop(&[body], stopped, output)?;
                    return Ok(Flow::Next);
                }
            }
        }
        self.status = Ok(0);
        for value in values {
            self.budget.step(1).map_err(Interrupt::Limit)?;
            self.variables.insert(name.to_owned(), Ok(Value::Text(value)));
            if let Some(flow) = self.turn(body, &[body], Some(name), input, output)? {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn repeat(
        &mut self,
        negated: bool,
        condition: &Script,
        body: &Script,
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        loop {
            self.budget.step(1).map_err(Interrupt::Limit)?;
            let flow = self.run(condition, input, output)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
            match self.status.clone() {
                Ok(status) if (status == 0) == negated => {
                    self.status = Ok(0);
                    return Ok(Flow::Next);
                }
                Ok(_) => {}
                Err(stopped) => {
                    self.undecided_loop(&[condition, body], stopped, output)?;
                    return Ok(Flow::Next);
                }
            }
            if let Some(flow) = self.turn(body, &[condition, body], None, input, output)? {
                return Ok(flow);
            }
        }
    }

    /// Runs one turn of a loop. Something is returned if it was the last one. If it is not known
    /// whether it was, neither is the value that the loop's variable, `name`, ends with.
    fn turn(
        &mut self,
        body: &Script,
        parts: &[&Script],
        name: Option<&str>,
        input: &Input,
        output: &mut Sink,
    ) -> Result<Option<Flow>, Interrupt> {
        match self.run(body, input, output) {
            Ok(Flow::Next | Flow::Continue(0 | 1)) => Ok(None),
            Ok(Flow::Break(0 | 1)) => Ok(Some(Flow::Next)),
            Ok(Flow::Break(count)) => Ok(Some(Flow::Break(count - 1))),
            Ok(Flow::Continue(count)) => Ok(Some(Flow::Continue(count - 1))),
            Ok(flow) => Ok(Some(flow)),
            Err(Interrupt::Loop(stopped)) => {
                if let Some(name) = name {
                    self.variables.insert(name.to_owned(), Err(stopped.clone()));
                }
                self.undecided_loop(parts, stopped, output)?;
                Ok(Some(Flow::Next))
            }
            Err(other) => Err(other),
        }
    }

    fn undecided_loop(
        &mut self,
        parts: &[&Script],
        stopped: Stopped,
        output: &mut Sink,
    ) -> Result<(), Interrupt> {
        let parts: Vec<&[Statement]> = parts.iter().map(|part| &***part).collect();
        match self.undecided(&parts, stopped, output) {
            // Leaving this loop early changes no more than its variables.
            Err(Interrupt::Loop(_)) | Ok(()) => Ok(()),
            Err(other) => Err(other),
        }
    }
}
