//! Filters that need few words: `cat`, `rev`, `uniq` and `wc`.

use super::lines::{Printer, lines};
use super::options::Grammar;
use crate::{Budget, Output, Stopped};

const fn grammar(command: &'static str, flags: &'static str) -> Grammar {
    Grammar { command, flags, valued: "", long: &[], mixed: false }
}

/// Runs `cat`: prints the input.
pub(super) fn cat(
    arguments: &[String],
    input: &str,
    budget: &mut Budget,
) -> Result<Output, Stopped> {
    grammar("cat", "u").parse(arguments)?.only_standard_input("cat")?;
    let mut printer = Printer::default();
    printer.print(input, budget)?;
    Ok(printer.success())
}

/// Runs `rev`: prints each line backwards.
pub(super) fn reverse(
    arguments: &[String],
    input: &str,
    budget: &mut Budget,
) -> Result<Output, Stopped> {
    grammar("rev", "").parse(arguments)?.only_standard_input("rev")?;
    let mut printer = Printer::default();
    for line in lines(input) {
        budget.step(1 + line.len())?;
        printer.line(&line.chars().rev().collect::<String>(), budget)?;
    }
    Ok(printer.success())
}

/// Runs `uniq`: prints each of several equal neighbours once.
pub(super) fn unique(
    arguments: &[String],
    input: &str,
    budget: &mut Budget,
) -> Result<Output, Stopped> {
    let options = grammar("uniq", "cdiu").parse(arguments)?;
    options.only_standard_input("uniq")?;
    let equal = |left: &str, right: &str| {
        if options.has('i') { left.to_lowercase() == right.to_lowercase() } else { left == right }
    };
    let mut printer = Printer::default();
    let mut lines = lines(input).peekable();
    while let Some(line) = lines.next() {
        let mut count = 1;
        budget.step(1 + line.len() / 16)?;
        while lines.next_if(|next| equal(line, next)).is_some() {
            budget.step(1 + line.len() / 16)?;
            count += 1;
        }
        if (options.has('d') && count == 1) || (options.has('u') && count > 1) {
            continue;
        }
        if options.has('c') {
            printer.print(&format!("{count:4} "), budget)?;
        }
        printer.line(line, budget)?;
    }
    Ok(printer.success())
}

/// Runs `wc`: counts lines, words and characters.
pub(super) fn count(
    arguments: &[String],
    input: &str,
    budget: &mut Budget,
) -> Result<Output, Stopped> {
    let options = grammar("wc", "clmw").parse(arguments)?;
    options.only_standard_input("wc")?;
    budget.step(1 + input.len() / 16)?;
    let all = options.given.is_empty();
    let counts = [
        (all || options.has('l'), input.matches('\n').count()),
        (all || options.has('w'), input.split_ascii_whitespace().count()),
        (all || (options.has('c') && !options.has('m')), input.len()),
        (options.has('m'), input.chars().count()),
    ];
    let mut printer = Printer::default();
    for (_, count) in counts.iter().filter(|(wanted, _)| *wanted) {
        printer.print(&format!(" {count:7}"), budget)?;
    }
    printer.print("\n", budget)?;
    Ok(printer.success())
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, text};

    #[test]
    fn lines_are_copied_turned_and_counted() {
        assert_eq!(text("cat", &[], "a\nb"), "a\nb");
        assert_eq!(text("rev", &[], "ab\nc"), "ba\nc\n");
        assert_eq!(text("uniq", &[], "a\na\nb\na\n"), "a\nb\na\n");
        assert_eq!(text("uniq", &["-c"], "a\na\n"), "   2 a\n");
        assert_eq!(text("uniq", &["-d"], "a\na\nb\n"), "a\n");
        assert_eq!(text("wc", &["-l"], "a\nb\n"), "       2\n");
        assert_eq!(text("wc", &[], "a b\n"), "       1       2       4\n");
        assert_eq!(refused("cat", &["x"], ""), "cat: reading a file is not supported");
    }
}
