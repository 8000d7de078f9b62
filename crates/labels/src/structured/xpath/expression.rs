//! An expression after parsing.

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Literal(String),
    Number(f64),
    Path(Start, Vec<Step>),
    /// An expression in parentheses, or a call, with predicates.
    Filter(Box<Expression>, Vec<Expression>),
    Call(String, Vec<Expression>),
    Negate(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Start {
    Context,
    Root,
    Expression(Box<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
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
pub(super) struct Step {
    pub(super) axis: Axis,
    pub(super) test: Test,
    pub(super) predicates: Vec<Expression>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Ancestor,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    FollowingSibling,
    Parent,
    PrecedingSibling,
    Itself,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    /// `*`
    Any,
    Name(String),
    /// `prefix:*`
    Prefix(String),
    Text,
    Comment,
    Node,
}
