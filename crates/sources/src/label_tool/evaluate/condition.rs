//! Evaluates conditions: true, false, or unknown (`None`).

use shuck_ast::{
    BinaryOp, Command, CompoundCommand, ConditionalBinaryOp, ConditionalExpr, ConditionalUnaryOp,
    Pattern, Stmt, StmtSeq,
};

use super::{Evaluator, either};
use crate::label_tool::glob::Glob;

impl Evaluator<'_> {
    /// Whether the condition of a branch holds.
    pub(super) fn condition(&mut self, condition: &StmtSeq) -> Option<bool> {
        match condition.as_slice() {
            [statement] => self.outcome(statement),
            _ => None,
        }
    }

    /// Whether a statement succeeds. Assignments always do.
    pub(super) fn outcome(&mut self, statement: &Stmt) -> Option<bool> {
        let success = match &statement.command {
            Command::Compound(CompoundCommand::Conditional(test)) => self.test(&test.expression),
            Command::Binary(binary) => {
                let (left, right) = (self.outcome(&binary.left), self.outcome(&binary.right));
                match binary.op {
                    BinaryOp::And => both(left, right),
                    BinaryOp::Or => either(left, right),
                    BinaryOp::Pipe | BinaryOp::PipeAll => None,
                }
            }
            Command::Simple(command) => {
                let name = self.text(&command.name)?;
                let arguments: Option<Vec<String>> =
                    command.args.iter().map(|word| self.word(word)).collect();
                match name.as_str() {
                    "" | "true" | "echo" => Some(true),
                    "false" => Some(false),
                    "[" | "test" => bracket_test(&arguments?),
                    _ => None,
                }
            }
            _ => None,
        };
        success.map(|success| success != statement.negated)
    }

    fn test(&mut self, expression: &ConditionalExpr) -> Option<bool> {
        match expression {
            ConditionalExpr::Parenthesized(inner) => self.test(&inner.expr),
            ConditionalExpr::Word(word) => self.word(word).map(|text| !text.is_empty()),
            ConditionalExpr::Unary(unary) => match unary.op {
                ConditionalUnaryOp::Not => self.test(&unary.expr).map(|holds| !holds),
                ConditionalUnaryOp::EmptyString => {
                    self.operand(&unary.expr).map(|text| text.is_empty())
                }
                ConditionalUnaryOp::NonEmptyString => {
                    self.operand(&unary.expr).map(|text| !text.is_empty())
                }
                _ => None,
            },
            ConditionalExpr::Binary(binary) => match binary.op {
                ConditionalBinaryOp::And => both(self.test(&binary.left), self.test(&binary.right)),
                ConditionalBinaryOp::Or => {
                    either(self.test(&binary.left), self.test(&binary.right))
                }
                ConditionalBinaryOp::PatternEq | ConditionalBinaryOp::PatternEqShort => {
                    self.equals(&binary.left, &binary.right)
                }
                ConditionalBinaryOp::PatternNe => {
                    self.equals(&binary.left, &binary.right).map(|equal| !equal)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn equals(&mut self, left: &ConditionalExpr, right: &ConditionalExpr) -> Option<bool> {
        let text = self.operand(left)?;
        match right {
            ConditionalExpr::Pattern(pattern) => self.pattern_matches(pattern, &text),
            other => self.operand(other).map(|expected| expected == text),
        }
    }

    fn operand(&mut self, expression: &ConditionalExpr) -> Option<String> {
        match expression {
            ConditionalExpr::Word(word) => self.word(word),
            ConditionalExpr::Pattern(pattern) => Some(pattern.render(self.source)),
            _ => None,
        }
    }

    /// Whether a pattern matches the whole text.
    pub(super) fn pattern_matches(&mut self, pattern: &Pattern, text: &str) -> Option<bool> {
        Glob::parse(&pattern.render_syntax(self.source)).map(|glob| glob.matches(text))
    }
}

/// Whether both conditions hold; `None` if that is unknown.
fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// `[ a = b ]`.
fn bracket_test(arguments: &[String]) -> Option<bool> {
    let arguments = match arguments {
        [inner @ .., end] if end == "]" => inner,
        all => all,
    };
    match arguments {
        [left, operator, right] => match operator.as_str() {
            "=" | "==" => Some(left == right),
            "!=" => Some(left != right),
            _ => None,
        },
        [flag, text] if flag == "-z" => Some(text.is_empty()),
        [flag, text] if flag == "-n" => Some(!text.is_empty()),
        _ => None,
    }
}
