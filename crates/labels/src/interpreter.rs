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
mod escapes;
mod expansion;
mod git;
mod loops;
mod machine;
mod parameters;
mod pattern;
mod printf;
mod printing;
mod shell;
mod sink;
mod slices;
mod statements;
mod test_command;
#[cfg(test)]
mod tests;
mod value;
mod variables;
mod xargs;

use assigned::Effects;
pub(crate) use control::{Flow, Interrupt};
pub(crate) use shell::Shell;
pub(crate) use sink::{Input, Sink};
pub(crate) use value::Value;

use variables::Variable;
