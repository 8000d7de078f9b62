//! `tr`: translates, deletes or squeezes characters.

mod set;

use set::Set;

use super::lines::Printer;
use super::options::Grammar;
use crate::{Budget, FilterResult, Stopped};

const GRAMMAR: Grammar =
    Grammar { command: "tr", flags: "Ccdsu", valued: "", long: &[], mixed: false };

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let options = GRAMMAR.parse(arguments)?;
    let complement = options.has('c') || options.has('C');
    let (delete, squeeze) = (options.has('d'), options.has('s'));
    let (first, second) = match options.operands.as_slice() {
        [only] if delete || squeeze => (*only, None),
        [first, second] if !delete || squeeze => (*first, Some(*second)),
        _ => return Err(Stopped::unsupported("tr", "this number of sets")),
    };
    let from = Set::parse(first, complement)?;
    let to = second.map(|second| Set::parse(second, false)).transpose()?;
    // Members of a set are looked for one by one.
    let members = from.len() + to.as_ref().map_or(0, Set::len);
    budget.step((1 + input.len()).saturating_mul(1 + members / 64))?;
    let squeezed = match (squeeze, &to) {
        (false, _) => None,
        (true, Some(to)) => Some(to),
        (true, None) => Some(&from),
    };
    let mut output = String::new();
    let mut last = None;
    for character in input.chars() {
        let character = match &to {
            _ if delete && from.contains(character) => continue,
            Some(to) if !delete => from.translate(character, to),
            _ => character,
        };
        let repeated = last == Some(character);
        if repeated && squeezed.is_some_and(|squeezed| squeezed.contains(character)) {
            continue;
        }
        last = Some(character);
        output.push(character);
    }
    let mut printer = Printer::default();
    printer.print(&output, budget)?;
    Ok(printer.success())
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, text};

    #[test]
    fn characters_are_translated() {
        assert_eq!(text("tr", &["\"", "\\n"], "a\"b\""), "a\nb\n");
        assert_eq!(text("tr", &["<>{},:[]\"", "\\n"], "[1:{2}]"), "\n1\n\n2\n\n");
        assert_eq!(text("tr", &["a-c", "A-C"], "abcd"), "ABCd");
        assert_eq!(text("tr", &["[:upper:]", "[:lower:]"], "App Ä"), "app Ä");
        assert_eq!(text("tr", &["<", "\\n<"], "a<b"), "a\nb");
        assert_eq!(text("tr", &["\\302\\240", " "], "4.5\u{a0}x"), "4.5 x");
        assert_eq!(text("tr", &["-", "."], "1-2"), "1.2");
    }

    #[test]
    fn characters_are_deleted() {
        assert_eq!(text("tr", &["-d", "\\r\\n"], "a\r\nb"), "ab");
        assert_eq!(text("tr", &["-d", "[:cntrl:]"], "1.2\r\n"), "1.2");
        assert_eq!(text("tr", &["-dc", "[:alnum:]\\-"], "en-US\n"), "en-US");
        assert_eq!(text("tr", &["-d", "[\""], "[\"1\"]"), "1]");
    }

    #[test]
    fn repeated_characters_are_squeezed() {
        assert_eq!(text("tr", &["-s", " "], "a   b"), "a b");
        assert_eq!(text("tr", &["-s", " ", "\\n"], "a   b"), "a\nb");
        assert_eq!(text("tr", &["-cs", "0-9", "."], "a1--2"), ".1.2");
    }

    #[test]
    fn incomplete_calls_are_refused() {
        assert_eq!(refused("tr", &["a"], ""), "tr: this number of sets is not supported");
        assert_eq!(refused("tr", &["[=a=]", "b"], ""), "tr: the set [=a=] is not supported");
    }
}
