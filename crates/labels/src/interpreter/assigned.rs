//! What statements could do, found without running them.

use crate::syntax::{Command, Part, Simple, Statement, Word};

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
            Command::Pipeline { parts, .. } => {
                // All but the last part run in a subshell. Names too many do no harm.
                self.add_all(parts);
            }
            Command::Chain { first, rest } => {
                self.add(first);
                for (_, statement) in rest {
                    self.add(statement);
                }
            }
            Command::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.add_all(condition);
                    self.add_all(body);
                }
                if let Some(body) = otherwise {
                    self.add_all(body);
                }
            }
            Command::Case { arms, .. } => {
                for (_, body) in arms {
                    self.add_all(body);
                }
            }
            Command::For { name, body, .. } => {
                self.names.push(name.clone());
                self.add_loop(body);
            }
            Command::While { condition, body, .. } => {
                self.add_all(condition);
                self.add_loop(body);
            }
            Command::Group(body) => self.add_all(body),
            Command::Subshell(_) => self.prints = true,
            Command::Condition(_) => {
                self.names.extend(["MATCH".to_owned(), "match".to_owned()]);
            }
            Command::Arithmetic(word) => self.names.extend(names_within(word)),
            Command::Function { .. } => {}
        }
    }

    fn add_all(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.add(statement);
        }
    }

    /// A `break` inside a loop leaves that loop.
    fn add_loop(&mut self, body: &[Statement]) {
        let leaves = self.leaves_loop;
        self.add_all(body);
        self.leaves_loop = leaves;
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
