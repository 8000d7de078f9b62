//! Runs the statements of a label.
//!
//! A value that depends on something unknown is unknown itself, with the first reason; all others
//! go on. A branch that cannot be decided makes every variable unknown that it could assign.

mod arithmetic;
mod assigned;
mod assignments;
mod branches;
mod builtins;
mod conditions;
mod control;
mod dispatch;
mod elements;
mod expansion;
mod git;
mod loops;
mod machine;
mod parameters;
mod pattern;
mod printf;
mod printing;
mod reading;
mod regular;
mod sink;
mod slices;
mod statements;
mod test_command;
#[cfg(test)]
mod tests;
mod value;
mod variables;
mod xargs;

use std::collections::HashMap;

use crate::{Budget, Mac, Network, Request, Stopped, syntax::Script, trace::Trace};

pub(crate) use assigned::{Effects, assigned_in};
pub(crate) use control::{Flow, Interrupt};
pub(crate) use sink::{Input, Sink};
pub(crate) use value::Value;
use variables::Variables;

/// The value of a variable, or why it is unknown.
pub(crate) type Variable = Result<Value, Stopped>;

/// The greatest nesting of commands at run time: functions can call each other.
const MAX_DEPTH: usize = 200;

/// The state of a run.
pub(crate) struct Shell<'a> {
    pub(crate) mac: &'a Mac,
    pub(crate) network: &'a mut dyn Network,
    pub(crate) budget: &'a mut Budget,
    pub(crate) trace: &'a mut dyn Trace,
    pub(crate) variables: Variables,
    pub(crate) requests: Vec<Request>,
    functions: HashMap<String, Script>,
    /// The arguments of the function that runs.
    arguments: Vec<String>,
    /// The exit status of the last command.
    status: Result<u8, Stopped>,
    /// Whether a command was substituted since the start of the assignments that run.
    substituted: bool,
    /// What `read` took from inputs.
    read: reading::Reading,
    depth: usize,
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
            read: reading::Reading::default(),
            depth: 0,
        }
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.insert(name.to_owned(), Ok(Value::Text(value.into())));
    }
}
