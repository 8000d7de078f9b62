//! `printf`.

use std::slice;

use super::escapes::unescaped;
use crate::{Budget, Stopped, format::Conversion};

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
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            result.push(character);
            continue;
        }
        let (conversion, letter) = Conversion::parse("printf", &mut characters)?;
        if letter == Some('%') {
            result.push('%');
            continue;
        }
        let argument = arguments.next().map_or("", String::as_str);
        let text = match letter {
            Some('s') => conversion.text(argument),
            Some('b') => conversion.text(&unescaped(argument).0),
            Some('d' | 'i') => {
                let number = argument.trim();
                let number = if number.is_empty() { Ok(0) } else { number.parse() };
                let invalid =
                    |_| Stopped::unsupported("printf", format!("the number {argument:?}"));
                conversion.integer(number.map_err(invalid)?)
            }
            other => {
                return Err(Stopped::unsupported("printf", format!("%{}", other.unwrap_or(' '))));
            }
        };
        budget.hold(text.len())?;
        result.push_str(&text);
    }
    Ok(())
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
