//! Runs a program: every value goes on to the next filter at once, so that what comes before an error
//! is still printed.

use serde_json::Value;

use super::functions;
use super::order::compare;
use super::parser::{Filter, Operator};
use super::runner::{Leave, Runner, Sink, is_true, weight};

impl<'budget> Runner<'budget> {
    /// Gives all values of a filter to a sink. The parser limits the depth of the recursion.
    pub(super) fn evaluate(
        &mut self,
        filter: &Filter,
        input: &Value,
        sink: &mut Sink<'_, 'budget>,
    ) -> Result<(), Leave> {
        self.budget.step(1)?;
        match filter {
            Filter::Identity => sink(self, input),
            Filter::Literal(value) => sink(self, value),
            Filter::Index(base, key) => self.evaluate(base, input, &mut |runner, base| {
                runner.evaluate(key, input, &mut |runner, key| index(runner, base, key, sink))
            }),
            Filter::Iterate(base) => self.evaluate(base, input, &mut |runner, base| match base {
                Value::Array(values) => values.iter().try_for_each(|value| sink(runner, value)),
                Value::Object(map) => map.values().try_for_each(|value| sink(runner, value)),
                _ => Err(Leave::Failed),
            }),
            Filter::Pipe(left, right) => {
                self.evaluate(left, input, &mut |runner, value| runner.evaluate(right, value, sink))
            }
            Filter::Comma(left, right) => {
                self.evaluate(left, input, sink)?;
                self.evaluate(right, input, sink)
            }
            Filter::Collect(None) => sink(self, &Value::Array(Vec::new())),
            Filter::Collect(Some(inner)) => {
                let values = self.collect(inner, input)?;
                sink(self, &Value::Array(values))
            }
            Filter::Try(inner) => {
                let values = self.collect_until_error(inner, input)?;
                values.iter().try_for_each(|value| sink(self, value))
            }
            Filter::Binary(operator, left, right) => {
                self.binary(*operator, left, right, input, sink)
            }
            Filter::Call(name, arguments) => functions::call(self, name, arguments, input, sink),
        }
    }

    pub(super) fn collect(&mut self, filter: &Filter, input: &Value) -> Result<Vec<Value>, Leave> {
        let mut values = Vec::new();
        self.evaluate(filter, input, &mut |runner, value| {
            values.push(runner.copy(value)?);
            Ok(())
        })?;
        Ok(values)
    }

    fn collect_until_error(&mut self, filter: &Filter, input: &Value) -> Result<Vec<Value>, Leave> {
        let mut values = Vec::new();
        let result = self.evaluate(filter, input, &mut |runner, value| {
            values.push(runner.copy(value)?);
            Ok(())
        });
        match result {
            Ok(()) | Err(Leave::Failed) => Ok(values),
            Err(leave) => Err(leave),
        }
    }

    pub(super) fn first(&mut self, filter: &Filter, input: &Value) -> Result<Option<Value>, Leave> {
        let number = self.next_number();
        let mut first = None;
        let result = self.evaluate(filter, input, &mut |runner, value| {
            first = Some(runner.copy(value)?);
            Err(Leave::Enough(number))
        });
        match result {
            Err(Leave::Enough(enough)) if enough == number => Ok(first),
            result => result.map(|()| first),
        }
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Filter,
        right: &Filter,
        input: &Value,
        sink: &mut Sink<'_, 'budget>,
    ) -> Result<(), Leave> {
        match operator {
            Operator::Alternative => {
                let values = self.collect_until_error(left, input)?;
                let mut found = false;
                for value in values.iter().filter(|value| is_true(value)) {
                    found = true;
                    sink(self, value)?;
                }
                if found { Ok(()) } else { self.evaluate(right, input, sink) }
            }
            Operator::And | Operator::Or => self.evaluate(left, input, &mut |runner, left| {
                let decided = is_true(left) == (operator == Operator::Or);
                if decided {
                    return sink(runner, &is_true(left).into());
                }
                runner.evaluate(right, input, &mut |runner, right| {
                    sink(runner, &is_true(right).into())
                })
            }),
            _ => self.evaluate(right, input, &mut |runner, right| {
                runner.evaluate(left, input, &mut |runner, left| {
                    let value = combine(runner, operator, left, right)?;
                    sink(runner, &value)
                })
            }),
        }
    }
}

fn index<'budget>(
    runner: &mut Runner<'budget>,
    base: &Value,
    key: &Value,
    sink: &mut Sink<'_, 'budget>,
) -> Result<(), Leave> {
    let found = match (base, key) {
        (Value::Null, Value::String(_) | Value::Number(_)) => None,
        (Value::Object(map), Value::String(name)) => map.get(name),
        (Value::Array(values), Value::Number(number)) => {
            let number = number.as_i64().ok_or(Leave::Failed)?;
            let length = i64::try_from(values.len()).unwrap_or(i64::MAX);
            let place = if number < 0 { length.saturating_add(number) } else { number };
            usize::try_from(place).ok().and_then(|place| values.get(place))
        }
        _ => return Err(Leave::Failed),
    };
    sink(runner, found.unwrap_or(&Value::Null))
}

fn combine(
    runner: &mut Runner<'_>,
    operator: Operator,
    left: &Value,
    right: &Value,
) -> Result<Value, Leave> {
    runner.budget.step(weight(left).min(weight(right)) / 32)?;
    let order = compare(left, right);
    Ok(match operator {
        Operator::Equal => order.is_eq().into(),
        Operator::NotEqual => order.is_ne().into(),
        Operator::Less => order.is_lt().into(),
        Operator::LessOrEqual => order.is_le().into(),
        Operator::Greater => order.is_gt().into(),
        Operator::GreaterOrEqual => order.is_ge().into(),
        _ => functions::add(runner, left, right)?,
    })
}
