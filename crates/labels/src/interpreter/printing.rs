//! `echo`, `print` and `printf`.

use crate::{Budget, Output, Stopped};

/// What one of these commands prints, if the name is one of them.
pub(super) fn print(
    name: &str,
    arguments: &[String],
    budget: &mut Budget,
) -> Result<Option<Output>, Stopped> {
    let text = match name {
        "echo" => echo(arguments),
        "print" => return echo_like_print(arguments).map(|text| Some(Output::success(text))),
        "printf" => return printf(arguments, budget).map(|text| Some(Output::success(text))),
        _ => return Ok(None),
    };
    Ok(Some(Output::success(text)))
}

fn echo(arguments: &[String]) -> String {
    let (mut end, mut escapes) = ("\n", true);
    let mut words = arguments;
    while let Some((option, rest)) = words.split_first() {
        let letters = option.strip_prefix('-').unwrap_or_default();
        if letters.is_empty() || !letters.chars().all(|letter| matches!(letter, 'n' | 'e' | 'E')) {
            break;
        }
        for letter in letters.chars() {
            match letter {
                'n' => end = "",
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        words = rest;
    }
    let text = words.join(" ");
    if !escapes {
        return text + end;
    }
    let (mut text, ended) = unescaped(&text);
    if !ended {
        text.push_str(end);
    }
    text
}

fn echo_like_print(arguments: &[String]) -> Result<String, Stopped> {
    let (mut end, mut raw, mut separator) = ("\n", false, " ");
    let mut words = arguments;
    while let Some((option, rest)) = words.split_first() {
        let Some(letters) = option.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            break;
        };
        for letter in letters.chars() {
            match letter {
                'n' => end = "",
                'r' | 'R' => raw = true,
                'l' => separator = "\n",
                '-' => {}
                other => return Err(Stopped::unsupported("print", format!("-{other}"))),
            }
        }
        words = rest;
        if letters == "-" {
            break;
        }
    }
    let text = words.join(separator);
    if raw {
        return Ok(text + end);
    }
    let (mut text, ended) = unescaped(&text);
    if !ended {
        text.push_str(end);
    }
    Ok(text)
}

/// Replaces escapes. The second value says that `\c` ended the text.
fn unescaped(text: &str) -> (String, bool) {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            result.push(character);
            continue;
        }
        let Some(letter) = characters.next() else {
            result.push('\\');
            break;
        };
        let (most, radix) = match letter {
            'n' => {
                result.push('\n');
                continue;
            }
            't' => {
                result.push('\t');
                continue;
            }
            'r' => {
                result.push('\r');
                continue;
            }
            'a' => {
                result.push('\u{7}');
                continue;
            }
            'b' => {
                result.push('\u{8}');
                continue;
            }
            'e' => {
                result.push('\u{1b}');
                continue;
            }
            'f' => {
                result.push('\u{c}');
                continue;
            }
            'v' => {
                result.push('\u{b}');
                continue;
            }
            '\\' => {
                result.push('\\');
                continue;
            }
            'c' => return (result, true),
            '0' => (3, 8),
            'x' => (2, 16),
            'u' => (4, 16),
            other => {
                result.push('\\');
                result.push(other);
                continue;
            }
        };
        let mut number = 0;
        let mut taken = 0;
        while taken < most
            && let Some(digit) = characters.peek().and_then(|next| next.to_digit(radix))
        {
            number = number * radix + digit;
            taken += 1;
            characters.next();
        }
        result.push(char::from_u32(number).unwrap_or('\u{fffd}'));
    }
    (result, false)
}

/// `printf` with `%s`, `%d`, `%b` and `%%`. The format is used again while arguments are left.
fn printf(arguments: &[String], budget: &mut Budget) -> Result<String, Stopped> {
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
        format_once(&format, &mut rest, &mut result)?;
        budget.step(format.len() + 1)?;
        budget.hold(format.len())?;
        if rest.len() == 0 || rest.len() == before {
            return Ok(result);
        }
    }
}

fn format_once(
    format: &str,
    arguments: &mut std::slice::Iter<'_, String>,
    result: &mut String,
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
        let mut number = |default: usize| {
            let mut value = None;
            while let Some(digit) = characters.peek().and_then(|next| next.to_digit(10)) {
                value = Some((value.unwrap_or(0) * 10 + digit as usize).min(1000));
                characters.next();
            }
            value.unwrap_or(default)
        };
        let width = number(0);
        let precision = if characters.next_if_eq(&'.').is_some() {
            let mut value = 0;
            while let Some(digit) = characters.peek().and_then(|next| next.to_digit(10)) {
                value = (value * 10 + digit as usize).min(1000);
                characters.next();
            }
            Some(value)
        } else {
            None
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
        result.push_str(&if left {
            format!("{text:<width$}")
        } else if zero {
            format!("{text:0>width$}")
        } else {
            format!("{text:>width$}")
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(name: &str, arguments: &[&str]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        print(name, &arguments, &mut Budget::default()).unwrap().unwrap().text
    }

    #[test]
    fn echo_reads_escapes_unless_told_otherwise() {
        assert_eq!(printed("echo", &["a\\nb", "c"]), "a\nb c\n");
        assert_eq!(printed("echo", &["-E", "a\\nb"]), "a\\nb\n");
        assert_eq!(printed("echo", &["-n", "a"]), "a");
        assert_eq!(printed("echo", &["a\\.b"]), "a\\.b\n");
        assert_eq!(printed("print", &["-r", "--", "a\\nb"]), "a\\nb\n");
    }

    #[test]
    fn printf_repeats_its_format() {
        assert_eq!(printed("printf", &["%s\\n", "a", "b"]), "a\nb\n");
        assert_eq!(printed("printf", &["%d-%02d", "3", "4"]), "3-04");
        assert_eq!(printed("printf", &["100%%"]), "100%");
        assert_eq!(printed("printf", &["%s"]), "");
    }
}
