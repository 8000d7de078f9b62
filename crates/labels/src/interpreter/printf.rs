//! `printf`.

use std::{iter::Peekable, slice, str::Chars};

use super::escapes::unescaped;
use crate::{Budget, Stopped};

/// `printf` with `%s`, `%d`, `%b` and `%%`. The format is used again while arguments are left.
pub(super) fn run(arguments: &[String], budget: &mut Budget) -> Result<String, Stopped> {
    let Some((format, rest)) = arguments.split_first() else {
        return Err(Stopped::unsupported("printf", "no format"));
    };
    let (format, rest) = match rest.split_first() {
        Some((second, rest)) if format == "--" => (second, rest),
        _ => (format, rest),
    };
    let (format, _) = unescaped(format);
    let mut rest = rest.iter();
    let mut result = String::new();
    loop {
        let before = rest.len();
        format_once(&format, &mut rest, &mut result, budget)?;
        budget.step(format.len() + 1)?;
        budget.hold(format.len())?;
        if rest.len() == 0 || rest.len() == before {
            return Ok(result);
        }
    }
}

fn format_once(
    format: &str,
    arguments: &mut slice::Iter<'_, String>,
    result: &mut String,
    budget: &mut Budget,
) -> Result<(), Stopped> {
    let mut characters = format.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '%' {
            result.push(character);
            continue;
        }
        if characters.next_if_eq(&'%').is_some() {
            result.push('%');
            continue;
        }
        let left = characters.next_if_eq(&'-').is_some();
        let zero = characters.next_if_eq(&'0').is_some();
        let width = number(&mut characters)?.unwrap_or(0);
        let precision = match characters.next_if_eq(&'.') {
            Some(_) => Some(number(&mut characters)?.unwrap_or(0)),
            None => None,
        };
        let argument = arguments.next().map_or("", String::as_str);
        let text = match characters.next() {
            Some('s') => match precision {
                Some(precision) => argument.chars().take(precision).collect(),
                None => argument.to_owned(),
            },
            Some('b') => unescaped(argument).0,
            Some('d' | 'i') => {
                let number = argument.trim();
                let number: i64 =
                    if number.is_empty() { Ok(0) } else { number.parse() }.map_err(|_| {
                        Stopped::unsupported("printf", format!("the number {argument:?}"))
                    })?;
                number.to_string()
            }
            other => {
                return Err(Stopped::unsupported("printf", format!("%{}", other.unwrap_or(' '))));
            }
        };
        let padded = match (left, zero) {
            (true, _) => format!("{text:<width$}"),
            (false, true) => format!("{text:0>width$}"),
            (false, false) => format!("{text:>width$}"),
        };
        budget.hold(padded.len())?;
        result.push_str(&padded);
    }
    Ok(())
}

/// The widest field.
const MAX_WIDTH: usize = 1000;

fn number(characters: &mut Peekable<Chars<'_>>) -> Result<Option<usize>, Stopped> {
    let mut value = None;
    while let Some(digit) = characters.peek().and_then(|next| next.to_digit(10)) {
        let number = value.unwrap_or(0) * 10 + digit as usize;
        if number > MAX_WIDTH {
            return Err(Stopped::unsupported("printf", "a field this wide"));
        }
        value = Some(number);
        characters.next();
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(arguments: &[&str]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        run(&arguments, &mut Budget::default()).unwrap()
    }

    #[test]
    fn printf_repeats_its_format() {
        assert_eq!(printed(&["%s\\n", "a", "b"]), "a\nb\n");
        assert_eq!(printed(&["%d-%02d", "3", "4"]), "3-04");
        assert_eq!(printed(&["100%%"]), "100%");
        assert_eq!(printed(&["%s"]), "");
        let wide = ["%999999999d".to_owned(), "1".to_owned()];
        assert!(run(&wide, &mut Budget::default()).is_err());
    }
}
