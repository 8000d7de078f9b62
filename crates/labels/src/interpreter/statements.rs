//! Statements, branches and loops.

use std::rc::Rc;

use super::{Flow, Input, Interrupt, MAX_DEPTH, Shell, Sink, Value, assigned_in};
use crate::{
    Stopped,
    syntax::{Command, Operator, Redirection, Script, Statement, Word},
    trace::Step,
};

pub(super) type Outcome = Result<Flow, Interrupt>;

impl Shell<'_> {
    /// Runs statements in order.
    pub(crate) fn run(
        &mut self,
        statements: &[Statement],
        input: &Input,
        output: &mut Sink,
    ) -> Outcome {
        if self.depth >= MAX_DEPTH {
            return Err(Interrupt::Limit(Stopped::TooMuch("the label nests too deeply")));
        }
        self.depth += 1;
        let mut result = Ok(Flow::Next);
        for statement in statements {
            result = self.statement(statement, input, output);
            if !matches!(result, Ok(Flow::Next)) {
                break;
            }
        }
        self.depth -= 1;
        result
    }

    pub(crate) fn statement(
        &mut self,
        statement: &Statement,
        input: &Input,
        output: &mut Sink,
    ) -> Outcome {
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
            Command::Function { name, body } => {
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
    ) -> Outcome {
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
        let variables = self.variables.clone();
        let result = self.run(statements, input, output);
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
    ) -> Outcome {
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

    fn branches(
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

    fn case(
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

    fn loop_over(
        &mut self,
        name: &str,
        words: &[Word],
        body: &Script,
        input: &Input,
        output: &mut Sink,
    ) -> Outcome {
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
            if let Some(flow) = self.turn(body, &[body], input, output)? {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        negated: bool,
        condition: &Script,
        body: &Script,
        input: &Input,
        output: &mut Sink,
    ) -> Outcome {
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
            if let Some(flow) = self.turn(body, &[condition, body], input, output)? {
                return Ok(flow);
            }
        }
    }

    /// Runs one turn of a loop. Something is returned if it was the last one.
    fn turn(
        &mut self,
        body: &Script,
        parts: &[&Script],
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
            (true, _) => Err(Interrupt::run(stopped)),
            (false, true) => Err(Interrupt::Loop(stopped)),
            (false, false) => Ok(()),
        }
    }
}
