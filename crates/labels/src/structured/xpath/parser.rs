//! Builds the expression from its tokens.

use super::super::failure::Failure;
use super::super::tree::Dialect;
use super::expression::{Axis, Expression, Operator, Start, Step, Test};
use super::lexer::{Token, tokens};
use crate::Stopped;

/// How deep parentheses, predicates and arguments may be nested.
const DEPTH: usize = 64;

pub(super) fn parse(expression: &str, dialect: Dialect) -> Result<Expression, Failure> {
    let mut parser = Parser { tokens: tokens(expression)?, place: 0, depth: 0, dialect };
    let expression = parser.expression()?;
    if parser.peek().is_some() { Err(Failure::Refused) } else { Ok(expression) }
}

struct Parser {
    tokens: Vec<Token>,
    place: usize,
    depth: usize,
    dialect: Dialect,
}

/// The operators, from the loosest to the tightest.
const LEVELS: [&[(&str, Operator)]; 7] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[("=", Operator::Equal), ("!=", Operator::NotEqual)],
    &[
        ("<", Operator::Less),
        ("<=", Operator::LessOrEqual),
        (">", Operator::Greater),
        (">=", Operator::GreaterOrEqual),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Multiply), ("div", Operator::Divide), ("mod", Operator::Modulo)],
    &[("|", Operator::Union)],
];

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.place)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Symbol(next)) if *next == symbol);
        self.place += usize::from(found);
        found
    }

    /// Takes a closing mark. Perl's parser does not miss it at the end of the expression, and labels
    /// rely on that.
    fn close(&mut self, symbol: &str) -> Result<(), Failure> {
        let forgotten = self.dialect == Dialect::Perl && self.peek().is_none();
        if self.take(symbol) || forgotten { Ok(()) } else { Err(Failure::Refused) }
    }

    fn expression(&mut self) -> Result<Expression, Failure> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Stopped::TooMuch("the XPath expression is nested too deeply").into());
        }
        let expression = self.binary(&LEVELS)?;
        self.depth -= 1;
        Ok(expression)
    }

    fn binary(&mut self, levels: &[&[(&str, Operator)]]) -> Result<Expression, Failure> {
        let Some((operators, tighter)) = levels.split_first() else { return self.path() };
        // The minus sign binds tighter than a product, but not than a union.
        if tighter.is_empty() {
            let mut negative = false;
            while self.take("-") {
                negative = !negative;
            }
            if negative {
                return Ok(Expression::Negate(Box::new(self.binary(levels)?)));
            }
        }
        let mut left = self.binary(tighter)?;
        while let Some((_, operator)) = operators.iter().find(|(symbol, _)| self.take(symbol)) {
            let right = self.binary(tighter)?;
            left = Expression::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn path(&mut self) -> Result<Expression, Failure> {
        if self.take("//") {
            let mut steps = vec![any_below()];
            self.steps(&mut steps)?;
            return Ok(Expression::Path(Start::Root, steps));
        }
        if self.take("/") {
            let mut steps = Vec::new();
            if self.starts_step() {
                self.steps(&mut steps)?;
            }
            return Ok(Expression::Path(Start::Root, steps));
        }
        if self.starts_step() {
            let mut steps = Vec::new();
            self.steps(&mut steps)?;
            return Ok(Expression::Path(Start::Context, steps));
        }
        let filter = self.filter()?;
        let mut steps = Vec::new();
        if self.take("//") {
            steps.push(any_below());
        } else if !self.take("/") {
            return Ok(filter);
        }
        self.steps(&mut steps)?;
        Ok(Expression::Path(Start::Expression(Box::new(filter)), steps))
    }

    fn starts_step(&self) -> bool {
        match self.peek() {
            Some(Token::Symbol(symbol)) => matches!(*symbol, "." | ".." | "@"),
            Some(Token::Axis(_)) => true,
            Some(Token::Name(name)) => !self.is_called() || is_node_type(name),
            _ => false,
        }
    }

    fn is_called(&self) -> bool {
        matches!(self.tokens.get(self.place + 1), Some(Token::Symbol("(")))
    }

    fn steps(&mut self, steps: &mut Vec<Step>) -> Result<(), Failure> {
        loop {
            steps.push(self.step()?);
            if self.take("//") {
                steps.push(any_below());
            } else if !self.take("/") || self.dialect == Dialect::Perl && self.peek().is_none() {
                // Perl's parser does not mind a slash at the end either.
                return Ok(());
            }
        }
    }

    fn step(&mut self) -> Result<Step, Failure> {
        let whole = |axis| Step { axis, test: Test::Node, predicates: Vec::new() };
        if self.take(".") {
            return Ok(whole(Axis::Itself));
        }
        if self.take("..") {
            return Ok(whole(Axis::Parent));
        }
        let mut axis = Axis::Child;
        if self.take("@") {
            axis = Axis::Attribute;
        } else if let Some(Token::Axis(name)) = self.peek() {
            axis = axis_named(name)?;
            self.place += 1;
        }
        let test = self.test()?;
        let mut predicates = Vec::new();
        while self.take("[") {
            predicates.push(self.expression()?);
            self.close("]")?;
        }
        Ok(Step { axis, test, predicates })
    }

    fn test(&mut self) -> Result<Test, Failure> {
        let called = self.is_called();
        let Some(Token::Name(name)) = self.peek().cloned() else { return Err(Failure::Refused) };
        self.place += 1;
        if called && is_node_type(&name) {
            self.place += 1;
            if name == "processing-instruction" {
                return Err(Stopped::unsupported("XPath", "a processing instruction").into());
            }
            self.close(")")?;
            return Ok(match name.as_str() {
                "text" => Test::Text,
                "comment" => Test::Comment,
                _ => Test::Node,
            });
        }
        Ok(match name.strip_suffix(":*") {
            Some(prefix) => Test::Prefix(prefix.to_owned()),
            None if name == "*" => Test::Any,
            None => Test::Name(name),
        })
    }

    fn filter(&mut self) -> Result<Expression, Failure> {
        let token = self.peek().cloned();
        self.place += 1;
        let primary = match token {
            Some(Token::Literal(text)) => Expression::Literal(text),
            Some(Token::Number(number)) => Expression::Number(number),
            Some(Token::Symbol("(")) => {
                let inner = self.expression()?;
                self.close(")")?;
                inner
            }
            Some(Token::Symbol("$")) => {
                return Err(Stopped::unsupported("XPath", "a variable").into());
            }
            Some(Token::Name(name)) if self.take("(") => Expression::Call(name, self.arguments()?),
            _ => return Err(Failure::Refused),
        };
        let mut predicates = Vec::new();
        while self.take("[") {
            predicates.push(self.expression()?);
            self.close("]")?;
        }
        if predicates.len() > 1 && self.dialect == Dialect::Perl {
            // Perl's module allows only one predicate here.
            return Err(Failure::Refused);
        }
        if predicates.is_empty() {
            return Ok(primary);
        }
        Ok(Expression::Filter(Box::new(primary), predicates))
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, Failure> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.take(",") {
                self.close(")")?;
                return Ok(arguments);
            }
        }
    }
}

fn any_below() -> Step {
    Step { axis: Axis::DescendantOrSelf, test: Test::Node, predicates: Vec::new() }
}

fn is_node_type(name: &str) -> bool {
    matches!(name, "text" | "comment" | "node" | "processing-instruction")
}

fn axis_named(name: &str) -> Result<Axis, Failure> {
    Ok(match name {
        "ancestor" => Axis::Ancestor,
        "attribute" => Axis::Attribute,
        "child" => Axis::Child,
        "descendant" => Axis::Descendant,
        "descendant-or-self" => Axis::DescendantOrSelf,
        "following-sibling" => Axis::FollowingSibling,
        "parent" => Axis::Parent,
        "preceding-sibling" => Axis::PrecedingSibling,
        "self" => Axis::Itself,
        "ancestor-or-self" | "following" | "preceding" | "namespace" => {
            return Err(Stopped::unsupported("XPath", format!("the axis {name}")).into());
        }
        _ => return Err(Failure::Refused),
    })
}
