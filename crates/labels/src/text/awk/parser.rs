//! Reads the rules of a program.

mod expression;
mod statement;

use super::lexer::{Lexer, Token};
use super::tree::{Expression, Rule, When};
use super::value::refuse;
use crate::{Budget, Stopped};

const DEPTH: usize = 100;

/// How many binary operators a program may have: a chain of them nests as deeply as it is long.
const PARTS: usize = 500;

/// How many patterns a program may have: all are kept while it runs.
const PATTERNS: usize = 64;

pub(super) fn parse(program: &str, budget: &mut Budget) -> Result<Vec<Rule>, Stopped> {
    let mut lexer = Lexer::new(program);
    let token = lexer.next()?;
    let mut parser = Parser {
        lexer,
        token,
        depth: 0,
        parts: 0,
        patterns: 0,
        in_print: false,
        budget: budget.clone(),
    };
    let mut rules = Vec::new();
    parser.skip_ends()?;
    while parser.token != Token::End {
        rules.push(parser.rule()?);
        parser.skip_ends()?;
    }
    *budget = parser.budget;
    Ok(rules)
}

#[derive(Clone)]
struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The word that is read next.
    token: Token,
    depth: usize,
    parts: usize,
    patterns: usize,
    /// Whether a `>` would send the output to a file.
    in_print: bool,
    /// What compiling patterns takes. The parser is copied where it may have to go back.
    budget: Budget,
}

impl Parser<'_> {
    fn rule(&mut self) -> Result<Rule, Stopped> {
        let when = if self.accept("BEGIN")? {
            When::Begin
        } else if self.accept("END")? {
            When::End
        } else if self.is("{") {
            When::Always
        } else if self.is("function") || self.is("func") {
            return Err(refuse("a function of one's own"));
        } else {
            let first = self.expression()?;
            if self.accept(",")? {
                self.skip_newlines()?;
                When::Range(first, self.expression()?)
            } else {
                When::If(first)
            }
        };
        let action = if self.is("{") {
            Some(self.block()?)
        } else if matches!(when, When::Begin | When::End) {
            return Err(refuse("BEGIN or END without an action"));
        } else {
            None
        };
        Ok(Rule { when, action })
    }

    /// Expressions up to a closing word, whose opening one is read.
    fn list(&mut self, close: &str) -> Result<Vec<Expression>, Stopped> {
        let in_print = std::mem::take(&mut self.in_print);
        let mut list = Vec::new();
        self.skip_newlines()?;
        while !self.is(close) {
            list.push(self.expression()?);
            self.skip_newlines()?;
            if !self.accept(",")? {
                break;
            }
            self.skip_newlines()?;
        }
        self.in_print = in_print;
        self.expect(close)?;
        Ok(list)
    }

    fn deeper(&mut self) -> Result<(), Stopped> {
        self.depth += 1;
        if self.depth > DEPTH { Err(refuse("a program nested this deeply")) } else { Ok(()) }
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.parts += 1;
        if self.parts > PARTS { Err(refuse("a program this long")) } else { Ok(()) }
    }

    fn advance(&mut self) -> Result<(), Stopped> {
        self.token = self.lexer.next()?;
        Ok(())
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token, Token::Symbol(it) if it == symbol)
    }

    fn accept(&mut self, symbol: &str) -> Result<bool, Stopped> {
        let found = self.is(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Stopped> {
        if self.accept(symbol)? { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> Stopped {
        match &self.token {
            Token::End => refuse("a program that ends here"),
            token => refuse(format_args!("{token:?} here")),
        }
    }

    fn skip_newlines(&mut self) -> Result<(), Stopped> {
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }

    fn skip_ends(&mut self) -> Result<(), Stopped> {
        while self.token == Token::Newline || self.is(";") {
            self.advance()?;
        }
        Ok(())
    }

    /// Whether a statement ends here, or its output is sent elsewhere.
    fn at_end(&self) -> bool {
        matches!(
            self.token,
            Token::End | Token::Newline | Token::Symbol(";" | "}" | ">" | ">>" | "|")
        )
    }

    fn end_statement(&mut self) -> Result<(), Stopped> {
        match self.token {
            Token::Newline | Token::Symbol(";") => self.advance(),
            Token::Symbol("}") | Token::End => Ok(()),
            _ => Err(self.unexpected()),
        }
    }
}
