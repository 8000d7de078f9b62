//! `sort`: orders lines, by the whole line or by keys.

mod key;
mod number;
mod version;

use std::cmp::Ordering;

use key::{Key, Order};

use super::lines::{Printer, lines};
use super::options::Grammar;
use crate::{Budget, FilterResult, Stopped};

const GRAMMAR: Grammar = Grammar {
    command: "sort",
    flags: "Vbfgnrsu",
    valued: "kt",
    long: &[
        ("field-separator", 't'),
        ("general-numeric-sort", 'g'),
        ("ignore-case", 'f'),
        ("ignore-leading-blanks", 'b'),
        ("key", 'k'),
        ("numeric-sort", 'n'),
        ("reverse", 'r'),
        ("stable", 's'),
        ("unique", 'u'),
        ("version-sort", 'V'),
    ],
    mixed: true,
};

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let options = GRAMMAR.parse(arguments)?;
    options.only_standard_input("sort")?;
    let mut order = Order::default();
    let mut separator = None;
    let mut keys = Vec::new();
    for &(letter, value) in &options.given {
        match letter {
            'k' => keys.push(Key::parse(value)?),
            't' => {
                let mut characters = value.chars();
                separator = characters.next();
                if separator.is_none() || characters.next().is_some() {
                    return Err(Stopped::unsupported("sort", "a separator of several characters"));
                }
            }
            's' | 'u' => {}
            letter => order.add(letter)?,
        }
    }
    if keys.is_empty() {
        keys.push(Key::whole_line());
    }
    for key in &mut keys {
        key.inherit(order);
    }
    let mut lines: Vec<&str> = lines(input).collect();
    charge(&lines, keys.len(), budget)?;
    let compare = |left: &str, right: &str| {
        let by_keys = keys.iter().map(|key| key.compare(left, right, separator));
        by_keys.fold(Ordering::Equal, Ordering::then)
    };
    let stable = options.has('s') || options.has('u');
    lines.sort_by(|left, right| {
        let by_line = || if order.reverse { right.cmp(left) } else { left.cmp(right) };
        let by_keys = compare(left, right);
        if stable { by_keys } else { by_keys.then_with(by_line) }
    });
    if options.has('u') {
        lines.dedup_by(|next, kept| compare(kept, next) == Ordering::Equal);
    }
    let mut printer = Printer::default();
    for line in lines {
        printer.line(line, budget)?;
    }
    Ok(printer.success())
}

/// Takes the steps of comparing lines.
fn charge(lines: &[&str], keys: usize, budget: &mut Budget) -> Result<(), Stopped> {
    let rounds = lines.len().max(1).ilog2() as usize + 1;
    let text: usize = lines.iter().map(|line| 1 + line.len() / 16).sum();
    budget.hold_each(lines.len(), size_of::<&str>() * 2)?;
    budget.step(text.saturating_mul(rounds).saturating_mul(keys))
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, text};

    #[test]
    fn lines_are_ordered() {
        assert_eq!(text("sort", &[], "b\na\nB\n10\n9"), "10\n9\nB\na\nb\n");
        assert_eq!(text("sort", &["-r"], "a\nb\n"), "b\na\n");
        assert_eq!(text("sort", &["-n"], "10\n9\n-1\nx\n"), "-1\nx\n9\n10\n");
        assert_eq!(text("sort", &["-u"], "b\na\nb\n"), "a\nb\n");
        assert_eq!(text("sort", &["-f"], "b\nA\na\nB\n"), "A\na\nB\nb\n");
    }

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        assert_eq!(text("sort", &["-V"], "1.10\n1.9\n1.9.1\n"), "1.9\n1.9.1\n1.10\n");
        assert_eq!(text("sort", &["-rV"], "1.10\n1.9\n"), "1.10\n1.9\n");
        assert_eq!(text("sort", &["--version-sort"], "a10\na9\n"), "a9\na10\n");
        assert_eq!(text("sort", &["-Vu"], "1.0\n1.0\n"), "1.0\n");
    }

    #[test]
    fn general_numbers_drop_what_is_equal() {
        assert_eq!(text("sort", &["-gru"], "2024.1\n2025.0.1\n2025.0.2\n"), "2025.0.1\n2024.1\n");
        assert_eq!(text("sort", &["-gr"], "1.5\n10\n"), "10\n1.5\n");
    }

    #[test]
    fn keys_are_fields() {
        let versions = "1.10.0|x\n1.9.0|y\n1.9.0|a\n";
        let keys = ["-t.", "-k1,1n", "-k2,2n", "-k3,3n"];
        assert_eq!(text("sort", &keys, versions), "1.9.0|a\n1.9.0|y\n1.10.0|x\n");
        let builds = "24.10/5/x\n24.9/11/x\n24.9/2/x\n";
        let keys = ["-t/", "-k1,1V", "-k2,2n"];
        assert_eq!(text("sort", &keys, builds), "24.9/2/x\n24.9/11/x\n24.10/5/x\n");
        assert_eq!(text("sort", &["-k2"], "a  2\nb 1\n"), "a  2\nb 1\n");
        assert_eq!(text("sort", &["-k", "2,2n"], "a  2\nb 1\n"), "b 1\na  2\n");
        assert_eq!(text("sort", &["-k1.2,1.2r"], "a1\nb2\n"), "b2\na1\n");
    }

    #[test]
    fn other_orders_are_refused() {
        assert_eq!(refused("sort", &["-M"], ""), "sort: the option -M is not supported");
        assert_eq!(refused("sort", &["-k", "0"], ""), "sort: the key 0 is not supported");
    }
}
