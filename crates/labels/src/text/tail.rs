//! `tail`: the last lines, or the lines from a number on.

use super::head::{grammar, modern};
use super::lines::{Printer, whole_lines};
use crate::{Budget, FilterResult, Stopped};

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let arguments = modern(arguments);
    let options = grammar("tail").parse(&arguments)?;
    options.only_standard_input("tail")?;
    budget.step(1 + input.len() / 64)?;
    let mut printer = Printer::default();
    let (letter, value) = options.given.last().copied().unwrap_or(('n', "10"));
    let (from_start, count) = parse(value)?;
    let start = match (letter, from_start) {
        ('c', true) => count.saturating_sub(1).min(input.len()),
        ('c', false) => input.len().saturating_sub(count),
        (_, true) => whole_lines(input).take(count.saturating_sub(1)).map(str::len).sum(),
        (_, false) => {
            input.len() - whole_lines(input).rev().take(count).map(str::len).sum::<usize>()
        }
    };
    let start = (start..=input.len()).find(|&start| input.is_char_boundary(start));
    printer.print(start.and_then(|start| input.get(start..)).unwrap_or_default(), budget)?;
    Ok(printer.success())
}

/// A count, and whether it counts from the start.
fn parse(value: &str) -> Result<(bool, usize), Stopped> {
    let (from_start, digits) = match value.strip_prefix('+') {
        Some(digits) => (true, digits),
        None => (false, value.strip_prefix('-').unwrap_or(value)),
    };
    let count = digits.parse();
    count
        .map(|count| (from_start, count))
        .map_err(|_| Stopped::unsupported("tail", format_args!("the count {value}")))
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, text};

    #[test]
    fn the_last_lines_are_printed_as_they_are() {
        assert_eq!(text("tail", &["-1"], "a\nb\n"), "b\n");
        assert_eq!(text("tail", &["-n", "1"], "a\nb"), "b");
        assert_eq!(text("tail", &["-n1"], "a"), "a");
        assert_eq!(text("tail", &["-n", "0"], "a\n"), "");
        assert_eq!(text("tail", &[], &"x\n".repeat(12)), "x\n".repeat(10));
    }

    #[test]
    fn counting_can_start_at_the_first() {
        assert_eq!(text("tail", &["-n", "+2"], "a\nb\nc\n"), "b\nc\n");
        assert_eq!(text("tail", &["+2"], "a\nb\nc\n"), "b\nc\n");
        assert_eq!(text("tail", &["-c", "+6"], ")]}'\n{}"), "{}");
        assert_eq!(text("tail", &["-c", "4"], "version1.2"), "n1.2");
    }

    #[test]
    fn other_calls_are_refused() {
        assert_eq!(refused("tail", &["-f"], ""), "tail: the option -f is not supported");
        assert_eq!(refused("tail", &["-n", "x"], ""), "tail: the count x is not supported");
    }
}
