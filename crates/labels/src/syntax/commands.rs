//! Chains, pipelines and simple commands.

use std::rc::Rc;

use super::{
    Assigned, Assignment, Command, Operator, Part, Simple, Statement, Word, braces,
    parser::{Parsed, Parser, ends_group},
    words::WordContext,
};

/// How many characters of a statement are kept for people who follow a run.
const SHOWN: usize = 160;

impl Parser {
    /// `pipeline && pipeline || pipeline`
    pub(super) fn chain(&mut self) -> Parsed<Statement> {
        let start = self.position();
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let operator = if self.take("&&") {
                Operator::And
            } else if self.take("||") {
                Operator::Or
            } else {
                break;
            };
            self.skip_lines();
            rest.push((operator, self.pipeline()?));
        }
        if self.peek() == Some('&') {
            return Err(self.error("commands in the background are not supported"));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(self.statement(start, Command::Chain { first: Box::new(first), rest }))
    }

    fn pipeline(&mut self) -> Parsed<Statement> {
        self.skip_blanks();
        let start = self.position();
        let negated = self.take_word("!");
        let mut parts = vec![self.command()?];
        loop {
            self.skip_blanks();
            if self.peek() != Some('|') || self.starts_with("||") {
                break;
            }
            self.skip(1);
            if self.take("&") {
                return Err(self.error("|& is not supported"));
            }
            self.skip_lines();
            parts.push(self.command()?);
        }
        match parts.pop() {
            Some(only) if parts.is_empty() && !negated => Ok(only),
            last => {
                parts.extend(last);
                Ok(self.statement(start, Command::Pipeline { parts, negated }))
            }
        }
    }

    fn command(&mut self) -> Parsed<Statement> {
        self.deeper(|parser| {
            parser.skip_blanks();
            let start = parser.position();
            if let Some(command) = parser.compound()? {
                let mut redirections = Vec::new();
                parser.skip_blanks();
                while let Some(redirection) = parser.redirection()? {
                    redirections.extend(redirection);
                    parser.skip_blanks();
                }
                let mut statement = parser.statement(start, command);
                statement.redirections = redirections;
                return Ok(statement);
            }
            parser.simple()
        })
    }

    fn simple(&mut self) -> Parsed<Statement> {
        let start = self.position();
        let mut simple = Simple::default();
        let mut redirections = Vec::new();
        loop {
            self.skip_blanks();
            if let Some(redirection) = self.redirection()? {
                redirections.extend(redirection);
                continue;
            }
            if self.at_command_end() {
                break;
            }
            if simple.words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                simple.assignments.push(assignment);
                continue;
            }
            let declares = simple.words.first().is_some_and(is_declaration);
            if declares && let Some(assignment) = self.assignment()? {
                simple.declared.push(assignment);
                continue;
            }
            let word = self.word(WordContext::Argument)?;
            let is_command = simple.words.is_empty();
            if word.is_empty() || (self.strict && is_command && is_reserved(&word)) {
                return Err(self.error("not a command"));
            }
            simple.words.extend(self.expanded(word)?);
        }
        if simple == Simple::default() && redirections.is_empty() {
            return Err(self.error("not a command"));
        }
        let mut statement = self.statement(start, Command::Simple(simple));
        statement.redirections = redirections;
        Ok(statement)
    }

    fn at_command_end(&self) -> bool {
        match self.peek() {
            None | Some('\n' | ';' | '&' | '|' | ')') => true,
            Some('}') => self.braces > 0 && ends_group(self.peek_at(1)),
            Some(_) => false,
        }
    }

    /// `name=value`, `name+=value`, `name[subscript]=value` or `name=( … )`, if that is next.
    fn assignment(&mut self) -> Parsed<Option<Assignment>> {
        let start = self.position();
        let Some(name) = self.name() else { return Ok(None) };
        let has_subscript = self.peek() == Some('[');
        if has_subscript && self.subscript()?.is_none() {
            self.return_to(start);
            return Ok(None);
        }
        let append = self.starts_with("+=");
        if append {
            self.skip(1);
        }
        if !self.take("=") {
            self.return_to(start);
            return Ok(None);
        }
        let mut written = Vec::new();
        let value = if self.take("(") {
            Assigned::Array(self.array(&mut written)?)
        } else {
            let start = self.position();
            let word = self.word(WordContext::Assignment)?;
            written.push(self.since(start).into());
            Assigned::Scalar(word)
        };
        Ok(Some(Assignment { name, has_subscript, append, value, written }))
    }

    /// The elements of an array, up to the closing parenthesis.
    fn array(&mut self, written: &mut Vec<Rc<str>>) -> Parsed<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            if self.take(")") {
                return Ok(words);
            }
            let start = self.position();
            let word = self.word(WordContext::Argument)?;
            if word.is_empty() {
                return Err(self.error("not an element of an array"));
            }
            // Braces make several elements of one text.
            let elements = self.expanded(word)?;
            let text: Rc<str> = self.since(start).into();
            written.extend(elements.iter().map(|_| text.clone()));
            words.extend(elements);
        }
    }

    pub(super) fn expanded(&self, word: Word) -> Parsed<Vec<Word>> {
        braces::expand(word).map_err(|braces::TooMany| self.error("braces make too many words"))
    }

    pub(super) fn name(&mut self) -> Option<String> {
        let start = self.position();
        let first = self.peek()?;
        if !(first.is_ascii_alphabetic() || first == '_') {
            return None;
        }
        while self.peek().is_some_and(|next| next.is_ascii_alphanumeric() || next == '_') {
            self.skip(1);
        }
        Some(self.since(start))
    }

    pub(super) fn statement(&self, start: usize, command: Command) -> Statement {
        let text: String = self.since(start).trim_end().chars().take(SHOWN).collect();
        Statement { command, redirections: Vec::new(), text: text.into() }
    }
}

/// Whether the word cannot be the name of a command.
fn is_reserved(word: &Word) -> bool {
    const WORDS: [&str; 17] = [
        "!", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "then",
        "until", "while", "[[", "{", "}",
    ];
    matches!(word.as_slice(), [Part::Plain(name)] if WORDS.contains(&name.as_str()))
}

fn is_declaration(word: &Word) -> bool {
    match word.as_slice() {
        [Part::Plain(name)] => {
            matches!(
                name.as_str(),
                "local" | "typeset" | "declare" | "export" | "readonly" | "integer"
            )
        }
        _ => false,
    }
}
