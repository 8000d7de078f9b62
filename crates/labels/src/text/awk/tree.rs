//! A program after reading.

use std::rc::Rc;

use crate::text::pattern::Pattern;

/// A pattern with its action; without one, the record is printed.
pub(super) struct Rule {
    pub when: When,
    pub action: Option<Vec<Statement>>,
}

pub(super) enum When {
    Begin,
    End,
    Always,
    If(Expression),
    /// From a record to a record.
    Range(Expression, Expression),
}

pub(super) enum Statement {
    Block(Vec<Statement>),
    Break,
    Continue,
    Exit(Option<Expression>),
    Expression(Expression),
    For(Box<Loop>),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    Next,
    Print(Vec<Expression>),
    Printf(Vec<Expression>),
}

/// The parts of `for (first; condition; step) body`. A `while` has only a condition and a body.
pub(super) struct Loop {
    pub first: Option<Statement>,
    pub condition: Option<Expression>,
    pub step: Option<Statement>,
    pub body: Statement,
}

pub(super) enum Expression {
    And(Box<Expression>, Box<Expression>),
    Arithmetic(Operator, Box<Expression>, Box<Expression>),
    /// Assigns the value, or the result of an operator with the old one.
    Assign(Box<Expression>, Option<Operator>, Box<Expression>),
    Call(String, Vec<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    Concatenate(Box<Expression>, Box<Expression>),
    Element(String, Box<Expression>),
    Field(Box<Expression>),
    GetLine,
    /// Adds to a variable; the value is the one before or after.
    Increment {
        target: Box<Expression>,
        by: f64,
        before: bool,
    },
    /// A text matches a pattern, or does not.
    Match {
        text: Box<Expression>,
        pattern: Box<Expression>,
        negated: bool,
    },
    Negate(Box<Expression>),
    Not(Box<Expression>),
    Number(f64),
    Or(Box<Expression>, Box<Expression>),
    Plus(Box<Expression>),
    Regex(Rc<Pattern>),
    Text(Rc<str>),
    Variable(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
}

impl Expression {
    pub(super) fn is_target(&self) -> bool {
        matches!(self, Self::Variable(_) | Self::Element(..) | Self::Field(_))
    }
}
