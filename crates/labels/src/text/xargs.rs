//! `xargs`: makes commands of words that it reads.
//!
//! [`calls`] gives the commands, so that an interpreter can run those that are no filters. As a
//! filter, `xargs` runs `echo` and the other filters itself.

use super::options::Grammar;
use crate::{Budget, Filter, Output, Stopped};

const GRAMMAR: Grammar =
    Grammar { command: "xargs", flags: "0rx", valued: "ILn", long: &[], mixed: false };

/// A command to run: its name and arguments.
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

/// Runs `xargs` with `echo` or a filter.
pub(super) fn run(
    arguments: &[String],
    input: &str,
    find: fn(&str) -> Option<Filter>,
    budget: &mut Budget,
) -> Result<Output, Stopped> {
    let Some(calls) = calls(arguments, input, budget)? else {
        return Ok(Output { text: String::new(), status: 1 });
    };
    let mut output = Output::default();
    for (name, arguments) in calls {
        budget.step(1)?;
        let path = name.strip_prefix("/usr/bin/").or_else(|| name.strip_prefix("/bin/"));
        let name = path.unwrap_or(&name);
        let one = match find(name) {
            _ if name == "echo" => echo(&arguments, budget)?,
            // A limit against calls that call themselves.
            Some(filter) if name != "xargs" => filter(&arguments, "", budget)?,
            _ => return Err(Stopped::unsupported("xargs", format_args!("running {name}"))),
        };
        output.text.push_str(&one.text);
        output.status = output.status.max(one.status.min(1));
    }
    Ok(output)
}

/// `/bin/echo`, which keeps backslashes.
fn echo(arguments: &[String], budget: &mut Budget) -> Result<Output, Stopped> {
    let (words, end) = match arguments {
        [first, words @ ..] if first == "-n" => (words, ""),
        words => (words, "\n"),
    };
    let text = format!("{}{end}", words.join(" "));
    budget.hold(text.len())?;
    Ok(Output::success(text))
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
    use crate::text::testing::{refused, run, text};

    #[test]
    fn words_are_joined_and_unquoted() {
        assert_eq!(text("xargs", &[], "  1.2 \n\t3\r\n"), "1.2 3\r\n");
        assert_eq!(text("xargs", &[], "\"a  b\" c\\ d 'e'f\n"), "a  b c d ef\n");
        assert_eq!(text("xargs", &["echo", "-n"], "a"), "a");
        assert_eq!(text("xargs", &[], ""), "");
    }

    #[test]
    fn an_open_quote_is_an_error() {
        let output = run("xargs", &[], "it's\n").unwrap();
        assert_eq!((output.text.as_str(), output.status), ("", 1));
    }

    #[test]
    fn filters_are_run() {
        assert_eq!(text("xargs", &["basename"], "a/b.dmg\n"), "b.dmg\n");
        assert_eq!(text("xargs", &["-n1"], "a b\n"), "a\nb\n");
        assert_eq!(text("xargs", &["-n", "1", "basename"], "x/a x/b\n"), "a\nb\n");
        assert_eq!(text("xargs", &["-I{}", "echo", "<{}>"], " a b\nc\n"), "<a b>\n<c>\n");
        assert_eq!(refused("xargs", &["rm"], "a"), "xargs: running rm is not supported");
    }

    #[test]
    fn other_commands_are_left_to_the_interpreter() {
        let arguments = ["-I", "{}", "curl", "-sL", "{}"].map(str::to_owned);
        let calls = calls(&arguments, "https://e/a\n", &mut Budget::default()).unwrap();
        let expected = ("curl".to_owned(), vec!["-sL".to_owned(), "https://e/a".to_owned()]);
        assert_eq!(calls, Some(vec![expected]));
    }
}
