//! Runs a script over the lines of the input.

use std::rc::Rc;

use super::command::{Action, Command, RangeEnd, Substitution};
use super::substitute::substitute;
use crate::text::lines::{Printer, whole_lines};
use crate::text::pattern::Pattern;
use crate::{Budget, Output, Stopped};

pub(super) struct Machine<'a> {
    script: &'a [Command],
    quiet: bool,
    pub(super) lines: Vec<&'a str>,
    pub(super) read: usize,
    /// The text that commands work on, without the newline at its end.
    pub(super) pattern_space: String,
    /// For each command with a range, where its open range ends, if that is known.
    pub(super) ranges: Vec<Option<RangeEnd>>,
    last_pattern: Option<Rc<Pattern>>,
    substituted: bool,
    printer: Printer,
}

/// How the script goes on after a command.
enum Flow {
    Next,
    Jump(usize),
    /// Ends the cycle; the pattern space is printed unless it is deleted.
    End {
        print: bool,
    },
    Quit {
        print: bool,
    },
}

impl<'a> Machine<'a> {
    pub(super) fn new(script: &'a [Command], quiet: bool, input: &'a str) -> Self {
        Self {
            script,
            quiet,
            lines: whole_lines(input).collect(),
            read: 0,
            pattern_space: String::new(),
            ranges: vec![None; script.len()],
            last_pattern: None,
            substituted: false,
            printer: Printer::default(),
        }
    }

    pub(super) fn run(mut self, budget: &mut Budget) -> Result<Output, Stopped> {
        budget.hold_each(self.lines.len(), size_of::<&str>())?;
        while self.read_line(budget)? {
            match self.cycle(budget)? {
                Flow::Quit { print } => {
                    self.end_cycle(print, budget)?;
                    break;
                }
                Flow::End { print } => self.end_cycle(print, budget)?,
                Flow::Next | Flow::Jump(_) => self.end_cycle(true, budget)?,
            }
        }
        Ok(self.printer.success())
    }

    /// Replaces the pattern space by the next line, if there is one.
    fn read_line(&mut self, budget: &mut Budget) -> Result<bool, Stopped> {
        let Some(line) = self.lines.get(self.read) else { return Ok(false) };
        budget.step(1)?;
        self.read += 1;
        self.pattern_space.clear();
        self.pattern_space.push_str(line.strip_suffix('\n').unwrap_or(line));
        self.substituted = false;
        Ok(true)
    }

    fn cycle(&mut self, budget: &mut Budget) -> Result<Flow, Stopped> {
        let script = self.script;
        let mut at = 0;
        while let Some(command) = script.get(at) {
            budget.step(1 + self.pattern_space.len() / 256)?;
            let selected = self.selects(at, command, budget)? != command.negated;
            let flow = match &command.action {
                Action::Group(end) if !selected => Flow::Jump(*end),
                _ if !selected => Flow::Next,
                action => self.act(action, budget)?,
            };
            match flow {
                Flow::Next => at += 1,
                Flow::Jump(target) => at = target,
                other => return Ok(other),
            }
        }
        Ok(Flow::End { print: true })
    }

    /// The pattern of a command, which becomes that of the last search.
    pub(super) fn pattern(&mut self, given: Option<&Rc<Pattern>>) -> Result<Rc<Pattern>, Stopped> {
        if let Some(given) = given {
            self.last_pattern = Some(Rc::clone(given));
        }
        let last = self.last_pattern.clone();
        last.ok_or_else(|| Stopped::unsupported("sed", "an empty pattern before any other"))
    }

    fn act(&mut self, action: &Action, budget: &mut Budget) -> Result<Flow, Stopped> {
        match action {
            Action::Group(_) | Action::End | Action::Label => {}
            Action::Branch(target) => return Ok(branch(*target)),
            Action::Test(target) => {
                if std::mem::take(&mut self.substituted) {
                    return Ok(branch(*target));
                }
            }
            Action::Delete => return Ok(Flow::End { print: false }),
            Action::Next => {
                if self.read == self.lines.len() {
                    return Ok(Flow::Quit { print: true });
                }
                self.end_cycle(true, budget)?;
                self.read_line(budget)?;
            }
            Action::NextAppend => return self.append_next(budget),
            Action::Quit => return Ok(Flow::Quit { print: true }),
            Action::Print => self.print_space(budget)?,
            Action::Substitute(substitution) => self.substitute(substitution, budget)?,
        }
        Ok(Flow::Next)
    }

    fn append_next(&mut self, budget: &mut Budget) -> Result<Flow, Stopped> {
        if self.read == self.lines.len() {
            // GNU's sed prints the pattern space here; a Mac's does not.
            return Ok(Flow::Quit { print: false });
        }
        let mut kept = std::mem::take(&mut self.pattern_space);
        let substituted = self.substituted;
        self.read_line(budget)?;
        self.substituted = substituted;
        budget.hold(kept.len() + self.pattern_space.len())?;
        kept.push('\n');
        kept.push_str(&self.pattern_space);
        self.pattern_space = kept;
        Ok(Flow::Next)
    }

    fn substitute(
        &mut self,
        substitution: &Substitution,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        let pattern = self.pattern(substitution.pattern.as_ref())?;
        if let Some(text) = substitute(substitution, &pattern, &self.pattern_space, budget)? {
            self.pattern_space = text;
            self.substituted = true;
            if substitution.print {
                self.print_space(budget)?;
            }
        }
        Ok(())
    }

    fn end_cycle(&mut self, print: bool, budget: &mut Budget) -> Result<(), Stopped> {
        if print && !self.quiet { self.print_space(budget) } else { Ok(()) }
    }

    /// Prints the pattern space. A last line without a newline stays so.
    fn print_space(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        self.printer.print(&self.pattern_space, budget)?;
        let whole =
            self.read < self.lines.len() || self.lines.last().is_none_or(|it| it.ends_with('\n'));
        self.printer.print(if whole { "\n" } else { "" }, budget)
    }
}

fn branch(target: Option<usize>) -> Flow {
    target.map_or(Flow::End { print: true }, Flow::Jump)
}
