//! `awk`, as Kernighan's version on a Mac behaves.
//!
//! Only what labels do with a record is supported: no functions of the program, no files, pipes or
//! processes, no chance or time, and of arrays only the elements.

mod builtin;
mod evaluate;
mod format;
mod input;
mod lexer;
mod machine;
mod parser;
mod record;
mod replace;
mod tree;
mod value;

use machine::Machine;
use value::refuse;

use crate::{Budget, FilterResult};

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let mut assignments = Vec::new();
    let mut arguments = arguments.iter().map(String::as_str);
    let program = loop {
        let argument = arguments.next().ok_or_else(|| refuse("a call without a program"))?;
        let value = |rest: &'_ str| if rest.is_empty() { None } else { Some(rest.to_owned()) };
        if argument == "--" {
            break arguments.next().ok_or_else(|| refuse("a call without a program"))?;
        } else if let Some(rest) = argument.strip_prefix("-F") {
            let separator = value(rest).or_else(|| arguments.next().map(str::to_owned));
            let separator = separator.filter(|it| !it.is_empty());
            let separator = separator.ok_or_else(|| refuse("-F without a separator"))?;
            // A historical exception.
            let separator = if separator == "t" { "\t".to_owned() } else { separator };
            assignments.push(("FS".to_owned(), separator));
        } else if let Some(rest) = argument.strip_prefix("-v") {
            let assignment = value(rest).or_else(|| arguments.next().map(str::to_owned));
            let assignment = assignment.ok_or_else(|| refuse("-v without an assignment"))?;
            let pair = assignment.split_once('=').filter(|(name, _)| lexer::is_name(name));
            let (name, value) = pair.ok_or_else(|| refuse("-v without an assignment"))?;
            assignments.push((name.to_owned(), value.to_owned()));
        } else if argument.starts_with('-') && argument.len() > 1 {
            return Err(refuse(format_args!("the option {argument}")));
        } else {
            break argument;
        }
    };
    if arguments.any(|operand| operand != "-") {
        return Err(refuse("reading a file"));
    }
    let rules = parser::parse(program, budget)?;
    let mut machine = Machine::new(input);
    for (name, value) in assignments {
        machine.assign_text(&name, &lexer::unescape(&value))?;
    }
    machine.run(&rules, budget)
}

#[cfg(test)]
mod tests;
