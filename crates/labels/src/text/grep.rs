//! `grep`, `egrep` and `fgrep`: prints the lines that match, or what matches in them.

mod context;
mod options;

use context::Context;
pub(super) use options::Dialect;
use options::Request;

use super::lines::{Printer, terminated};
use super::pattern::{Mode, Pattern, Syntax, after};
use crate::{Budget, FilterResult, Output, Stopped};

pub(super) fn run(
    arguments: &[String],
    dialect: Dialect,
    input: &str,
    budget: &mut Budget,
) -> FilterResult {
    let Some(request) = Request::parse(arguments, dialect)? else { return Ok(Output::status(2)) };
    search(&request, input, budget)
}

fn search(request: &Request<'_>, input: &str, budget: &mut Budget) -> FilterResult {
    let pattern = compile(request, budget)?;
    let end = if request.null_data { "\0" } else { "\n" };
    let mut printer = Printer::default();
    let mut context = Context::new(request.before, request.after);
    let mut selected = 0_usize;
    let mut lines = (1_usize..).zip(terminated(input, if request.null_data { '\0' } else { '\n' }));
    while selected < request.limit {
        let Some((number, line)) = lines.next() else { break };
        if pattern.is_match(line, budget)? == request.inverted {
            if let Some(number) = context.passed(number, line) {
                print(&mut printer, request, number, '-', line, end, budget)?;
            }
            continue;
        }
        selected += 1;
        if request.quiet {
            return Ok(Output::default());
        }
        if request.count {
            continue;
        }
        if request.only_matching {
            if !request.inverted {
                print_matches(&mut printer, request, &pattern, number, line, end, budget)?;
            }
            continue;
        }
        if context.selected(number) {
            printer.line("--", budget)?;
        }
        for (number, line) in context.take_before() {
            print(&mut printer, request, number, '-', line, end, budget)?;
        }
        print(&mut printer, request, number, ':', line, end, budget)?;
    }
    // The context behind the last line that `-m` allows.
    for (number, line) in lines.take(context.owed()) {
        print(&mut printer, request, number, '-', line, end, budget)?;
    }
    if request.count && !request.quiet {
        printer.line(&selected.to_string(), budget)?;
    }
    Ok(printer.finish(u8::from(selected == 0)))
}

fn compile(request: &Request<'_>, budget: &mut Budget) -> Result<Pattern, Stopped> {
    let mode = Mode {
        ignore_case: request.ignore_case,
        whole_word: request.whole_word,
        whole_line: request.whole_line,
        several_lines: request.null_data,
    };
    let syntax = match request.dialect {
        Dialect::Basic => Syntax::GREP_BASIC,
        Dialect::Extended => Syntax::GREP_EXTENDED,
        Dialect::Fixed => Syntax::FIXED,
    };
    Pattern::compile("grep", &request.patterns, syntax, mode, budget)
}

fn print(
    printer: &mut Printer,
    request: &Request<'_>,
    number: usize,
    mark: char,
    text: &str,
    end: &str,
    budget: &mut Budget,
) -> Result<(), Stopped> {
    if request.line_numbers {
        printer.print(&format!("{number}{mark}"), budget)?;
    }
    printer.print(text, budget)?;
    printer.print(end, budget)
}

fn print_matches(
    printer: &mut Printer,
    request: &Request<'_>,
    pattern: &Pattern,
    number: usize,
    line: &str,
    end: &str,
    budget: &mut Budget,
) -> Result<(), Stopped> {
    let mut from = 0;
    while from <= line.len() {
        let Some(found) = pattern.find(line, from, budget)? else { break };
        from = after(line, &found);
        // Empty matches select a line, but are not printed.
        if let Some(text) = line.get(found).filter(|text| !text.is_empty()) {
            print(printer, request, number, ':', text, end, budget)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
