//! What statements could do, found without running them.

use std::collections::HashSet;

use super::Shell;
use crate::syntax::{Command, Inside, Part, Simple, Statement, Word};

#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) names: Vec<String>,
    pub(crate) leaves_loop: bool,
    pub(crate) returns: bool,
    pub(crate) ends: bool,
    pub(crate) prints: bool,
    /// Whether they could run a text, which could do everything.
    pub(crate) runs_text: bool,
    pub(crate) looked_at: usize,
    /// The commands that they could call and that may be functions of the label.
    calls: Vec<String>,
}

impl Shell<'_> {
    /// What these statements could do, including what the label's functions do that they call.
    pub(crate) fn effects(&self, statements: &[Statement]) -> Effects {
        let mut effects = Effects::default();
        effects.add_all(statements);
        self.with_functions(effects)
    }

    /// What a command could do, without the assignments before it.
    pub(super) fn effects_of_call(&self, simple: &Simple) -> Effects {
        let mut effects = Effects::default();
        effects.add_call(simple);
        self.with_functions(effects)
    }

    fn with_functions(&self, mut effects: Effects) -> Effects {
        let (mut added, mut next) = (HashSet::new(), 0);
        while let Some(name) = effects.calls.get(next).cloned() {
            next += 1;
            if let Some(body) = self.functions.get(&name)
                && added.insert(name)
            {
                effects.add_function(body);
            }
        }
        effects
    }
}

impl Effects {
    fn add(&mut self, statement: &Statement) {
        self.looked_at += 1;
        match &statement.command {
            Command::Simple(simple) => self.add_simple(simple),
            Command::For { name, .. } => self.names.push(name.clone()),
            Command::Condition(_) => {
                self.names.extend(["MATCH".to_owned(), "match".to_owned()]);
            }
            Command::Arithmetic(word) => self.names.extend(names_within(word)),
            _ => {}
        }
        for (place, statements) in statement.command.inside() {
            match place {
                Inside::Subshell => self.prints = true,
                // A `break` inside a loop leaves that loop.
                Inside::Loop => {
                    let leaves = self.leaves_loop;
                    self.add_all(statements);
                    self.leaves_loop = leaves;
                }
                // All but the last part of a pipeline run in a subshell. Names too many do no harm.
                Inside::Part | Inside::Condition | Inside::Branch => self.add_all(statements),
            }
        }
    }

    fn add_all(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.add(statement);
        }
    }

    /// A `return` inside a function leaves that function.
    fn add_function(&mut self, body: &[Statement]) {
        let returns = self.returns;
        self.add_all(body);
        self.returns = returns;
    }

    fn add_simple(&mut self, simple: &Simple) {
        self.names.extend(simple.assignments.iter().map(|assignment| assignment.name.clone()));
        self.add_call(simple);
    }

    fn add_call(&mut self, simple: &Simple) {
        self.names.extend(simple.declared.iter().map(|assignment| assignment.name.clone()));
        let mut words = simple.words.iter();
        let Some(first) = words.next() else { return };
        match first.as_slice() {
            [Part::Plain(name)] => match name.as_str() {
                "break" | "continue" => self.leaves_loop = true,
                "return" => self.returns = true,
                "exit" | "cleanupAndExit" => self.ends = true,
                "eval" | "source" | "." | "exec" => self.runs_text = true,
                "local" | "typeset" | "declare" | "export" | "readonly" | "integer" | "read"
                | "unset" => self.names.extend(words.flat_map(names_within)),
                "printlog" | "sleep" | "true" | "false" | ":" | "[" | "test" => {}
                _ => {
                    self.prints = true;
                    self.calls.push(name.clone());
                }
            },
            _ => self.prints = true,
        }
    }
}

/// Everything in a word that could be a name.
fn names_within(word: &Word) -> Vec<String> {
    let mut names = Vec::new();
    for part in word {
        if let Part::Plain(text) | Part::Quoted(text) = part {
            let words = text.split(|next: char| !(next.is_ascii_alphanumeric() || next == '_'));
            names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
    names
}
