//! Tests between `[[` and `]]`.

use super::{
    Condition, Part, Word,
    parser::{Parsed, Parser},
    words::WordContext,
};

const BINARY: [&str; 8] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot"];

impl Parser {
    /// A test, after the opening brackets.
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        let condition = self.any()?;
        self.skip_lines();
        self.expect("]]")?;
        Ok(condition)
    }

    fn any(&mut self) -> Parsed<Condition> {
        self.deeper(|parser| {
            let mut conditions = vec![parser.all()?];
            loop {
                parser.skip_lines();
                if !parser.take("||") {
                    break;
                }
                conditions.push(parser.all()?);
            }
            Ok(one_or(conditions, Condition::Any))
        })
    }

    fn all(&mut self) -> Parsed<Condition> {
        let mut conditions = vec![self.negation()?];
        loop {
            self.skip_lines();
            if !self.take("&&") {
                break;
            }
            conditions.push(self.negation()?);
        }
        Ok(one_or(conditions, Condition::All))
    }

    fn negation(&mut self) -> Parsed<Condition> {
        let mut negated = false;
        self.skip_lines();
        while self.take_word("!") {
            negated = !negated;
            self.skip_lines();
        }
        let condition = if self.take("(") {
            let inner = self.any()?;
            self.skip_lines();
            self.expect(")")?;
            inner
        } else {
            self.comparison()?
        };
        Ok(if negated { Condition::Not(Box::new(condition)) } else { condition })
    }

    fn comparison(&mut self) -> Parsed<Condition> {
        let left = self.operand(WordContext::Condition)?;
        self.skip_lines();
        let unary = match left.as_slice() {
            [Part::Plain(text)] if text.len() == 2 && text.starts_with('-') => Some(text.clone()),
            _ => None,
        };
        if let Some(operator) = unary
            && !self.at_operator()
        {
            let word = self.operand(WordContext::Condition)?;
            return Ok(Condition::Unary { operator, word });
        }
        if let Some((operator, context)) = self.binary_operator() {
            self.skip_lines();
            let right = self.operand(context)?;
            return Ok(Condition::Binary { operator, left, right });
        }
        Ok(Condition::Unary { operator: "-n".to_owned(), word: left })
    }

    fn operand(&mut self, context: WordContext) -> Parsed<Word> {
        let word = self.word(context)?;
        if word.is_empty() {
            return Err(self.error("a test without a word"));
        }
        Ok(word)
    }

    /// Whether the test ends or a comparison follows.
    fn at_operator(&self) -> bool {
        let signs = ["]]", "&&", "||", ")", "==", "=~", "!=", "= "];
        signs.iter().any(|sign| self.starts_with(sign))
            || BINARY.iter().any(|word| self.at_word(word))
    }

    fn binary_operator(&mut self) -> Option<(String, WordContext)> {
        for (sign, context) in [
            ("==", WordContext::Pattern),
            ("!=", WordContext::Pattern),
            ("=~", WordContext::Expression),
            ("=", WordContext::Pattern),
            ("<", WordContext::Condition),
            (">", WordContext::Condition),
        ] {
            if self.take(sign) {
                return Some((sign.to_owned(), context));
            }
        }
        let word = BINARY.iter().find(|word| self.at_word(word))?;
        self.skip(word.len());
        Some(((*word).to_owned(), WordContext::Condition))
    }
}

fn one_or(
    mut conditions: Vec<Condition>,
    several: impl FnOnce(Vec<Condition>) -> Condition,
) -> Condition {
    match conditions.pop() {
        Some(only) if conditions.is_empty() => only,
        last => {
            conditions.extend(last);
            several(conditions)
        }
    }
}
