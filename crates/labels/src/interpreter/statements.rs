//! Statements, pipelines and subshells.

use std::rc::Rc;

use super::{Flow, Input, Interrupt, Shell, Sink};
use crate::{
    Stopped,
    syntax::{Command, Operator, Redirection, Statement, Word},
    trace::Step,
};

pub(super) type FlowResult = Result<Flow, Interrupt>;

impl Shell<'_> {
    pub(crate) fn run(
        &mut self,
        statements: &[Statement],
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        self.budget.enter().map_err(Interrupt::Limit)?;
        let mut result = Ok(Flow::Next);
        for statement in statements {
            result = self.statement(statement, input, output);
            if !matches!(result, Ok(Flow::Next)) {
                break;
            }
        }
        self.budget.leave();
        result
    }

    pub(crate) fn statement(
        &mut self,
        statement: &Statement,
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        self.budget.step(1).map_err(Interrupt::Limit)?;
        if self.trace.is_on()
            && matches!(statement.command, Command::Simple(_) | Command::Condition(_))
        {
            self.trace.step(Step::Statement(statement.text.to_string()));
        }
        let mut own_input = None;
        let mut hidden = None;
        let mut errors_to_output = false;
        for redirection in &statement.redirections {
            match redirection {
                Redirection::HereString(word) => own_input = Some(self.here_string(word)),
                Redirection::Input(word) => own_input = Some(self.file(word)),
                Redirection::OutputAway => hidden = Some(Sink::default()),
                Redirection::ErrorsAway => errors_to_output = false,
                Redirection::ErrorsToOutput => errors_to_output = hidden.is_none(),
            }
        }
        let input = own_input.as_ref().unwrap_or(input);
        let output = hidden.as_mut().unwrap_or(output);
        match &statement.command {
            Command::Simple(simple) => {
                let redirected = !statement.redirections.is_empty();
                self.simple(simple, redirected, errors_to_output, input, output)
            }
            Command::Pipeline { parts, negated } => self.pipeline(parts, *negated, input, output),
            Command::Chain { first, rest } => self.chain(first, rest, input, output),
            Command::If { branches, otherwise } => {
                self.branches(branches, otherwise.as_ref(), input, output)
            }
            Command::Case { word, arms } => self.case(word, arms, input, output),
            Command::For { name, words, body } => self.loop_over(name, words, body, input, output),
            Command::While { negated, condition, body } => {
                self.repeat(*negated, condition, body, input, output)
            }
            Command::Group(body) => self.run(body, input, output),
            Command::Subshell(body) => self.subshell(body, input, output).map(|()| Flow::Next),
            Command::Condition(condition) => {
                self.status = self.condition(condition).map(|holds| u8::from(!holds));
                Ok(Flow::Next)
            }
            Command::Arithmetic(word) => {
                self.status = self.arithmetic(word).map(|number| u8::from(number == 0));
                Ok(Flow::Next)
            }
            Command::Function { name, body, .. } => {
                self.functions.insert(name.clone(), body.clone());
                self.status = Ok(0);
                Ok(Flow::Next)
            }
        }
    }

    fn here_string(&mut self, word: &Word) -> Input {
        let mut text = self.scalar(word)?;
        text.push('\n');
        self.budget.hold(text.len())?;
        Ok(text.into())
    }

    fn file(&mut self, word: &Word) -> Input {
        match self.scalar(word)?.as_str() {
            "/dev/null" => Ok("".into()),
            name => Err(Stopped::Unsupported(format!("the file {name} is not known"))),
        }
    }

    fn pipeline(
        &mut self,
        parts: &[Statement],
        negated: bool,
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        let Some((last, before)) = parts.split_last() else { return Ok(Flow::Next) };
        let mut input = input.clone();
        for part in before {
            let mut sink = Sink::default();
            self.subshell(std::slice::from_ref(part), &input, &mut sink)?;
            input = sink.finish().map(Rc::from);
        }
        let flow = self.statement(last, &input, output)?;
        if negated {
            self.status = self.status.clone().map(|status| u8::from(status == 0));
        }
        Ok(flow)
    }

    /// Runs statements whose assignments do not last.
    pub(super) fn subshell(
        &mut self,
        statements: &[Statement],
        input: &Input,
        output: &mut Sink,
    ) -> Result<(), Interrupt> {
        self.budget.step(1 + self.variables.len() / 8).map_err(Interrupt::Limit)?;
        let variables = self.variables.clone();
        self.subshells += 1;
        let result = self.run(statements, input, output);
        self.subshells -= 1;
        self.variables = variables;
        match result {
            Ok(_) => Ok(()),
            Err(limit @ Interrupt::Limit(_)) => Err(limit),
            Err(interrupt) => {
                let stopped = interrupt.reason();
                output.taint(stopped.clone());
                self.status = Err(stopped);
                Ok(())
            }
        }
    }

    fn chain(
        &mut self,
        first: &Statement,
        rest: &[(Operator, Statement)],
        input: &Input,
        output: &mut Sink,
    ) -> FlowResult {
        let mut flow = self.statement(first, input, output)?;
        for (operator, statement) in rest {
            if flow != Flow::Next {
                return Ok(flow);
            }
            match self.status.clone() {
                Ok(status) if (status == 0) == (*operator == Operator::And) => {
                    flow = self.statement(statement, input, output)?;
                }
                Ok(_) => {}
                Err(stopped) => {
                    self.undecided(&[std::slice::from_ref(statement)], stopped, output)?;
                }
            }
        }
        Ok(flow)
    }
}
