//! Parses a program.

use serde_json::Value;

use super::super::failure::Failure;
use super::super::scanner::Scanner;
use super::known::is_known;
use crate::Stopped;

/// How many parts a program may have. It bounds the depth of everything that the program makes.
const PARTS: usize = 200;
const DEPTH: usize = 24;

/// A filter: it gives any number of values for one value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Filter {
    Identity,
    Literal(Value),
    /// A value of the first filter, at the key or index of the second.
    Index(Box<Filter>, Box<Filter>),
    /// All members.
    Iterate(Box<Filter>),
    Pipe(Box<Filter>, Box<Filter>),
    Comma(Box<Filter>, Box<Filter>),
    Binary(Operator, Box<Filter>, Box<Filter>),
    /// All values of a filter in one array.
    Collect(Option<Box<Filter>>),
    /// Errors are dropped.
    Try(Box<Filter>),
    Call(String, Vec<Filter>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Alternative,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
}

/// The operators, from the loosest to the tightest. Longer ones come first.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("//", Operator::Alternative)],
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("+", Operator::Plus)],
];

pub(super) fn parse(program: &str) -> Result<Filter, Failure> {
    let mut parser = Parser { scanner: Scanner::new(program), parts: 0, depth: 0 };
    let filter = parser.pipe()?;
    parser.blanks();
    if parser.scanner.at_end() { Ok(filter) } else { Err(unsupported(&parser)) }
}

/// What is not known here may be known to the real program.
fn unsupported(parser: &Parser<'_>) -> Failure {
    let rest: String = parser.scanner.rest().chars().take(20).collect();
    Stopped::unsupported("jq", format!("the program at \"{rest}\"")).into()
}

struct Parser<'program> {
    scanner: Scanner<'program>,
    parts: usize,
    depth: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        self.scanner.take_while(char::is_whitespace);
    }

    /// Takes an operator, but no part of a longer one or of a name.
    fn take(&mut self, symbol: &str) -> bool {
        self.blanks();
        let mut ahead = self.scanner.clone();
        if !ahead.take(symbol) {
            return false;
        }
        let next = ahead.peek().unwrap_or(' ');
        let is_word = symbol.starts_with(|first: char| first.is_ascii_alphabetic());
        let goes_on = if is_word {
            is_name(next)
        } else {
            matches!((symbol, next), ("|" | "+" | "//", '=') | ("/" | "?", '/'))
        };
        if !goes_on {
            self.scanner = ahead;
        }
        !goes_on
    }

    fn count(&mut self) -> Result<(), Failure> {
        self.parts += 1;
        if self.parts > PARTS {
            return Err(Stopped::TooMuch("the jq program has too many parts").into());
        }
        Ok(())
    }

    fn pipe(&mut self) -> Result<Filter, Failure> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Stopped::TooMuch("the jq program is nested too deeply").into());
        }
        let mut filter = self.comma()?;
        while self.take("|") {
            self.count()?;
            filter = Filter::Pipe(Box::new(filter), Box::new(self.comma()?));
        }
        self.depth -= 1;
        Ok(filter)
    }

    fn comma(&mut self) -> Result<Filter, Failure> {
        let mut left = self.binary(&LEVELS)?;
        while self.take(",") {
            self.count()?;
            left = Filter::Comma(Box::new(left), Box::new(self.binary(&LEVELS)?));
        }
        Ok(left)
    }

    fn binary(&mut self, levels: &[&[(&str, Operator)]]) -> Result<Filter, Failure> {
        let Some((operators, tighter)) = levels.split_first() else { return self.postfix() };
        let mut left = self.binary(tighter)?;
        while let Some((_, operator)) = operators.iter().find(|(symbol, _)| self.take(symbol)) {
            self.count()?;
            let right = self.binary(tighter)?;
            left = Filter::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn postfix(&mut self) -> Result<Filter, Failure> {
        let mut filter = self.term()?;
        loop {
            self.count()?;
            if self.take("[") {
                filter = self.bracket(filter)?;
            } else if self.take("?") {
                filter = Filter::Try(Box::new(filter));
            } else if self.scanner.byte(0) == b'.' && self.scanner.byte(1) != b'.' {
                self.scanner.take(".");
                filter = self.member(filter)?;
            } else {
                return Ok(filter);
            }
        }
    }

    /// What follows a dot.
    fn member(&mut self, filter: Filter) -> Result<Filter, Failure> {
        let key = if self.scanner.take("[") {
            return self.bracket(filter);
        } else if self.scanner.byte(0) == b'"' {
            self.string()?
        } else {
            self.name().ok_or_else(|| unsupported(self))?
        };
        Ok(Filter::Index(Box::new(filter), Box::new(Filter::Literal(key.into()))))
    }

    fn bracket(&mut self, filter: Filter) -> Result<Filter, Failure> {
        if self.take("]") {
            return Ok(Filter::Iterate(Box::new(filter)));
        }
        let key = self.pipe()?;
        self.close("]")?;
        Ok(Filter::Index(Box::new(filter), Box::new(key)))
    }

    fn close(&mut self, symbol: &str) -> Result<(), Failure> {
        if self.take(symbol) { Ok(()) } else { Err(unsupported(self)) }
    }

    fn term(&mut self) -> Result<Filter, Failure> {
        self.blanks();
        match self.scanner.peek() {
            Some('.') if self.scanner.byte(1) != b'.' => {
                self.scanner.next();
                let next = self.scanner.peek().unwrap_or(' ');
                if next == '[' || next == '"' || is_name(next) && !next.is_ascii_digit() {
                    return self.member(Filter::Identity);
                }
                Ok(Filter::Identity)
            }
            Some('"') => Ok(Filter::Literal(self.string()?.into())),
            Some('0'..='9') => self.number(""),
            Some('-') if self.scanner.byte(1).is_ascii_digit() => {
                self.scanner.next();
                self.number("-")
            }
            Some('(') => {
                self.scanner.next();
                let inner = self.pipe()?;
                self.close(")")?;
                Ok(inner)
            }
            Some('[') => {
                self.scanner.next();
                if self.take("]") {
                    return Ok(Filter::Collect(None));
                }
                let inner = self.pipe()?;
                self.close("]")?;
                Ok(Filter::Collect(Some(Box::new(inner))))
            }
            _ => self.call(),
        }
    }

    fn number(&mut self, sign: &str) -> Result<Filter, Failure> {
        let digits = self.scanner.take_while(|next| next.is_ascii_digit() || next == '.');
        let number = serde_json::from_str(&format!("{sign}{digits}"));
        number.map(Filter::Literal).map_err(|_| unsupported(self))
    }

    fn call(&mut self) -> Result<Filter, Failure> {
        let name = self.name().ok_or_else(|| unsupported(self))?;
        match name.as_str() {
            "null" => return Ok(Filter::Literal(Value::Null)),
            "true" => return Ok(Filter::Literal(true.into())),
            "false" => return Ok(Filter::Literal(false.into())),
            _ => {}
        }
        let mut arguments = Vec::new();
        if self.take("(") {
            arguments.push(self.pipe()?);
            while self.take(";") {
                arguments.push(self.pipe()?);
            }
            self.close(")")?;
        }
        if !is_known(&name, arguments.len()) {
            return Err(Stopped::unsupported("jq", format!("{name}/{}", arguments.len())).into());
        }
        Ok(Filter::Call(name, arguments))
    }

    fn name(&mut self) -> Option<String> {
        let name = self.scanner.take_while(is_name);
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// A text without parts that are computed.
    fn string(&mut self) -> Result<String, Failure> {
        let rest = self.scanner.rest();
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, next)| {
            let ends = *next == '"' && !escaped;
            escaped = *next == '\\' && !escaped;
            ends
        });
        let (end, _) = end.ok_or_else(|| unsupported(self))?;
        let text = rest.get(..=end).unwrap_or_default();
        let value = serde_json::from_str(text).map_err(|_| unsupported(self))?;
        self.scanner.take(text);
        Ok(value)
    }
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
