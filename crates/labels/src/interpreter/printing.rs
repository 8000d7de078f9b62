//! `echo` and `print`.

use super::{escapes::unescaped, printf};
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
        "printf" => return printf::run(arguments, budget).map(|text| Some(Output::success(text))),
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
}
