//! `XPath` 1.0, as Perl's `XML::XPath` and as libxml2 evaluate it.
//!
//! The expression is parsed with a limit for its depth, and every node that is looked at takes a step
//! from the budget.

mod axes;
mod compare;
mod evaluate;
mod evaluator;
mod expression;
mod functions;
mod lexer;
mod parser;
mod value;

use super::failure::Failure;
use super::tree::{Dialect, Document};
use crate::Budget;

use evaluator::{Context, Evaluator};

pub(super) use value::{Value, format_number};

pub(super) fn evaluate(
    document: &Document,
    expression: &str,
    dialect: Dialect,
    budget: &mut Budget,
) -> Result<Value, Failure> {
    budget.step(expression.len())?;
    let expression = parser::parse(expression, dialect)?;
    let mut evaluator = Evaluator { document, dialect, budget };
    evaluator.evaluate(&expression, Context::ROOT)
}

#[cfg(test)]
mod tests;
