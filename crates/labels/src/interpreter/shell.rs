//! The state of a run.

use std::collections::HashMap;

use super::{value::Value, variables::Variables};
use crate::{Budget, Mac, Network, Request, Stopped, syntax::Script, trace::Trace};

pub(crate) struct Shell<'a> {
    pub(crate) mac: &'a Mac,
    pub(crate) network: &'a mut dyn Network,
    pub(crate) budget: &'a mut Budget,
    pub(crate) trace: &'a mut dyn Trace,
    pub(crate) variables: Variables,
    pub(crate) requests: Vec<Request>,
    pub(super) functions: HashMap<String, Script>,
    pub(super) arguments: Vec<String>,
    pub(super) status: Result<u8, Stopped>,
    /// Whether a command was substituted since the start of the assignments that run.
    pub(super) substituted: bool,
    /// How many subshells are around the statement that runs.
    pub(super) subshells: usize,
}

impl<'a> Shell<'a> {
    pub(crate) fn new(
        mac: &'a Mac,
        network: &'a mut dyn Network,
        budget: &'a mut Budget,
        trace: &'a mut dyn Trace,
    ) -> Self {
        Self {
            mac,
            network,
            budget,
            trace,
            variables: Variables::default(),
            requests: Vec::new(),
            functions: HashMap::new(),
            arguments: Vec::new(),
            status: Ok(0),
            substituted: false,
            subshells: 0,
        }
    }

    /// Whether a limit of the whole run is reached. Other limits concern a single value.
    pub(super) fn is_over(&self) -> bool {
        self.budget.is_exhausted()
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.insert(name.to_owned(), Ok(Value::Text(value.into())));
    }
}
