//! Assignments to one element: `list[2]=value`.

use super::{Shell, Value, Variable, value::size_of_all};
use crate::{Stopped, syntax::Assignment};

/// The greatest number of an element.
const MAX_ELEMENT: usize = 10_000;

impl Shell<'_> {
    /// The list with one element replaced, or with a text added to it.
    pub(super) fn with_element(
        &mut self,
        assignment: &Assignment,
        subscript: &str,
        value: Value,
    ) -> Variable {
        let unsupported = || {
            Stopped::Unsupported(format!(
                "an assignment to {}[{subscript}] is not supported",
                assignment.name
            ))
        };
        let number = subscript.parse().ok().filter(|number| (1..=MAX_ELEMENT).contains(number));
        let at = number.ok_or_else(unsupported)? - 1;
        let mut list = match self.variables.get(&assignment.name).cloned().transpose()? {
            None => Vec::new(),
            Some(Value::List(list)) => list,
            Some(Value::Text(_)) => return Err(unsupported()),
        };
        self.budget.hold(size_of_all(&list) + (at + 1) * size_of::<String>())?;
        let Value::Text(text) = value else { return Err(unsupported()) };
        if list.len() <= at {
            list.resize(at + 1, String::new());
        }
        if let Some(element) = list.get_mut(at) {
            if assignment.append {
                element.push_str(&text);
            } else {
                *element = text;
            }
        }
        Ok(Value::List(list))
    }
}
