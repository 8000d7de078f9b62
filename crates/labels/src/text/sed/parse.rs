//! Reads a script.

mod substitution;

use std::collections::HashMap;
use std::rc::Rc;

use super::command::{Action, Address, Command};
use crate::text::pattern::{Mode, Pattern, Syntax};
use crate::{Budget, Stopped};

/// Reads a script whose parts are joined by newlines.
pub(super) fn parse(
    script: &str,
    syntax: Syntax,
    budget: &mut Budget,
) -> Result<Vec<Command>, Stopped> {
    let mut parser = Parser {
        rest: script,
        syntax,
        budget,
        patterns: 0,
        commands: Vec::new(),
        groups: Vec::new(),
        labels: HashMap::new(),
        branches: Vec::new(),
    };
    while parser.command()? {}
    parser.finish()
}

/// How many patterns a script may have: all are kept while it runs.
const PATTERNS: usize = 64;

struct Parser<'a, 'b> {
    rest: &'a str,
    syntax: Syntax,
    budget: &'b mut Budget,
    patterns: usize,
    commands: Vec<Command>,
    groups: Vec<usize>,
    labels: HashMap<&'a str, usize>,
    branches: Vec<(usize, &'a str)>,
}

fn refuse(what: impl std::fmt::Display) -> Stopped {
    Stopped::unsupported("sed", what)
}

impl<'a> Parser<'a, '_> {
    fn command(&mut self) -> Result<bool, Stopped> {
        self.rest = self.rest.trim_start_matches(|it: char| it.is_ascii_whitespace() || it == ';');
        if let Some(comment) = self.rest.strip_prefix('#') {
            self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
            return Ok(true);
        }
        if self.rest.is_empty() {
            return Ok(false);
        }
        let from = self.address()?;
        self.skip_blanks();
        let to = match self.rest.strip_prefix(',').filter(|_| from.is_some()) {
            Some(rest) => {
                self.rest = rest;
                self.skip_blanks();
                Some(self.address()?.ok_or_else(|| refuse("a range without an end"))?)
            }
            None => None,
        };
        self.skip_blanks();
        let mut negated = false;
        while let Some(rest) = self.rest.strip_prefix('!') {
            negated = true;
            self.rest = rest;
            self.skip_blanks();
        }
        let letter = self.take().ok_or_else(|| refuse("an address without a command"))?;
        let action = self.action(letter)?;
        self.commands.push(Command { from, to, negated, action });
        Ok(true)
    }

    fn action(&mut self, letter: char) -> Result<Action, Stopped> {
        let here = self.commands.len();
        let action = match letter {
            '{' => {
                self.groups.push(here);
                return Ok(Action::Group(here));
            }
            '}' => {
                let group = self.groups.pop().ok_or_else(|| refuse("a } without a {"))?;
                if let Some(Command { action: Action::Group(end), .. }) =
                    self.commands.get_mut(group)
                {
                    *end = here;
                }
                Action::End
            }
            's' => Action::Substitute(self.substitution()?),
            ':' => {
                let name = self.name();
                self.labels.insert(name, here);
                return Ok(Action::Label);
            }
            'b' | 't' => {
                let name = self.name();
                self.branches.push((here, name));
                return Ok(if letter == 'b' { Action::Branch(None) } else { Action::Test(None) });
            }
            'd' => Action::Delete,
            'n' => Action::Next,
            'N' => Action::NextAppend,
            'p' => Action::Print,
            'q' => Action::Quit,
            other => return Err(refuse(format_args!("the command {other}"))),
        };
        self.skip_blanks();
        // A Mac's sed wants a `;` even before `}`.
        if self.rest.is_empty() || self.rest.starts_with([';', '\n']) {
            Ok(action)
        } else {
            Err(refuse(format_args!("text behind the command {letter}")))
        }
    }

    fn address(&mut self) -> Result<Option<Address>, Stopped> {
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        Ok(match first {
            '0'..='9' => Some(Address::Line(self.number()?)),
            '$' => {
                self.take();
                Some(Address::Last)
            }
            '/' | '\\' => {
                if first == '\\' {
                    self.take();
                }
                let delimiter = self.delimiter()?;
                let source = self.delimited(delimiter)?;
                let ignore_case = self.rest.starts_with('I');
                if ignore_case {
                    self.take();
                }
                Some(Address::Match(self.pattern(&source, ignore_case)?))
            }
            _ => None,
        })
    }

    fn pattern(&mut self, source: &str, ignore_case: bool) -> Result<Option<Rc<Pattern>>, Stopped> {
        if source.is_empty() {
            return Ok(None);
        }
        self.patterns += 1;
        if self.patterns > PATTERNS {
            return Err(refuse("a script with this many patterns"));
        }
        let mode = Mode { ignore_case, ..Mode::default() };
        let pattern = Pattern::compile("sed", &[source], self.syntax, mode, self.budget)?;
        Ok(Some(Rc::new(pattern)))
    }

    fn name(&mut self) -> &'a str {
        self.skip_blanks();
        let end = self.rest.find(['\n', ';']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        name.trim_end()
    }

    fn number(&mut self) -> Result<usize, Stopped> {
        let end = self.rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at_checked(end).unwrap_or(("", self.rest));
        self.rest = rest;
        digits.parse().map_err(|_| refuse(format_args!("the number {digits}")))
    }

    fn delimiter(&mut self) -> Result<char, Stopped> {
        let delimiter = self.take().filter(|it| !matches!(it, '\\' | '\n'));
        delimiter.ok_or_else(|| refuse("a pattern without a delimiter"))
    }

    fn take(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let first = characters.next();
        self.rest = characters.as_str();
        first
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
    }

    fn finish(mut self) -> Result<Vec<Command>, Stopped> {
        if !self.groups.is_empty() {
            return Err(refuse("a { without a }"));
        }
        for (at, name) in self.branches {
            if name.is_empty() {
                continue;
            }
            let label = self.labels.get(name).copied();
            let label = label.ok_or_else(|| refuse(format_args!("a branch to {name}")))?;
            if let Some(Command { action: Action::Branch(target) | Action::Test(target), .. }) =
                self.commands.get_mut(at)
            {
                *target = Some(label);
            }
        }
        Ok(self.commands)
    }
}
