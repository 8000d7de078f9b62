//! Simple commands: assignments, or a command with arguments.

use super::{
    Effects, Flow, Input, Interrupt, Shell, Sink, Value, Variable, sink::Call,
    statements::FlowResult, value::size_of_all,
};
use crate::{
    Stopped,
    syntax::{Assigned, Assignment, Simple},
};

impl Shell<'_> {
    pub(super) fn simple(
        &mut self,
        simple: &Simple,
        redirected: bool,
        errors_to_output: bool,
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        if simple.words.is_empty() {
            // Without a command, the exit status is that of the last substitution.
            self.substituted = false;
            let mut known = true;
            for assignment in &simple.assignments {
                self.assign(assignment)?;
                known &= matches!(self.variables.get(&assignment.name), Some(Ok(_)));
            }
            // An unknown value may have a substitution that was not reached.
            if known && !self.substituted {
                self.status = Ok(0);
            }
            // A redirection without a command copies the input.
            if redirected && simple.assignments.is_empty() {
                match input {
                    Ok(text) => output.push(text),
                    Err(stopped) => output.taint(stopped.clone()),
                }
            }
            return Ok(Flow::Next);
        }
        let mut before = Vec::new();
        for assignment in &simple.assignments {
            before.push((assignment.name.clone(), self.variables.get(&assignment.name).cloned()));
            self.assign(assignment)?;
        }
        let result = self.call(simple, errors_to_output, input, output);
        for (name, value) in before {
            match value {
                Some(value) => self.variables.insert(name, value),
                None => self.variables.remove(&name),
            }
        }
        result
    }

    fn call(
        &mut self,
        simple: &Simple,
        errors_to_output: bool,
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        let mut words = Vec::new();
        let mut unknown = None;
        for word in &simple.words {
            match self.fields(word) {
                Ok(fields) => words.extend(fields),
                Err(stopped) if self.is_over() => return Err(Interrupt::Limit(stopped)),
                Err(stopped) => unknown = unknown.or(Some(stopped)),
            }
        }
        if let Some(stopped) = unknown {
            return self.unknown_call(simple, stopped, output);
        }
        for assignment in &simple.declared {
            self.assign(assignment)?;
        }
        let Some((name, arguments)) = words.split_first() else {
            // Nothing is left of the words: there is no command.
            return Ok(Flow::Next);
        };
        self.command(Call { name, arguments, input, errors_to_output }, output)
    }

    /// A command with an argument that is not known: what it prints is not known either.
    fn unknown_call(&mut self, simple: &Simple, stopped: Stopped, output: &mut Sink) -> FlowResult {
        let effects = self.effects_of_call(simple);
        let Effects { ends, returns, runs_text, .. } = effects;
        self.forget(effects, &stopped, output);
        if runs_text {
            return Err(Interrupt::Run(stopped));
        }
        Ok(match (ends, returns) {
            (true, _) => Flow::Exit,
            (false, true) => Flow::Return,
            (false, false) => Flow::Next,
        })
    }

    pub(super) fn assign(&mut self, assignment: &Assignment) -> Result<(), Interrupt> {
        self.budget.step(1).map_err(Interrupt::Limit)?;
        let value = self.assigned(assignment);
        if let Err(stopped) = &value {
            if self.is_over() {
                return Err(Interrupt::Limit(stopped.clone()));
            }
            self.status = Err(stopped.clone());
        }
        self.variables.insert(assignment.name.clone(), value);
        Ok(())
    }

    fn assigned(&mut self, assignment: &Assignment) -> Variable {
        if assignment.has_subscript {
            let why =
                format!("an assignment to an element of {} is not supported", assignment.name);
            return Err(Stopped::Unsupported(why));
        }
        let value = match &assignment.value {
            Assigned::Scalar(word) => Value::Text(self.scalar(word)?),
            Assigned::Array(words) => {
                let mut list = Vec::new();
                for word in words {
                    list.extend(self.fields(word)?);
                }
                Value::List(list)
            }
        };
        if !assignment.append {
            return Ok(value);
        }
        let before = self.variables.get(&assignment.name).cloned().transpose()?;
        Ok(match (before, value) {
            (None, value) => value,
            (Some(Value::Text(mut before)), Value::Text(text)) => {
                before.push_str(&text);
                self.budget.hold(before.len())?;
                Value::Text(before)
            }
            (Some(before), value) => {
                let mut list = before.into_list();
                list.extend(value.into_list());
                self.budget.hold(size_of_all(&list))?;
                Value::List(list)
            }
        })
    }
}
