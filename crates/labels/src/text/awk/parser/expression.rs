//! Reads expressions, from the operators that bind least to those that bind most.

use std::rc::Rc;

use super::super::lexer::Token;
use super::super::tree::{Comparison, Expression, Operator};
use super::super::value::refuse;
use super::{PATTERNS, Parser};
use crate::Stopped;
use crate::text::pattern::{Mode, Pattern, Syntax};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Result<Expression, Stopped> {
        self.deeper()?;
        let expression = self.assignment();
        self.depth -= 1;
        expression
    }

    fn assignment(&mut self) -> Result<Expression, Stopped> {
        let target = self.choice()?;
        let operator = match self.token {
            Token::Symbol("=") => None,
            Token::Symbol("+=") => Some(Operator::Add),
            Token::Symbol("-=") => Some(Operator::Subtract),
            Token::Symbol("*=") => Some(Operator::Multiply),
            Token::Symbol("/=") => Some(Operator::Divide),
            Token::Symbol("%=") => Some(Operator::Remainder),
            _ => return Ok(target),
        };
        if !target.is_target() {
            return Err(self.unexpected());
        }
        self.advance()?;
        self.skip_newlines()?;
        let value = self.expression()?;
        Ok(Expression::Assign(Box::new(target), operator, Box::new(value)))
    }

    fn choice(&mut self) -> Result<Expression, Stopped> {
        let condition = self.alternatives()?;
        if !self.accept("?")? {
            return Ok(condition);
        }
        self.skip_newlines()?;
        let yes = self.expression()?;
        self.skip_newlines()?;
        self.expect(":")?;
        self.skip_newlines()?;
        let no = self.expression()?;
        Ok(Expression::Choice(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn alternatives(&mut self) -> Result<Expression, Stopped> {
        let mut left = self.conjunction()?;
        while self.accept("||")? {
            self.count()?;
            self.skip_newlines()?;
            left = Expression::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Expression, Stopped> {
        let mut left = self.matching()?;
        while self.accept("&&")? {
            self.count()?;
            self.skip_newlines()?;
            left = Expression::And(Box::new(left), Box::new(self.matching()?));
        }
        Ok(left)
    }

    fn matching(&mut self) -> Result<Expression, Stopped> {
        let mut left = self.comparison()?;
        while self.is("~") || self.is("!~") {
            self.count()?;
            let negated = self.is("!~");
            self.advance()?;
            let (text, pattern) = (Box::new(left), Box::new(self.comparison()?));
            left = Expression::Match { text, pattern, negated };
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expression, Stopped> {
        let left = self.concatenation()?;
        let comparison = match self.token {
            Token::Symbol("<") => Comparison::Less,
            Token::Symbol("<=") => Comparison::LessOrEqual,
            Token::Symbol("==") => Comparison::Equal,
            Token::Symbol("!=") => Comparison::NotEqual,
            Token::Symbol(">") if !self.in_print => Comparison::Greater,
            Token::Symbol(">=") => Comparison::GreaterOrEqual,
            _ => return Ok(left),
        };
        if self.in_print {
            // An error to awk as well.
            return Err(refuse("printing a comparison without parentheses"));
        }
        self.advance()?;
        let right = self.concatenation()?;
        Ok(Expression::Compare(comparison, Box::new(left), Box::new(right)))
    }

    fn concatenation(&mut self) -> Result<Expression, Stopped> {
        let mut left = self.sum()?;
        while self.starts_operand() {
            self.count()?;
            left = Expression::Concatenate(Box::new(left), Box::new(self.sum()?));
        }
        Ok(left)
    }

    fn starts_operand(&self) -> bool {
        match self.token {
            Token::Number(_) | Token::Text(_) | Token::Name(_) | Token::Function(_) => true,
            Token::Symbol(symbol) => matches!(symbol, "$" | "(" | "++" | "--" | "!"),
            Token::End | Token::Newline => false,
        }
    }

    fn sum(&mut self) -> Result<Expression, Stopped> {
        let mut left = self.product()?;
        loop {
            let operator = match self.token {
                Token::Symbol("+") => Operator::Add,
                Token::Symbol("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.count()?;
            self.advance()?;
            left = Expression::Arithmetic(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expression, Stopped> {
        let mut left = self.unary()?;
        loop {
            let operator = match self.token {
                Token::Symbol("*") => Operator::Multiply,
                Token::Symbol("/") => Operator::Divide,
                Token::Symbol("%") => Operator::Remainder,
                _ => return Ok(left),
            };
            self.count()?;
            self.advance()?;
            left = Expression::Arithmetic(operator, Box::new(left), Box::new(self.unary()?));
        }
    }

    fn unary(&mut self) -> Result<Expression, Stopped> {
        self.deeper()?;
        let expression = if self.accept("!")? {
            self.unary().map(|it| Expression::Not(Box::new(it)))
        } else if self.accept("-")? {
            self.unary().map(|it| Expression::Negate(Box::new(it)))
        } else if self.accept("+")? {
            self.unary().map(|it| Expression::Plus(Box::new(it)))
        } else {
            self.postfix()
        };
        self.depth -= 1;
        expression
    }

    fn postfix(&mut self) -> Result<Expression, Stopped> {
        let target = self.primary()?;
        if !target.is_target() {
            return Ok(target);
        }
        for (symbol, by) in [("++", 1.0), ("--", -1.0)] {
            if self.accept(symbol)? {
                return Ok(Expression::Increment { target: Box::new(target), by, before: true });
            }
        }
        Ok(target)
    }

    fn primary(&mut self) -> Result<Expression, Stopped> {
        let token = self.token.clone();
        match token {
            Token::Number(value) => {
                self.advance()?;
                Ok(Expression::Number(value))
            }
            Token::Text(text) => {
                self.advance()?;
                Ok(Expression::Text(text.into()))
            }
            Token::Name(name) => self.variable(name),
            Token::Function(name) => self.call(name),
            Token::Symbol("/") => self.regex(""),
            Token::Symbol("/=") => self.regex("="),
            Token::Symbol("$") => {
                self.advance()?;
                self.deeper()?;
                // `$NF-1` is `($NF)-1`, and `$++i` and `$-1` are fields.
                let index = match self.token {
                    Token::Symbol("-" | "+" | "!") => self.unary()?,
                    Token::Symbol("++" | "--") => self.increment()?,
                    _ => self.primary()?,
                };
                self.depth -= 1;
                Ok(Expression::Field(Box::new(index)))
            }
            Token::Symbol("++" | "--") => self.increment(),
            Token::Symbol("(") => self.group(),
            Token::Symbol("getline") => {
                self.advance()?;
                if matches!(self.token, Token::Name(_) | Token::Symbol("$" | "<")) {
                    return Err(refuse("getline into a variable or of a file"));
                }
                Ok(Expression::GetLine)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn increment(&mut self) -> Result<Expression, Stopped> {
        let by = if self.is("++") { 1.0 } else { -1.0 };
        self.advance()?;
        self.deeper()?;
        let target = self.primary()?;
        self.depth -= 1;
        if !target.is_target() {
            return Err(self.unexpected());
        }
        Ok(Expression::Increment { target: Box::new(target), by, before: false })
    }

    fn variable(&mut self, name: String) -> Result<Expression, Stopped> {
        if self.lexer.at_parenthesis() {
            return Err(refuse(format_args!("the function {name}")));
        }
        self.advance()?;
        if self.accept("[")? {
            let index = self.one("]")?;
            return Ok(Expression::Element(name, Box::new(index)));
        }
        Ok(Expression::Variable(name))
    }

    fn call(&mut self, name: String) -> Result<Expression, Stopped> {
        self.advance()?;
        if self.accept("(")? {
            return Ok(Expression::Call(name, self.list(")")?));
        }
        if name == "length" {
            Ok(Expression::Call(name, Vec::new()))
        } else {
            Err(self.unexpected())
        }
    }

    fn regex(&mut self, start: &str) -> Result<Expression, Stopped> {
        let source = format!("{start}{}", self.lexer.regex()?);
        self.advance()?;
        self.patterns += 1;
        if self.patterns > PATTERNS {
            return Err(refuse("a program with this many patterns"));
        }
        let (mode, budget) = (Mode::default(), &mut self.budget);
        let pattern = Pattern::compile("awk", &[&source], Syntax::AWK, mode, budget)?;
        Ok(Expression::Regex(Rc::new(pattern)))
    }

    fn group(&mut self) -> Result<Expression, Stopped> {
        self.advance()?;
        self.one(")")
    }

    fn one(&mut self, close: &str) -> Result<Expression, Stopped> {
        let mut list = self.list(close)?;
        let only = list.pop().filter(|_| list.is_empty());
        only.ok_or_else(|| refuse("a list of indexes"))
    }
}
