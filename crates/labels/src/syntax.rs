//! The syntax tree of a label, and the parser that makes it.
//!
//! The parser reads the part of zsh that labels use. It keeps apart what is quoted and what is not,
//! because patterns, splitting and escapes depend on it. What it does not know is an error of the
//! whole label, with the line.

mod braces;
mod commands;
mod compound;
mod conditions;
mod fragment;
mod parameters;
mod parser;
mod quoting;
mod redirections;
mod substitutions;
#[cfg(test)]
mod tests;
mod tree;
mod walk;
mod words;

pub(crate) use fragment::{Fragment, parse_script};
pub(crate) use parser::SyntaxError;
pub(crate) use tree::{
    Assigned, Assignment, Command, Condition, Expansion, Operation, Operator, Parameter, Part,
    Redirection, Script, Simple, Statement, Subject, Word,
};
pub(crate) use walk::Inside;
