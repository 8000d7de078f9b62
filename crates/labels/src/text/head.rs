//! `head`: the first lines.

use super::lines::{Printer, whole_lines};
use super::options::Grammar;
use crate::{Budget, FilterResult, Output};

pub(super) const fn grammar(command: &'static str) -> Grammar {
    let long = &[("lines", 'n'), ("bytes", 'c')];
    Grammar { command, flags: "", valued: "cn", long, mixed: false }
}

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let arguments = modern(arguments);
    let options = grammar("head").parse(&arguments)?;
    options.only_standard_input("head")?;
    let (letter, value) = options.given.last().copied().unwrap_or(('n', "10"));
    let Some(count) = value.parse::<usize>().ok().filter(|&count| count > 0) else {
        // A Mac's `head` rejects 0 and negative counts.
        return Ok(Output::status(1));
    };
    let mut printer = Printer::default();
    if letter == 'c' {
        printer.print(prefix(input, count), budget)?;
    } else {
        for line in whole_lines(input).take(count) {
            budget.step(1)?;
            printer.print(line, budget)?;
        }
    }
    Ok(printer.success())
}

/// Writes the old forms `-5` and, for `tail`, `+5` as `-n5` and `-n+5`.
pub(super) fn modern(arguments: &[String]) -> Vec<String> {
    let mut value_follows = false;
    let mut modern = Vec::new();
    for argument in arguments {
        let digits = argument.strip_prefix('-').or(argument.starts_with('+').then_some(argument));
        let number = digits.filter(|digits| digits.parse::<u64>().is_ok() && !value_follows);
        modern.push(number.map_or_else(|| argument.clone(), |digits| format!("-n{digits}")));
        value_follows = matches!(argument.as_str(), "-c" | "-n") && !value_follows;
    }
    modern
}

/// The first bytes of a text. A character that does not fit is left out.
fn prefix(text: &str, count: usize) -> &str {
    let end = (0..=count.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, run, text};

    #[test]
    fn the_first_lines_are_printed_as_they_are() {
        assert_eq!(text("head", &["-1"], "a\nb\n"), "a\n");
        assert_eq!(text("head", &["-n", "2"], "a\nb"), "a\nb");
        assert_eq!(text("head", &["-n1"], "a\r\nb"), "a\r\n");
        assert_eq!(text("head", &[], &"x\n".repeat(12)), "x\n".repeat(10));
        assert_eq!(text("head", &["-c", "3"], "abcd"), "abc");
    }

    #[test]
    fn counts_below_one_are_errors() {
        assert_eq!(run("head", &["-n", "-1"], "a\nb").unwrap().status, 1);
        assert_eq!(run("head", &["-n", "0"], "a\nb").unwrap().text, "");
        assert_eq!(refused("head", &["-1", "file"], ""), "head: reading a file is not supported");
    }
}
