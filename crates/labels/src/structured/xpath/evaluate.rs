//! Evaluates an expression.

use super::super::failure::Failure;
use super::super::tree::{Document, NodeId};
use super::evaluator::{Context, Evaluator};
use super::expression::{Expression, Operator, Start, Step};
use super::value::Value;
use super::{axes, compare, functions};

impl Evaluator<'_> {
    /// The parser limits the depth of the recursion.
    pub(super) fn evaluate(
        &mut self,
        expression: &Expression,
        context: Context,
    ) -> Result<Value, Failure> {
        self.budget.step(1)?;
        match expression {
            Expression::Literal(text) => Ok(Value::Text(text.clone())),
            Expression::Number(number) => Ok(Value::Number(*number)),
            Expression::Negate(inner) => {
                let value = self.evaluate(inner, context)?;
                Ok(Value::Number(-self.number(&value)?))
            }
            Expression::Call(name, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.evaluate(argument, context)?);
                }
                functions::call(self, name, &values, context)
            }
            Expression::Filter(inner, predicates) => {
                let Value::Nodes(mut nodes) = self.evaluate(inner, context)? else {
                    return Err(Failure::Refused);
                };
                for predicate in predicates {
                    nodes = self.filter(nodes, predicate)?;
                }
                Ok(Value::Nodes(nodes))
            }
            Expression::Path(start, steps) => self.path(start, steps, context),
            Expression::Binary(operator, left, right) => {
                self.binary(*operator, left, right, context)
            }
        }
    }

    fn path(&mut self, start: &Start, steps: &[Step], context: Context) -> Result<Value, Failure> {
        let mut nodes = match start {
            Start::Context => vec![context.node],
            Start::Root => vec![Document::ROOT],
            Start::Expression(expression) => match self.evaluate(expression, context)? {
                Value::Nodes(nodes) => nodes,
                _ => return Err(Failure::Refused),
            },
        };
        for step in steps {
            nodes = self.step(step, &nodes)?;
        }
        Ok(Value::Nodes(nodes))
    }

    fn step(&mut self, step: &Step, from: &[NodeId]) -> Result<Vec<NodeId>, Failure> {
        axes::check_prefix(self.dialect, &step.test)?;
        let mut found = Vec::new();
        for node in from {
            let mut nodes = axes::nodes(self.document, step.axis, *node);
            self.budget.step(nodes.len() + 1)?;
            let (document, dialect) = (self.document, self.dialect);
            nodes.retain(|id| axes::passes(document, dialect, step.axis, &step.test, *id));
            for predicate in &step.predicates {
                nodes = self.filter(nodes, predicate)?;
            }
            self.budget.hold_each(nodes.len(), 16)?;
            found.extend(nodes);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn filter(
        &mut self,
        nodes: Vec<NodeId>,
        predicate: &Expression,
    ) -> Result<Vec<NodeId>, Failure> {
        let size = nodes.len();
        let mut kept = Vec::new();
        for (index, node) in nodes.into_iter().enumerate() {
            let context = Context { node, position: index + 1, size };
            let keep = match self.evaluate(predicate, context)? {
                Value::Number(number) => is_position(number, context.position),
                value => value.truth(),
            };
            if keep {
                kept.push(node);
            }
        }
        Ok(kept)
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        context: Context,
    ) -> Result<Value, Failure> {
        let left = self.evaluate(left, context)?;
        if let Operator::Or | Operator::And = operator {
            let decided = left.truth() == (operator == Operator::Or);
            let truth = if decided { left.truth() } else { self.evaluate(right, context)?.truth() };
            return Ok(Value::Truth(truth));
        }
        let right = self.evaluate(right, context)?;
        if operator == Operator::Union {
            let (Value::Nodes(mut nodes), Value::Nodes(more)) = (left, right) else {
                return Err(Failure::Refused);
            };
            nodes.extend(more);
            nodes.sort_unstable();
            nodes.dedup();
            return Ok(Value::Nodes(nodes));
        }
        let arithmetic: fn(f64, f64) -> f64 = match operator {
            Operator::Plus => |left, right| left + right,
            Operator::Minus => |left, right| left - right,
            Operator::Multiply => |left, right| left * right,
            Operator::Divide => |left, right| left / right,
            Operator::Modulo => |left, right| left % right,
            _ => return Ok(Value::Truth(compare::holds(self, operator, &left, &right)?)),
        };
        Ok(Value::Number(arithmetic(self.number(&left)?, self.number(&right)?)))
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "positions are far smaller than numbers without fractions can be, and compare exactly"
)]
fn is_position(number: f64, position: usize) -> bool {
    number == position as f64
}
