//! Filters that need few words: `cat`, `rev` and `uniq`.

use super::lines::{Printer, lines};
use super::options::Grammar;
use crate::{Budget, FilterResult};

const fn grammar(command: &'static str, flags: &'static str) -> Grammar {
    Grammar { command, flags, valued: "", long: &[], mixed: false }
}

pub(super) fn cat(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    grammar("cat", "u").parse(arguments)?.only_standard_input("cat")?;
    let mut printer = Printer::default();
    printer.print(input, budget)?;
    Ok(printer.success())
}

pub(super) fn reverse(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    grammar("rev", "").parse(arguments)?.only_standard_input("rev")?;
    let mut printer = Printer::default();
    for line in lines(input) {
        budget.step(1 + line.len())?;
        printer.line(&line.chars().rev().collect::<String>(), budget)?;
    }
    Ok(printer.success())
}

pub(super) fn unique(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    grammar("uniq", "").parse(arguments)?.only_standard_input("uniq")?;
    let mut printer = Printer::default();
    let mut last = None;
    for line in lines(input) {
        budget.step(1 + line.len() / 16)?;
        if last.replace(line) != Some(line) {
            printer.line(line, budget)?;
        }
    }
    Ok(printer.success())
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, text};

    #[test]
    fn lines_are_copied_and_turned() {
        assert_eq!(text("cat", &[], "a\nb"), "a\nb");
        assert_eq!(text("rev", &[], "ab\nc"), "ba\nc\n");
        assert_eq!(text("uniq", &[], "a\na\nb\na\n"), "a\nb\na\n");
        assert_eq!(refused("cat", &["x"], ""), "cat: reading a file is not supported");
        assert_eq!(refused("uniq", &["-c"], ""), "uniq: the option -c is not supported");
    }
}
