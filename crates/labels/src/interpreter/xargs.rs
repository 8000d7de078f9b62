//! `xargs`: words of the input become arguments.

use super::{
    Shell,
    dispatch::{Call, failed},
};
use crate::{Output, Stopped};

pub(super) fn run(shell: &mut Shell<'_>, call: Call<'_>) -> Result<Output, Stopped> {
    let input = call.input.as_ref().map_err(Clone::clone)?;
    shell.budget.step(input.len())?;
    let nothing = Ok("".into());
    match call.arguments {
        [option, mark, name, arguments @ ..] if option == "-I" && !mark.is_empty() => {
            let mut all = Output::default();
            for line in input.lines().map(str::trim).filter(|line| !line.is_empty()) {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|argument| argument.replace(mark.as_str(), line))
                    .collect();
                shell.budget.hold(arguments.iter().map(String::len).sum())?;
                let call = Call { name, arguments: &arguments, input: &nothing, ..call };
                let one = shell.execute(call)?;
                all.text.push_str(&one.text);
                all.status = if one.status == 0 { all.status } else { 1 };
            }
            Ok(all)
        }
        [option, ..] if option.starts_with('-') => Err(Stopped::unsupported("xargs", option)),
        words => {
            let Some(read) = words_of(input) else { return Ok(failed(1)) };
            let (name, before) = match words.split_first() {
                Some((name, before)) => (name.as_str(), before),
                None => ("/bin/echo", words),
            };
            if read.is_empty() && !words.is_empty() {
                return Ok(failed(0));
            }
            let mut arguments = before.to_vec();
            arguments.extend(read);
            if matches!(name, "/bin/echo" | "echo") {
                // The command echo, unlike that of the shell, does not read escapes.
                return Ok(Output::success(arguments.join(" ") + "\n"));
            }
            shell.execute(Call { name, arguments: &arguments, input: &nothing, ..call })
        }
    }
}

/// Words between blanks, with quotes and backslashes taken out. Nothing if a quote is not closed.
fn words_of(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().extend(characters.next()),
            quote @ ('"' | '\'') => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == quote => break,
                        '\n' => return None,
                        inner => word.push(inner),
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

    #[test]
    fn quotes_are_taken_out_of_words() {
        assert_eq!(words_of(" a \"b c\"\n'd' e\\ f\n").unwrap(), ["a", "b c", "d", "e f"]);
        assert_eq!(words_of("it's"), None);
    }
}
