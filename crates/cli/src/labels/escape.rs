//! Text of somebody else, made safe for a terminal.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Escapes control characters and characters that change the direction or are invisible.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            hidden if is_hidden(hidden) => {
                // Writing to a text cannot fail.
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(hidden));
            }
            shown => escaped.push(shown),
        }
    }
    escaped
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The start of a text, with an ellipsis if something is missing.
pub(super) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Splits a text into lines of at most this width, at blanks if possible.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let needed: usize = word.trim_end().chars().map(columns).sum();
        if used > 0 && used + needed > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        for character in word.chars() {
            // A blank may end a full line: it is not printed.
            if used + columns(character) > width && character != ' ' {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(character);
            used += columns(character);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

fn columns(character: char) -> usize {
    character.width().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_controls_the_terminal() {
        let text = escape("a\u{1b}[31m\u{7}\r\n\t\u{9b}\u{202e}ü");
        assert_eq!(text, "a\\u{1b}[31m\\u{7}\\r\\n\\t\\u{9b}\\u{202e}ü");
    }

    #[test]
    fn lines_are_wrapped_at_blanks_and_long_words_are_split() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
        assert!(wrap("", 4).is_empty());
    }

    #[test]
    fn a_text_is_shortened_at_a_character() {
        assert_eq!(shorten("äöü", 2), "äö…");
        assert_eq!(shorten("äöü", 3), "äöü");
    }
}
