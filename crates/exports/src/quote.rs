//! Values inside the text of a format.

use std::fmt::Write;

/// A text in an SQL query. Line breaks cannot end it, so they may stay.
pub fn sql(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// One word for a shell, in single quotes.
pub fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A text in double quotes in YAML. What YAML does not allow as it is, or what ends a line, is escaped.
pub(crate) fn yaml(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '..='~' | '\u{a1}'..='\u{d7ff}' if !is_line_end(character) => quoted.push(character),
            other => {
                // Writing to a text cannot fail.
                let _ = write!(quoted, "\\U{:08X}", u32::from(other));
            }
        }
    }
    quoted.push('"');
    quoted
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}' | '\u{85}')
}

/// A text as a comment to the end of a line.
pub(crate) fn comment(text: &str) -> String {
    text.chars()
        .map(
            |character| {
                if character.is_control() || is_line_end(character) { ' ' } else { character }
            },
        )
        .collect()
}
