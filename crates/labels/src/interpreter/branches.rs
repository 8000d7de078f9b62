//! `if` and `case`, and what becomes of branches that cannot be decided.

use super::{Flow, Input, Interrupt, Shell, Sink, assigned_in, statements::Outcome};
use crate::{
    Stopped,
    syntax::{Script, Statement, Word},
};

impl Shell<'_> {
    pub(super) fn branches(
        &mut self,
        branches: &[(Script, Script)],
        otherwise: Option<&Script>,
        input: &Input,
        output: &mut Sink,
    ) -> Outcome {
        for (index, (condition, body)) in branches.iter().enumerate() {
            let flow = self.run(condition, input, output)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
            match self.status.clone() {
                Ok(0) => return self.run(body, input, output),
                Ok(_) => {}
                Err(stopped) => {
                    let mut possible: Vec<&[Statement]> = vec![body];
                    for (condition, body) in branches.iter().skip(index + 1) {
                        possible.extend([&**condition, &**body]);
                    }
                    possible.extend(otherwise.map(|body| &**body));
                    self.undecided(&possible, stopped, output)?;
                    return Ok(Flow::Next);
                }
            }
        }
        self.status = Ok(0);
        match otherwise {
            Some(body) => self.run(body, input, output),
            None => Ok(Flow::Next),
        }
    }

    pub(super) fn case(
        &mut self,
        word: &Word,
        arms: &[(Vec<Word>, Script)],
        input: &Input,
        output: &mut Sink,
    ) -> Outcome {
        let text = self.scalar(word);
        for (index, (patterns, body)) in arms.iter().enumerate() {
            let mut fits = Ok(false);
            for pattern in patterns {
                fits = match &text {
                    Ok(text) => self.matches(pattern, text),
                    Err(stopped) => Err(stopped.clone()),
                };
                if !matches!(fits, Ok(false)) {
                    break;
                }
            }
            match fits {
                Ok(true) => {
                    self.status = Ok(0);
                    return self.run(body, input, output);
                }
                Ok(false) => {}
                Err(stopped) => {
                    let possible: Vec<&[Statement]> =
                        arms.iter().skip(index).map(|(_, body)| &**body).collect();
                    self.undecided(&possible, stopped, output)?;
                    return Ok(Flow::Next);
                }
            }
        }
        self.status = Ok(0);
        Ok(Flow::Next)
    }

    /// It is not known which of these statements run: what they could assign is unknown.
    pub(super) fn undecided(
        &mut self,
        possible: &[&[Statement]],
        stopped: Stopped,
        output: &mut Sink,
    ) -> Result<(), Interrupt> {
        let (mut leaves, mut ends) = (false, false);
        for statements in possible {
            let effects = assigned_in(statements);
            for name in effects.names {
                self.variables.insert(name, Err(stopped.clone()));
            }
            if effects.prints {
                output.taint(stopped.clone());
            }
            leaves |= effects.leaves_loop;
            ends |= effects.ends;
        }
        self.status = Err(stopped.clone());
        match (ends, leaves) {
            (true, _) if self.is_over() => Err(Interrupt::Limit(stopped)),
            (true, _) => Err(Interrupt::Run(stopped)),
            (false, true) => Err(Interrupt::Loop(stopped)),
            (false, false) => Ok(()),
        }
    }
}
