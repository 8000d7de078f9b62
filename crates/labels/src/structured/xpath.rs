//! `XPath` 1.0, as Perl's `XML::XPath` and as libxml2 evaluate it.
//!
//! The expression is parsed with a limit for its depth, and every node that is looked at takes a step
//! from the budget.

mod axes;
mod compare;
mod evaluate;
mod functions;
mod lexer;
mod parser;
mod value;

use super::dialect::Dialect;
use super::failure::Failure;
use super::tree::Document;
use crate::Budget;

pub(super) use value::{Value, format_number};

/// Evaluates an expression with the document as the context.
pub(super) fn evaluate(
    document: &Document,
    expression: &str,
    dialect: Dialect,
    budget: &mut Budget,
) -> Result<Value, Failure> {
    budget.step(expression.len())?;
    let expression = parser::parse(expression, dialect)?;
    let mut evaluator = evaluate::Evaluator { document, dialect, budget };
    evaluator.evaluate(&expression, evaluate::Context::ROOT)
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
enum Expression {
    Literal(String),
    Number(f64),
    /// A path: where it starts and its steps.
    Path(Start, Vec<Step>),
    /// An expression in parentheses, or a call, with predicates.
    Filter(Box<Expression>, Vec<Expression>),
    Call(String, Vec<Expression>),
    Negate(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Debug, Clone, PartialEq)]
enum Start {
    Context,
    Root,
    Expression(Box<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Multiply,
    Divide,
    Modulo,
    Union,
}

#[derive(Debug, Clone, PartialEq)]
struct Step {
    axis: Axis,
    test: Test,
    predicates: Vec<Expression>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Parent,
    Preceding,
    PrecedingSibling,
    Itself,
}

/// What a step selects on its axis.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    /// `*`
    Any,
    /// A name as written, with or without a prefix.
    Name(String),
    /// `prefix:*`
    Prefix(String),
    Text,
    Comment,
    /// A processing instruction, with its target if given.
    Instruction(Option<String>),
    Node,
}

#[cfg(test)]
mod tests;
