//! Runs the rules over the records of the input.

use std::collections::HashMap;
use std::rc::Rc;

use super::record::{Record, Separator};
use super::tree::{Rule, Statement, When};
use super::value::{Value, refuse};
use crate::text::lines::Printer;
use crate::text::pattern::Pattern;
use crate::{Budget, Output, Stopped};

/// How many separators and patterns that a program makes up are kept.
pub(super) const KEPT: usize = 64;

pub(super) struct Machine<'a> {
    /// What is not read yet.
    pub(super) rest: &'a str,
    pub(super) record: Record,
    pub(super) variables: HashMap<String, Value>,
    pub(super) arrays: HashMap<String, HashMap<Rc<str>, Value>>,
    /// The separators and patterns that texts mean.
    pub(super) separators: HashMap<Rc<str>, Separator>,
    pub(super) patterns: HashMap<Rc<str>, Rc<Pattern>>,
    status: u8,
    /// Whether the program ended with an error.
    pub(super) failed: bool,
    printer: Printer,
}

/// How a list of statements ends.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Normal,
    Break,
    Continue,
    Next,
    Exit,
}

impl<'a> Machine<'a> {
    pub(super) fn new(input: &'a str) -> Self {
        let defaults = [("FS", " "), ("OFS", " "), ("ORS", "\n"), ("RS", "\n")];
        let texts = defaults.map(|(name, value)| (name.to_owned(), Value::text(value)));
        let numbers = ["NR", "FNR", "RSTART"].map(|name| (name.to_owned(), Value::Number(0.0)));
        let length = ("RLENGTH".to_owned(), Value::Number(-1.0));
        Self {
            rest: input,
            record: Record::new(),
            variables: texts.into_iter().chain(numbers).chain([length]).collect(),
            arrays: HashMap::new(),
            separators: HashMap::new(),
            patterns: HashMap::new(),
            status: 0,
            failed: false,
            printer: Printer::default(),
        }
    }

    pub(super) fn assign_text(&mut self, name: &str, text: &str) -> Result<(), Stopped> {
        check_name(name)?;
        self.variables.insert(name.to_owned(), Value::input(text));
        Ok(())
    }

    pub(super) fn run(mut self, rules: &[Rule], budget: &mut Budget) -> Result<Output, Stopped> {
        match self.run_rules(rules, budget) {
            Err(_) if self.failed => Ok(self.printer.finish(2)),
            Err(stopped) => Err(stopped),
            Ok(()) => Ok(self.printer.finish(self.status)),
        }
    }

    fn run_rules(&mut self, rules: &[Rule], budget: &mut Budget) -> Result<(), Stopped> {
        let mut exited = false;
        for rule in rules.iter().filter(|rule| matches!(rule.when, When::Begin)) {
            exited |= self.act(rule, budget)? == Flow::Exit;
            if exited {
                break;
            }
        }
        let reads = rules.iter().any(|rule| !matches!(rule.when, When::Begin));
        let mut ranges = vec![false; rules.len()];
        while reads && !exited && self.next_record(budget)? {
            exited = self.main(rules, &mut ranges, budget)? == Flow::Exit;
        }
        for rule in rules.iter().filter(|rule| matches!(rule.when, When::End)) {
            if self.act(rule, budget)? == Flow::Exit {
                break;
            }
        }
        Ok(())
    }

    fn main(
        &mut self,
        rules: &[Rule],
        ranges: &mut [bool],
        budget: &mut Budget,
    ) -> Result<Flow, Stopped> {
        for (rule, in_range) in rules.iter().zip(ranges) {
            budget.step(1)?;
            let acts = match &rule.when {
                When::Begin | When::End => false,
                When::Always => true,
                When::If(condition) => self.evaluate(condition, budget)?.is_true(),
                When::Range(from, to) => {
                    let inside = *in_range || self.evaluate(from, budget)?.is_true();
                    *in_range = inside && !self.evaluate(to, budget)?.is_true();
                    inside
                }
            };
            if acts {
                match self.act(rule, budget)? {
                    Flow::Next => break,
                    Flow::Exit => return Ok(Flow::Exit),
                    _ => {}
                }
            }
        }
        Ok(Flow::Normal)
    }

    fn act(&mut self, rule: &Rule, budget: &mut Budget) -> Result<Flow, Stopped> {
        if let Some(statements) = &rule.action {
            return self.block(statements, budget);
        }
        let record = self.record.text();
        self.print(&[record], budget)?;
        Ok(Flow::Normal)
    }

    fn block(&mut self, block: &[Statement], budget: &mut Budget) -> Result<Flow, Stopped> {
        for statement in block {
            let flow = self.statement(statement, budget)?;
            if flow != Flow::Normal {
                return Ok(flow);
            }
        }
        Ok(Flow::Normal)
    }

    fn statement(&mut self, statement: &Statement, budget: &mut Budget) -> Result<Flow, Stopped> {
        budget.step(1)?;
        match statement {
            Statement::Block(block) => return self.block(block, budget),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Next => return Ok(Flow::Next),
            Statement::Exit(status) => {
                if let Some(status) = status {
                    let status = self.evaluate(status, budget)?.to_index();
                    self.status = u8::try_from(status.rem_euclid(256)).unwrap_or(1);
                }
                return Ok(Flow::Exit);
            }
            Statement::Expression(expression) => {
                self.evaluate(expression, budget)?;
            }
            Statement::Print(values) if values.is_empty() => {
                let record = self.record.text();
                self.print(&[record], budget)?;
            }
            Statement::Print(values) => {
                let values = self.evaluate_all(values, budget)?;
                self.print(&values, budget)?;
            }
            Statement::Printf(values) => {
                let values = self.evaluate_all(values, budget)?;
                let (format, values) =
                    values.split_first().ok_or_else(|| refuse("a printf without a format"))?;
                let text = super::format::format(&format.to_text(), values, budget)?;
                self.printer.print(&text, budget)?;
            }
            Statement::If(condition, then, otherwise) => {
                let chosen = if self.evaluate(condition, budget)?.is_true() {
                    Some(then)
                } else {
                    otherwise.as_ref()
                };
                if let Some(chosen) = chosen {
                    return self.statement(chosen, budget);
                }
            }
            Statement::For(parts) => {
                if let Some(first) = &parts.first {
                    self.statement(first, budget)?;
                }
                loop {
                    if let Some(condition) = &parts.condition
                        && !self.evaluate(condition, budget)?.is_true()
                    {
                        break;
                    }
                    match self.statement(&parts.body, budget)? {
                        Flow::Normal | Flow::Continue => {}
                        Flow::Break => break,
                        flow => return Ok(flow),
                    }
                    if let Some(step) = &parts.step {
                        self.statement(step, budget)?;
                    }
                }
            }
        }
        Ok(Flow::Normal)
    }

    fn print(&mut self, values: &[Value], budget: &mut Budget) -> Result<(), Stopped> {
        let (separator, end) = (self.text_of("OFS"), self.text_of("ORS"));
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.printer.print(&separator, budget)?;
            }
            self.printer.print(&value.to_text(), budget)?;
        }
        self.printer.print(&end, budget)
    }

    pub(super) fn text_of(&self, name: &str) -> Rc<str> {
        self.variables.get(name).map(Value::to_text).unwrap_or_default()
    }
}

/// Refuses variables whose change would have to change something else.
pub(super) fn check_name(name: &str) -> Result<(), Stopped> {
    match name {
        "CONVFMT" | "OFMT" | "SUBSEP" | "ENVIRON" | "ARGV" | "ARGC" | "NR" | "FNR" | "FILENAME" => {
            Err(refuse(format_args!("setting {name}")))
        }
        _ => Ok(()),
    }
}
