//! `cut`: selected fields or characters of each line.

use super::lines::{Printer, lines};
use super::options::Grammar;
use crate::{Budget, FilterResult, Output, Stopped};

const GRAMMAR: Grammar =
    Grammar { command: "cut", flags: "nsw", valued: "bcdf", long: &[], mixed: false };

enum Unit {
    Characters,
    /// Fields between single characters.
    Fields(char),
    /// Fields between blanks.
    Words,
}

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let options = GRAMMAR.parse(arguments)?;
    options.only_standard_input("cut")?;
    let mut ranges = Vec::new();
    let (mut unit, mut delimiter) = (None, '\t');
    for &(letter, value) in &options.given {
        match letter {
            'b' | 'c' => unit = Some(Unit::Characters),
            'f' => unit = Some(Unit::Fields('\t')),
            'd' => {
                let mut characters = value.chars();
                let (Some(only), None) = (characters.next(), characters.next()) else {
                    return Ok(failed());
                };
                delimiter = only;
            }
            _ => continue,
        }
        if letter != 'd' {
            // A second list adds to the first one.
            let Some(list) = parse_ranges(value) else { return Ok(failed()) };
            ranges.extend(list);
        }
    }
    let unit = match unit {
        None => return Ok(failed()),
        Some(Unit::Characters) => Unit::Characters,
        Some(_) if options.has('w') => Unit::Words,
        Some(_) => Unit::Fields(delimiter),
    };
    let mut printer = Printer::default();
    for line in lines(input) {
        budget.step((1 + line.len() / 16).saturating_mul(1 + ranges.len() / 8))?;
        print_line(&mut printer, line, &unit, &ranges, options.has('s'), budget)?;
    }
    Ok(printer.success())
}

/// A Mac's `cut` prints nothing for delimiters and lists that it rejects.
fn failed() -> Output {
    Output::status(1)
}

type Ranges = Vec<(usize, usize)>;

fn parse_ranges(list: &str) -> Option<Ranges> {
    let items = list.split([',', ' ', '\t']).filter(|item| !item.is_empty());
    let ranges: Option<Ranges> = items.map(parse_range).collect();
    ranges.filter(|ranges| !ranges.is_empty())
}

fn parse_range(item: &str) -> Option<(usize, usize)> {
    let position = |text: &str, absent: usize| match text {
        "" => Some(absent),
        text => text.parse().ok().filter(|&position| position > 0),
    };
    match item.split_once('-') {
        Some(("", "")) => None,
        Some((from, to)) => Some((position(from, 1)?, position(to, usize::MAX)?)),
        None => position(item, 0).map(|only| (only, only)),
    }
}

fn print_line(
    printer: &mut Printer,
    line: &str,
    unit: &Unit,
    ranges: &Ranges,
    only_delimited: bool,
    budget: &mut Budget,
) -> Result<(), Stopped> {
    match unit {
        Unit::Characters => {
            let mut buffer = [0; 4];
            for (_, character) in select(line.chars(), ranges) {
                printer.print(character.encode_utf8(&mut buffer), budget)?;
            }
            printer.print("\n", budget)
        }
        Unit::Fields(delimiter) if line.contains(*delimiter) => {
            let mut buffer = [0; 4];
            let separator = delimiter.encode_utf8(&mut buffer);
            print_fields(printer, line.split(*delimiter), separator, ranges, budget)
        }
        Unit::Words if line.contains([' ', '\t']) => {
            print_fields(printer, words(line), "\t", ranges, budget)
        }
        _ if only_delimited => Ok(()),
        _ => printer.line(line, budget),
    }
}

fn print_fields<'a>(
    printer: &mut Printer,
    fields: impl Iterator<Item = &'a str>,
    separator: &str,
    ranges: &Ranges,
    budget: &mut Budget,
) -> Result<(), Stopped> {
    for (index, field) in select(fields, ranges) {
        if index > 0 {
            printer.print(separator, budget)?;
        }
        printer.print(field, budget)?;
    }
    printer.print("\n", budget)
}

/// The selected items, counted from 0.
fn select<T>(items: impl Iterator<Item = T>, ranges: &Ranges) -> impl Iterator<Item = (usize, T)> {
    let inside = |number: &usize| ranges.iter().any(|(from, to)| (from..=to).contains(&number));
    let selected = (1..).zip(items).filter(move |(number, _)| inside(number));
    (0..).zip(selected.map(|(_, item)| item))
}

/// The parts of a line between runs of blanks. Blanks at the start are behind an empty part.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some((word, after)) = text.split_once([' ', '\t']) else {
            rest = None;
            return Some(text);
        };
        rest = Some(after.trim_start_matches([' ', '\t']));
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, run, text};

    #[test]
    fn fields_are_selected_by_a_character() {
        assert_eq!(text("cut", &["-d", "\"", "-f", "2"], "a=\"b\"\nplain\n"), "b\nplain\n");
        assert_eq!(text("cut", &["-d.", "-f1-2"], "1.2.3\n"), "1.2\n");
        assert_eq!(text("cut", &["-f1,3-", "-d/"], "a/b/c/d"), "a/c/d\n");
        assert_eq!(text("cut", &["-d", ":", "-f2-"], "a:b:c\r\n"), "b:c\r\n");
        assert_eq!(text("cut", &["-s", "-f2"], "a\tb\nplain\n"), "b\n");
    }

    #[test]
    fn two_lists_are_joined() {
        assert_eq!(text("cut", &["-d", ".", "-f1", "-f2"], "1.2.3"), "1.2\n");
    }

    #[test]
    fn blanks_can_separate() {
        assert_eq!(text("cut", &["-w", "-f2"], "Version  \t1.2 x\n"), "1.2\n");
        assert_eq!(text("cut", &["-w", "-f2"], "  1.2 x\n"), "1.2\n");
        assert_eq!(text("cut", &["-w", "-f1,2"], "a  b c"), "a\tb\n");
    }

    #[test]
    fn characters_are_counted() {
        assert_eq!(text("cut", &["-c3-"], "äöü1\n"), "ü1\n");
        assert_eq!(text("cut", &["-c", "2-3"], "abcd\n"), "bc\n");
        assert_eq!(text("cut", &["-c", "9-"], "abcd\n"), "\n");
    }

    #[test]
    fn bad_calls_print_nothing() {
        assert_eq!(run("cut", &["-d", "-f2"], "a b").unwrap().status, 1);
        assert_eq!(run("cut", &["-d", "", "-f2"], "a b").unwrap().text, "");
        assert_eq!(run("cut", &["-f", "0"], "a b").unwrap().status, 1);
        assert_eq!(refused("cut", &["-x"], ""), "cut: the option -x is not supported");
    }
}
