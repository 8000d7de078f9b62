//! What statements could do, found without running them.

use crate::syntax::{Command, Inside, Part, Simple, Statement, Word};

/// What statements could do.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// The variables that they could assign.
    pub(crate) names: Vec<String>,
    /// Whether they could leave a loop.
    pub(crate) leaves_loop: bool,
    /// Whether they could end the run or the function.
    pub(crate) ends: bool,
    /// Whether they could print something.
    pub(crate) prints: bool,
}

/// What these statements could do in the shell that runs them.
pub(crate) fn assigned_in(statements: &[Statement]) -> Effects {
    let mut effects = Effects::default();
    effects.add_all(statements);
    effects
}

impl Effects {
    fn add(&mut self, statement: &Statement) {
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

    fn add_simple(&mut self, simple: &Simple) {
        self.names.extend(simple.assignments.iter().map(|assignment| assignment.name.clone()));
        self.add_call(simple);
    }

    /// Adds what the command itself could do, without the assignments before it.
    pub(super) fn add_call(&mut self, simple: &Simple) {
        self.names.extend(simple.declared.iter().map(|assignment| assignment.name.clone()));
        let mut words = simple.words.iter();
        let Some(first) = words.next() else { return };
        match first.as_slice() {
            [Part::Plain(name)] => match name.as_str() {
                "break" | "continue" => self.leaves_loop = true,
                "exit" | "return" | "cleanupAndExit" => self.ends = true,
                "local" | "typeset" | "declare" | "export" | "readonly" | "integer" | "read"
                | "unset" => self.names.extend(words.flat_map(names_within)),
                "printlog" | "sleep" | "true" | "false" | ":" | "[" | "test" => {}
                _ => self.prints = true,
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
