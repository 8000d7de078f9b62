//! The state of a run.

use std::collections::HashMap;

use super::{value::Value, variables::Variables};
use crate::{Budget, Mac, Network, Request, Stopped, syntax::Script, trace::Trace};

/// The greatest nesting of commands at run time: functions can call each other.
pub(super) const MAX_DEPTH: usize = 200;

/// The state of a run.
pub(crate) struct Shell<'a> {
    pub(crate) mac: &'a Mac,
    pub(crate) network: &'a mut dyn Network,
    pub(crate) budget: &'a mut Budget,
    pub(crate) trace: &'a mut dyn Trace,
    pub(crate) variables: Variables,
    pub(crate) requests: Vec<Request>,
    pub(super) functions: HashMap<String, Script>,
    /// The arguments of the function that runs.
    pub(super) arguments: Vec<String>,
    /// The exit status of the last command.
    pub(super) status: Result<u8, Stopped>,
    /// Whether a command was substituted since the start of the assignments that run.
    pub(super) substituted: bool,
    pub(super) depth: usize,
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
            depth: 0,
        }
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.insert(name.to_owned(), Ok(Value::Text(value.into())));
    }
}
