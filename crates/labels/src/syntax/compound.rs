//! `if`, `case`, loops, groups and functions.

use super::{
    Command, Script, Word,
    parser::{Parsed, Parser},
    words::WordContext,
};

impl Parser {
    pub(super) fn compound(&mut self) -> Parsed<Option<Command>> {
        if self.starts_with("((") {
            return self.arithmetic_command().map(Some);
        }
        if self.take("(") {
            return self.enclosed(")").map(|body| Some(Command::Subshell(body)));
        }
        if self.at_word("{") {
            self.skip(1);
            return self.group().map(|body| Some(Command::Group(body)));
        }
        if self.take_word("[[") {
            return self.condition().map(|condition| Some(Command::Condition(condition)));
        }
        if self.take_word("if") {
            return self.branches().map(Some);
        }
        if self.take_word("case") {
            return self.case().map(Some);
        }
        if self.take_word("for") {
            return self.loop_over().map(Some);
        }
        for (word, negated) in [("while", false), ("until", true)] {
            if self.take_word(word) {
                let condition = self.script(&["do"])?;
                let body = self.loop_body()?;
                return Ok(Some(Command::While { negated, condition, body }));
            }
        }
        for word in ["select", "repeat", "foreach", "coproc", "time", "always"] {
            if self.at_word(word) {
                return Err(self.error(format!("{word} is not supported")));
            }
        }
        self.function()
    }

    fn arithmetic_command(&mut self) -> Parsed<Command> {
        let start = self.position();
        self.skip(2);
        if let Some(word) = self.arithmetic_text()? {
            return Ok(Command::Arithmetic(word));
        }
        self.return_to(start + 1);
        self.enclosed(")").map(Command::Subshell)
    }

    /// Statements up to a closing sign, which is taken.
    pub(super) fn enclosed(&mut self, end: &str) -> Parsed<Script> {
        // A `}` belongs to a group only if the group began inside.
        let braces = std::mem::take(&mut self.braces);
        let body = self.script(&[end]);
        self.braces = braces;
        let body = body?;
        self.expect(end)?;
        Ok(body)
    }

    /// The inside of `{ … }`, after the opening brace.
    fn group(&mut self) -> Parsed<Script> {
        self.braces += 1;
        let body = self.script(&["}"]);
        self.braces -= 1;
        let body = body?;
        self.expect("}")?;
        Ok(body)
    }

    fn branches(&mut self) -> Parsed<Command> {
        let mut branches = Vec::new();
        loop {
            let condition = self.script(&["then"])?;
            self.expect_word("then")?;
            let body = self.script(&["elif", "else", "fi"])?;
            branches.push((condition, body));
            if self.take_word("elif") {
                continue;
            }
            let mut otherwise = None;
            if self.take_word("else") {
                otherwise = Some(self.script(&["fi"])?);
            }
            self.expect_word("fi")?;
            return Ok(Command::If { branches, otherwise });
        }
    }

    fn case(&mut self) -> Parsed<Command> {
        self.skip_blanks();
        let word = self.word(WordContext::Argument)?;
        self.skip_lines();
        self.expect_word("in")?;
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.take_word("esac") {
                return Ok(Command::Case { word, arms });
            }
            let patterns = self.patterns()?;
            let body = self.script(&[";;", "esac"])?;
            arms.push((patterns, body));
            if !self.take(";;") && !self.at_word("esac") {
                return Err(self.error("this end of an arm is not supported"));
            }
        }
    }

    /// The patterns of an arm, with the closing parenthesis.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Word>> {
        self.skip_lines();
        self.take("(");
        let mut patterns = Vec::new();
        loop {
            self.skip_lines();
            let pattern = self.word(WordContext::Arm)?;
            if pattern.is_empty() {
                return Err(self.error("an arm without a pattern"));
            }
            patterns.push(pattern);
            self.skip_lines();
            if self.take("|") {
                continue;
            }
            self.expect(")")?;
            return Ok(patterns);
        }
    }

    fn loop_over(&mut self) -> Parsed<Command> {
        self.skip_blanks();
        let name = self.name().ok_or_else(|| self.error("a loop without a variable"))?;
        self.skip_lines();
        self.expect_word("in")?;
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.skip_blanks();
            if matches!(self.peek(), None | Some('\n' | ';')) {
                break;
            }
            let word = self.word(WordContext::Argument)?;
            if word.is_empty() {
                return Err(self.error("this form of a loop is not supported"));
            }
            words.extend(self.expanded(word)?);
        }
        self.take(";");
        let body = self.loop_body()?;
        Ok(Command::For { name, words, body })
    }

    fn loop_body(&mut self) -> Parsed<Script> {
        self.skip_lines();
        self.expect_word("do")?;
        let body = self.script(&["done"])?;
        self.expect_word("done")?;
        Ok(body)
    }

    /// `name() { … }` or `function name { … }`, if that is next.
    fn function(&mut self) -> Parsed<Option<Command>> {
        let start = self.position();
        let keyword = self.take_word("function");
        self.skip_blanks();
        let Some(name) = self.name() else {
            self.return_to(start);
            return Ok(None);
        };
        self.skip_blanks();
        let parentheses = self.take("()") || self.take("( )");
        if !keyword && !parentheses {
            self.return_to(start);
            return Ok(None);
        }
        self.skip_lines();
        // Labels leave no blank after the brace at times, and the shell does not mind.
        self.expect("{")?;
        let body = self.group()?;
        let text = self.since(start).into();
        Ok(Some(Command::Function { name, body, text }))
    }
}
