//! Compares values: a set of nodes compares as true when one of its nodes does.

use super::super::failure::Failure;
use super::evaluator::Evaluator;
use super::expression::Operator;
use super::value::{Value, parse_number};

pub(super) fn holds(
    evaluator: &mut Evaluator<'_>,
    operator: Operator,
    left: &Value,
    right: &Value,
) -> Result<bool, Failure> {
    match (left, right) {
        (Value::Nodes(_), Value::Truth(_)) | (Value::Truth(_), Value::Nodes(_)) => {
            let (left, right) = (Value::Truth(left.truth()), Value::Truth(right.truth()));
            simple(evaluator, operator, &left, &right)
        }
        (Value::Nodes(nodes), Value::Nodes(others)) => {
            let others = texts(evaluator, &Value::Nodes(others.clone()))?;
            for left in texts(evaluator, &Value::Nodes(nodes.clone()))? {
                for right in &others {
                    if simple(evaluator, operator, &left, right)? {
                        return Ok(true);
                    }
                }
            }
            Ok(false)
        }
        (Value::Nodes(_), _) => {
            let mut any = false;
            for left in texts(evaluator, left)? {
                any = any || simple(evaluator, operator, &left, right)?;
            }
            Ok(any)
        }
        (_, Value::Nodes(_)) => {
            let mut any = false;
            for right in texts(evaluator, right)? {
                any = any || simple(evaluator, operator, left, &right)?;
            }
            Ok(any)
        }
        _ => simple(evaluator, operator, left, right),
    }
}

fn texts(evaluator: &mut Evaluator<'_>, value: &Value) -> Result<Vec<Value>, Failure> {
    let Value::Nodes(nodes) = value else { return Ok(vec![value.clone()]) };
    let mut texts = Vec::with_capacity(nodes.len());
    for node in nodes {
        texts.push(Value::Text(evaluator.text(&Value::Nodes(vec![*node]))?));
    }
    Ok(texts)
}

fn simple(
    evaluator: &mut Evaluator<'_>,
    operator: Operator,
    left: &Value,
    right: &Value,
) -> Result<bool, Failure> {
    evaluator.budget.step(1)?;
    if let Operator::Equal | Operator::NotEqual = operator {
        let equal = match (left, right) {
            (Value::Truth(_), _) | (_, Value::Truth(_)) => left.truth() == right.truth(),
            (Value::Text(left), Value::Text(right)) => left == right,
            _ => {
                let (left, right) = (number(left), number(right));
                left.partial_cmp(&right).is_some_and(std::cmp::Ordering::is_eq)
            }
        };
        return Ok(equal == (operator == Operator::Equal));
    }
    let (left, right) = (number(left), number(right));
    Ok(match operator {
        Operator::Less => left < right,
        Operator::LessOrEqual => left <= right,
        Operator::Greater => left > right,
        _ => left >= right,
    })
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Text(text) => parse_number(text),
        Value::Number(number) => *number,
        other => f64::from(u8::from(other.truth())),
    }
}
