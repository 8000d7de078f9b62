//! Reads rules and statements.

mod expression;

use super::lexer::{Lexer, Token};
use super::refuse;
use super::tree::{Expression, Loop, Rule, Statement, When};
use crate::Stopped;

/// How deeply statements and expressions may be nested.
const DEPTH: usize = 100;

/// How many binary operators a program may have: a chain of them nests as deeply as it is long.
const PARTS: usize = 500;

/// Reads a program.
pub(super) fn parse(program: &str) -> Result<Vec<Rule>, Stopped> {
    let mut lexer = Lexer::new(program);
    let token = lexer.next()?;
    let mut parser = Parser { lexer, token, depth: 0, parts: 0, in_print: false };
    let mut rules = Vec::new();
    parser.skip_ends()?;
    while parser.token != Token::End {
        rules.push(parser.rule()?);
        parser.skip_ends()?;
    }
    Ok(rules)
}

#[derive(Clone)]
struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The word that is read next.
    token: Token,
    depth: usize,
    /// How many operators are read.
    parts: usize,
    /// Whether a `>` would send the output to a file.
    in_print: bool,
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

    fn block(&mut self) -> Result<Vec<Statement>, Stopped> {
        self.expect("{")?;
        let mut statements = Vec::new();
        loop {
            self.skip_ends()?;
            if self.accept("}")? {
                return Ok(statements);
            }
            statements.push(self.statement()?);
        }
    }

    fn statement(&mut self) -> Result<Statement, Stopped> {
        self.deeper()?;
        let statement = self.statement_inside();
        self.depth -= 1;
        statement
    }

    fn statement_inside(&mut self) -> Result<Statement, Stopped> {
        if self.is("{") {
            return self.block().map(Statement::Block);
        }
        if self.accept("if")? {
            return self.if_statement();
        }
        if self.accept("while")? {
            let condition = Some(self.condition()?);
            let body = self.body()?;
            return Ok(Statement::For(Box::new(Loop { first: None, condition, step: None, body })));
        }
        if self.accept("for")? {
            return self.for_statement();
        }
        if self.accept("do")? {
            let body = Box::new(self.body()?);
            self.skip_ends()?;
            self.expect("while")?;
            let condition = self.condition()?;
            self.end_statement()?;
            return Ok(Statement::DoWhile(body, condition));
        }
        if self.accept(";")? {
            return Ok(Statement::Block(Vec::new()));
        }
        let statement = self.simple_statement()?;
        self.end_statement()?;
        Ok(statement)
    }

    fn simple_statement(&mut self) -> Result<Statement, Stopped> {
        if self.accept("print")? {
            return self.printed().map(Statement::Print);
        }
        if self.accept("printf")? {
            return self.printed().map(Statement::Printf);
        }
        if self.accept("next")? {
            return Ok(Statement::Next);
        }
        if self.accept("break")? {
            return Ok(Statement::Break);
        }
        if self.accept("continue")? {
            return Ok(Statement::Continue);
        }
        if self.accept("exit")? {
            let status = if self.at_end() { None } else { Some(self.expression()?) };
            return Ok(Statement::Exit(status));
        }
        if self.accept("delete")? {
            let name = self.name()?;
            let index = if self.accept("[")? { self.list("]")? } else { Vec::new() };
            return Ok(Statement::Delete(name, index));
        }
        self.expression().map(Statement::Expression)
    }

    fn if_statement(&mut self) -> Result<Statement, Stopped> {
        let condition = self.condition()?;
        let then = Box::new(self.body()?);
        let behind = self.clone();
        self.skip_ends()?;
        if self.accept("else")? {
            let otherwise = Box::new(self.body()?);
            return Ok(Statement::If(condition, then, Some(otherwise)));
        }
        *self = behind;
        Ok(Statement::If(condition, then, None))
    }

    fn for_statement(&mut self) -> Result<Statement, Stopped> {
        self.expect("(")?;
        let start = self.clone();
        if let Token::Name(variable) = self.token.clone() {
            self.advance()?;
            if self.accept("in")?
                && let Token::Name(array) = self.token.clone()
            {
                self.advance()?;
                if self.accept(")")? {
                    let body = Box::new(self.body()?);
                    return Ok(Statement::ForIn(variable, array, body));
                }
            }
            *self = start;
        }
        let first = if self.is(";") { None } else { Some(self.simple_statement()?) };
        self.expect(";")?;
        self.skip_newlines()?;
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        self.skip_newlines()?;
        let step = if self.is(")") { None } else { Some(self.simple_statement()?) };
        self.expect(")")?;
        let body = self.body()?;
        Ok(Statement::For(Box::new(Loop { first, condition, step, body })))
    }

    fn body(&mut self) -> Result<Statement, Stopped> {
        self.skip_newlines()?;
        self.statement()
    }

    fn condition(&mut self) -> Result<Expression, Stopped> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    /// What `print` prints, in parentheses or not.
    fn printed(&mut self) -> Result<Vec<Expression>, Stopped> {
        if self.is("(") {
            let start = self.clone();
            self.advance()?;
            let list = self.list(")")?;
            if self.at_end() {
                return Ok(list);
            }
            *self = start;
        }
        let mut list = Vec::new();
        self.in_print = true;
        while !self.at_end() {
            list.push(self.expression()?);
            if !self.accept(",")? {
                break;
            }
            self.skip_newlines()?;
        }
        self.in_print = false;
        if self.is(">") || self.is(">>") || self.is("|") {
            return Err(refuse("printing into a file or a pipe"));
        }
        Ok(list)
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

    fn name(&mut self) -> Result<String, Stopped> {
        let Token::Name(name) = self.token.clone() else { return Err(self.unexpected()) };
        self.advance()?;
        Ok(name)
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
