//! Evaluates expressions.

use std::rc::Rc;

use super::machine::{KEPT, Machine, check_name};
use super::tree::{Comparison, Expression, Operator};
use super::value::{Value, refuse};
use crate::text::pattern::{Mode, Pattern, Syntax};
use crate::{Budget, Stopped};

/// About how many bytes an element of an array takes besides its text.
const ELEMENT: usize = 96;

impl Machine<'_> {
    pub(super) fn evaluate(
        &mut self,
        expression: &Expression,
        budget: &mut Budget,
    ) -> Result<Value, Stopped> {
        budget.step(1)?;
        let value = self.value_of(expression, budget)?;
        // Whoever gets a long text compares it, or looks for a number in it.
        budget.step(value.steps())?;
        Ok(value)
    }

    fn value_of(&mut self, expression: &Expression, budget: &mut Budget) -> Result<Value, Stopped> {
        Ok(match expression {
            Expression::Number(value) => Value::Number(*value),
            Expression::Text(text) => Value::Text(Rc::clone(text)),
            Expression::Regex(pattern) => {
                let record = self.record.text().to_text();
                Value::truth(pattern.is_match(&record, budget)?)
            }
            Expression::Variable(_) | Expression::Element(..) | Expression::Field(_) => {
                self.get(expression, budget)?
            }
            Expression::And(left, right) => {
                let both = self.evaluate(left, budget)?.is_true()
                    && self.evaluate(right, budget)?.is_true();
                Value::truth(both)
            }
            Expression::Or(left, right) => {
                let either = self.evaluate(left, budget)?.is_true()
                    || self.evaluate(right, budget)?.is_true();
                Value::truth(either)
            }
            Expression::Not(value) => Value::truth(!self.evaluate(value, budget)?.is_true()),
            Expression::Negate(value) => Value::Number(-self.evaluate(value, budget)?.to_number()),
            Expression::Plus(value) => Value::Number(self.evaluate(value, budget)?.to_number()),
            Expression::Choice(condition, yes, no) => {
                let chosen = if self.evaluate(condition, budget)?.is_true() { yes } else { no };
                self.evaluate(chosen, budget)?
            }
            Expression::Arithmetic(operator, left, right) => {
                let left = self.evaluate(left, budget)?.to_number();
                let right = self.evaluate(right, budget)?.to_number();
                Value::Number(calculate(*operator, left, right)?)
            }
            Expression::Compare(comparison, left, right) => {
                let left = self.evaluate(left, budget)?;
                let right = self.evaluate(right, budget)?;
                Value::truth(holds(*comparison, left.compare(&right)))
            }
            Expression::Concatenate(left, right) => {
                let left = self.evaluate(left, budget)?.to_text();
                let right = self.evaluate(right, budget)?.to_text();
                budget.hold(left.len() + right.len())?;
                Value::text(format!("{left}{right}"))
            }
            Expression::Match { text, pattern, negated } => {
                let text = self.evaluate(text, budget)?.to_text();
                let pattern = self.pattern(pattern, budget)?;
                Value::truth(pattern.is_match(&text, budget)? != *negated)
            }
            Expression::Assign(target, operator, value) => {
                let mut value = self.evaluate(value, budget)?;
                if let Some(operator) = operator {
                    let old = self.get(target, budget)?.to_number();
                    value = Value::Number(calculate(*operator, old, value.to_number())?);
                }
                self.set(target, value.clone(), budget)?;
                value
            }
            Expression::Increment { target, by, before } => {
                let old = self.get(target, budget)?.to_number();
                self.set(target, Value::Number(old + by), budget)?;
                Value::Number(if *before { old } else { old + by })
            }
            Expression::GetLine => Value::truth(self.next_record(budget)?),
            Expression::Call(name, arguments) => self.call(name, arguments, budget)?,
        })
    }

    pub(super) fn evaluate_all(
        &mut self,
        expressions: &[Expression],
        budget: &mut Budget,
    ) -> Result<Vec<Value>, Stopped> {
        expressions.iter().map(|expression| self.evaluate(expression, budget)).collect()
    }

    /// The pattern that an expression means: itself, or its value as a source.
    pub(super) fn pattern(
        &mut self,
        expression: &Expression,
        budget: &mut Budget,
    ) -> Result<Rc<Pattern>, Stopped> {
        if let Expression::Regex(pattern) = expression {
            return Ok(Rc::clone(pattern));
        }
        let source = self.evaluate(expression, budget)?.to_text();
        if let Some(known) = self.patterns.get(&source) {
            return Ok(Rc::clone(known));
        }
        if self.patterns.len() >= KEPT {
            self.patterns.clear();
        }
        let pattern = Pattern::compile("awk", &[&source], Syntax::AWK, Mode::default(), budget)?;
        let pattern = Rc::new(pattern);
        self.patterns.insert(source, Rc::clone(&pattern));
        Ok(pattern)
    }

    fn get(&mut self, target: &Expression, budget: &mut Budget) -> Result<Value, Stopped> {
        match target {
            Expression::Variable(name) if name == "NF" => {
                Ok(Value::count(self.record.count(budget)?))
            }
            Expression::Variable(name) => {
                if self.arrays.contains_key(name) {
                    return Err(refuse(format_args!("the array {name} as a value")));
                }
                Ok(self.variables.get(name).cloned().unwrap_or_default())
            }
            Expression::Element(name, index) => {
                let index = self.evaluate(index, budget)?.to_text();
                budget.hold(ELEMENT + index.len())?;
                // Looking at an element makes it.
                let array = self.arrays.entry(name.clone()).or_default();
                Ok(array.entry(index).or_default().clone())
            }
            Expression::Field(index) => {
                let index = self.field_index(index, budget)?;
                if index == 0 { Ok(self.record.text()) } else { self.record.field(index, budget) }
            }
            _ => Err(refuse("this target")),
        }
    }

    pub(super) fn set(
        &mut self,
        target: &Expression,
        value: Value,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        match target {
            Expression::Variable(name) => self.set_variable(name, value, budget),
            Expression::Element(name, index) => {
                let index = self.evaluate(index, budget)?.to_text();
                budget.hold(ELEMENT + index.len())?;
                self.arrays.entry(name.clone()).or_default().insert(index, value);
                Ok(())
            }
            Expression::Field(index) => {
                let index = self.field_index(index, budget)?;
                if index == 0 {
                    return self.set_record(value.to_text(), budget);
                }
                let separator = self.text_of("OFS");
                self.record.set_field(index, value, &separator, budget)
            }
            _ => Err(refuse("this target")),
        }
    }

    pub(super) fn set_variable(
        &mut self,
        name: &str,
        value: Value,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        if name == "NF" {
            let count = usize::try_from(value.to_index()).map_err(|_| refuse("a negative NF"))?;
            let separator = self.text_of("OFS");
            return self.record.set_count(count, &separator, budget);
        }
        check_name(name)?;
        self.variables.insert(name.to_owned(), value);
        Ok(())
    }

    fn field_index(&mut self, index: &Expression, budget: &mut Budget) -> Result<usize, Stopped> {
        let index = self.evaluate(index, budget)?.to_index();
        usize::try_from(index).map_err(|_| {
            // An error to awk, which ends with what is printed so far.
            self.failed = true;
            refuse(format_args!("the field {index}"))
        })
    }
}

fn calculate(operator: Operator, left: f64, right: f64) -> Result<f64, Stopped> {
    Ok(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide | Operator::Remainder if right == 0.0 => {
            return Err(refuse("a division by zero"));
        }
        Operator::Divide => left / right,
        Operator::Remainder => left % right,
    })
}

fn holds(comparison: Comparison, ordering: Option<std::cmp::Ordering>) -> bool {
    let Some(ordering) = ordering else { return comparison == Comparison::NotEqual };
    match comparison {
        Comparison::Less => ordering.is_lt(),
        Comparison::LessOrEqual => ordering.is_le(),
        Comparison::Equal => ordering.is_eq(),
        Comparison::NotEqual => ordering.is_ne(),
        Comparison::Greater => ordering.is_gt(),
        Comparison::GreaterOrEqual => ordering.is_ge(),
    }
}
