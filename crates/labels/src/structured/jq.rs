//! `jq`: the part of its language that reads values, as version 1.7 understands it.
//!
//! No library is used: those that exist cannot be stopped after a number of steps.

mod evaluate;
mod functions;
mod known;
mod order;
mod parser;
mod runner;

use runner::{Leave, Runner};
use serde_json::Value;

use super::json_value;
use crate::{Budget, FilterResult, Output, Stopped};

const UNREADABLE: u8 = 2;
const INVALID: u8 = 3;
/// The exit status with `-e` when nothing is printed.
const NOTHING: u8 = 4;
const FAILED: u8 = 5;

#[derive(Debug, Default)]
struct Options<'run> {
    program: Option<&'run str>,
    raw: bool,
    compact: bool,
    /// Whether the exit status says if the last value is true.
    status: bool,
}

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let options = parse(arguments)?;
    let program = match parser::parse(options.program.unwrap_or(".")) {
        Ok(program) => program,
        Err(failure) => return failure.or_refusal(Output::status(INVALID)),
    };
    json_value::charge(input, budget)?;
    let mut output = Output::default();
    let mut last = None;
    for value in json_value::parse_each(input) {
        let value = match value {
            Ok(value) => value,
            Err(error) => {
                json_value::or_too_deep(error)?;
                output.status = UNREADABLE;
                return Ok(output);
            }
        };
        let mut runner = Runner::new(budget);
        let result = runner.evaluate(&program, &value, &mut |runner, value| {
            json_value::charge_printing(value, 2, runner.budget)?;
            let text = print(value, &options);
            runner.budget.hold(text.len() + 1)?;
            output.text.push_str(&text);
            output.text.push('\n');
            last = Some(!matches!(value, Value::Null | Value::Bool(false)));
            Ok(())
        });
        match result {
            Ok(()) | Err(Leave::Enough(_)) => {}
            Err(Leave::Failed) => output.status = FAILED,
            Err(Leave::Stopped(stopped)) => return Err(stopped),
        }
    }
    if options.status && output.status == 0 {
        output.status = last.map_or(NOTHING, |truth| u8::from(!truth));
    }
    Ok(output)
}

fn parse(arguments: &[String]) -> Result<Options<'_>, Stopped> {
    let mut options = Options::default();
    for argument in arguments.iter().map(String::as_str) {
        match argument {
            "--raw-output" => options.raw = true,
            "--exit-status" => options.status = true,
            "--compact-output" => options.compact = true,
            _ if argument.starts_with("--") || argument.len() < 2 && argument.starts_with('-') => {
                return Err(Stopped::unsupported("jq", argument));
            }
            _ if argument.starts_with('-') => {
                for letter in argument.chars().skip(1) {
                    match letter {
                        'r' => options.raw = true,
                        'e' => options.status = true,
                        'c' => options.compact = true,
                        _ => return Err(Stopped::unsupported("jq", argument)),
                    }
                }
            }
            _ if options.program.is_some() => {
                return Err(Stopped::unsupported("jq", "reading a file"));
            }
            program => options.program = Some(program),
        }
    }
    Ok(options)
}

fn print(value: &Value, options: &Options<'_>) -> String {
    match value {
        Value::String(text) if options.raw => text.clone(),
        _ if options.compact => value.to_string(),
        _ => format!("{value:#}"),
    }
}

#[cfg(test)]
mod tests;
