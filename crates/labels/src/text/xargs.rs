//! `xargs`: makes commands of words that it reads. The interpreter runs them.

use super::options::Grammar;
use crate::{Budget, Stopped};

const GRAMMAR: Grammar =
    Grammar { command: "xargs", flags: "0rx", valued: "ILn", long: &[], mixed: false };

pub(crate) type Call = (String, Vec<String>);

/// About how many bytes a word takes besides its text.
const WORD: usize = 48;

/// How words become commands.
enum Form<'a> {
    /// As many words as fit, or this many.
    Words(usize),
    /// This text in the arguments is replaced by a line.
    Replace(&'a str),
}

/// The commands that `xargs` runs, in order; `None` if a quote in the input is not closed, which is
/// an error.
pub(crate) fn calls(
    arguments: &[String],
    input: &str,
    budget: &mut Budget,
) -> Result<Option<Vec<Call>>, Stopped> {
    let options = GRAMMAR.parse(arguments)?;
    let mut form = Form::Words(usize::MAX);
    for &(letter, value) in &options.given {
        match letter {
            'I' => form = Form::Replace(value),
            'n' => {
                let count = value.parse().ok().filter(|&count| count > 0);
                let refuse = || Stopped::unsupported("xargs", format_args!("the count {value}"));
                form = Form::Words(count.ok_or_else(refuse)?);
            }
            'L' => return Err(Stopped::unsupported("xargs", "the option -L")),
            _ => {}
        }
    }
    budget.step(1 + input.len())?;
    let blanks = [' ', '\t', '\n', '\0'];
    budget.hold_each(input.matches(blanks).count(), WORD)?;
    let (name, fixed) = match options.operands.as_slice() {
        [] => ("echo", &[][..]),
        [name, fixed @ ..] => (*name, fixed),
    };
    let words = if options.has('0') {
        super::lines::terminated(input, '\0').map(str::to_owned).collect()
    } else {
        let Some(words) = split(input, matches!(form, Form::Replace(_))) else { return Ok(None) };
        words
    };
    // Every call has its own copy of the fixed arguments.
    let count = match form {
        Form::Words(count) => words.len().div_ceil(count),
        Form::Replace(_) => words.len(),
    };
    let fixed_length: usize = fixed.iter().map(|word| WORD + word.len()).sum();
    budget.hold_each(count, WORD + fixed_length)?;
    let mut calls = Vec::new();
    match form {
        Form::Words(count) => {
            for chunk in words.chunks(count) {
                let fixed = fixed.iter().map(|&word| word.to_owned());
                calls.push((name.to_owned(), fixed.chain(chunk.iter().cloned()).collect()));
            }
        }
        Form::Replace(place) => {
            for word in &words {
                let mut arguments = Vec::new();
                for argument in fixed {
                    let places = argument.matches(place).count();
                    budget.hold(argument.len() + places.saturating_mul(word.len()))?;
                    let argument = argument.replace(place, word);
                    arguments.push(argument);
                }
                calls.push((name.to_owned(), arguments));
            }
        }
    }
    for (_, arguments) in &calls {
        budget.hold(arguments.iter().map(String::len).sum())?;
    }
    Ok(Some(calls))
}

/// The words or, with `whole_lines`, the lines of a text, without the quotes and backslashes in
/// them. `None` if a quote is not closed on its line.
fn split(input: &str, whole_lines: bool) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = input.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' if whole_lines => {
                // Blanks at the start of a line do not count.
                if let Some(word) = &mut word {
                    word.push(character);
                }
            }
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().extend(characters.next()),
            quote @ ('"' | '\'') => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\n' => return None,
                        end if end == quote => break,
                        inside => word.push(inside),
                    }
                }
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands as lines, with a bar between arguments.
    fn lines(arguments: &[&str], input: &str) -> Option<Vec<String>> {
        let arguments: Vec<String> = arguments.iter().map(|&it| it.into()).collect();
        let calls = calls(&arguments, input, &mut Budget::default()).unwrap()?;
        let line = |(name, arguments): Call| format!("{name}: {}", arguments.join("|"));
        Some(calls.into_iter().map(line).collect())
    }

    #[test]
    fn words_are_split_and_unquoted() {
        assert_eq!(lines(&[], "  1.2 \n\t3\r\n").unwrap(), ["echo: 1.2|3\r"]);
        let quoted = "\"a  b\" c\\ d 'e'f\n";
        assert_eq!(lines(&["echo", "-n"], quoted).unwrap(), ["echo: -n|a  b|c d|ef"]);
        assert!(lines(&[], "").unwrap().is_empty());
        assert_eq!(lines(&[], "it's\n"), None, "a quote is not closed");
    }

    #[test]
    fn options_share_the_words_out() {
        assert_eq!(
            lines(&["-n1", "basename"], "x/a x/b\n").unwrap(),
            ["basename: x/a", "basename: x/b"]
        );
        assert_eq!(
            lines(&["-I{}", "echo", "<{}>"], " a b\nc\n").unwrap(),
            ["echo: <a b>", "echo: <c>"]
        );
        assert_eq!(lines(&["-0", "printf", "%s"], "a b\0c").unwrap(), ["printf: %s|a b|c"]);
    }
}
