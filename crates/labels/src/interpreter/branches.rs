//! `if` and `case`, and what becomes of branches that cannot be decided.

use super::{Effects, Flow, Input, Interrupt, Shell, Sink, statements::FlowResult};
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
    ) -> FlowResult {
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
    ) -> FlowResult {
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
        // On a Mac of which nothing is known, a run that ends itself installs nothing: the label's
        // values are those of the runs that go on.
        let may_go_on = !self.mac.is_described() && self.subshells == 0;
        for statements in possible {
            let effects = self.effects(statements);
            self.budget.step(effects.looked_at).map_err(Interrupt::Limit)?;
            leaves |= effects.leaves_loop;
            ends |= effects.returns || effects.runs_text || (effects.ends && !may_go_on);
            self.forget(effects, &stopped, output);
        }
        match (ends, leaves) {
            (true, _) if self.is_over() => Err(Interrupt::Limit(stopped)),
            (true, _) => Err(Interrupt::Run(stopped)),
            (false, true) => Err(Interrupt::Loop(stopped)),
            (false, false) => Ok(()),
        }
    }

    /// Makes everything unknown that statements could change.
    pub(crate) fn forget(&mut self, effects: Effects, stopped: &Stopped, output: &mut Sink) {
        if effects.runs_text {
            self.variables.forget(stopped);
        }
        for name in effects.names {
            self.variables.insert(name, Err(stopped.clone()));
        }
        if effects.prints || effects.runs_text {
            output.taint(stopped.clone());
        }
        self.status = Err(stopped.clone());
    }
}
