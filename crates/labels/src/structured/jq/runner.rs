//! The state of a run, and how values are passed on.

use serde_json::Value;

use crate::{Budget, Stopped, search::Search};

/// Why a filter is left before its end.
#[derive(Debug)]
pub(super) enum Leave {
    /// An error that the program can catch.
    Failed,
    /// The filter with this number has the value that it waited for.
    Enough(usize),
    Stopped(Stopped),
}

impl From<Stopped> for Leave {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

pub(super) type Sink<'run, 'budget> =
    dyn FnMut(&mut Runner<'budget>, &Value) -> Result<(), Leave> + 'run;

pub(super) struct Runner<'budget> {
    pub(super) budget: &'budget mut Budget,
    /// The last pattern, which is usually the next one as well.
    pub(super) pattern: Option<(String, Search)>,
    waiting: usize,
}

impl<'budget> Runner<'budget> {
    pub(super) fn new(budget: &'budget mut Budget) -> Self {
        Self { budget, pattern: None, waiting: 0 }
    }

    /// A number for a filter that waits for a value.
    pub(super) fn next_number(&mut self) -> usize {
        self.waiting += 1;
        self.waiting
    }

    /// Copies a value; copies count.
    pub(super) fn copy(&mut self, value: &Value) -> Result<Value, Leave> {
        self.budget.hold(weight(value))?;
        Ok(value.clone())
    }
}

pub(super) fn is_true(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

/// About how many bytes a value takes. The depth of values is limited by the reader and the parser.
pub(super) fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => 32 + text.len(),
        Value::Array(values) => 32 + values.iter().map(weight).sum::<usize>(),
        Value::Object(map) => {
            32 + map.iter().map(|(name, value)| name.len() + weight(value)).sum::<usize>()
        }
        _ => 32,
    }
}
