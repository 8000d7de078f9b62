//! Reads statements.

use super::super::tree::{Expression, Loop, Statement};
use super::super::value::refuse;
use super::Parser;
use crate::Stopped;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Result<Vec<Statement>, Stopped> {
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
}
