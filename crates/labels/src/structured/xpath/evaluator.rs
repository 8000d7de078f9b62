//! What is evaluated, and the texts and numbers of values.

use super::super::failure::Failure;
use super::super::tree::{Dialect, Document, NodeId};
use super::value::Value;
use crate::Budget;

/// The node that an expression is evaluated for, its position and the number of nodes with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) node: NodeId,
    pub(super) position: usize,
    pub(super) size: usize,
}

impl Context {
    /// The context of a whole expression: the document.
    pub(super) const ROOT: Self = Self { node: Document::ROOT, position: 1, size: 1 };
}

pub(super) struct Evaluator<'run> {
    pub(super) document: &'run Document,
    pub(super) dialect: Dialect,
    pub(super) budget: &'run mut Budget,
}

impl Evaluator<'_> {
    /// The text of a value; texts that are made count.
    pub(super) fn text(&mut self, value: &Value) -> Result<String, Failure> {
        if let Value::Nodes(nodes) = value
            && let Some(first) = nodes.first()
        {
            self.budget.step(self.document.descendants(*first).count())?;
        }
        let text = value.text(self.document, self.dialect);
        self.budget.step(text.len() / 16 + 1)?;
        self.budget.hold(text.len())?;
        Ok(text)
    }

    pub(super) fn number(&mut self, value: &Value) -> Result<f64, Failure> {
        if let Value::Nodes(_) = value {
            return Ok(Value::Text(self.text(value)?).number(self.document, self.dialect));
        }
        self.budget.step(1)?;
        Ok(value.number(self.document, self.dialect))
    }
}
