//! Text as one word of a shell command, and in a Brewfile.

use appstitch_exports::quote;

/// Characters that no shell treats specially.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "._/:@%+=,-".contains(character)
}

/// One word for a shell, in single quotes if it needs them.
pub(super) fn for_shell(text: &str) -> String {
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    quote::shell(text)
}

/// A text in double quotes in Ruby, which is what a Brewfile is.
pub(super) fn for_ruby(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\' | '#') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(for_shell("firefox@beta"), "firefox@beta");
        assert_eq!(for_shell("https://x.example/a?b=c&d"), "'https://x.example/a?b=c&d'");
        assert_eq!(for_shell("a'; rm -rf ~; '"), "'a'\\''; rm -rf ~; '\\'''");
        assert_eq!(for_shell(""), "''");
        assert_eq!(for_shell("$(date)`id`"), "'$(date)`id`'");
    }

    #[test]
    fn quotes_are_escaped() {
        assert_eq!(for_ruby("a\"#{x}\\"), "\"a\\\"\\#{x}\\\\\"");
    }
}
