//! Escapes such as `\n` in what `echo` and its like print.

use crate::escape::control;

/// Replaces escapes. The second value says that `\c` ended the text.
pub(super) fn unescaped(text: &str) -> (String, bool) {
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
            'c' => return (result, true),
            '0' => (3, 8),
            'x' => (2, 16),
            'u' => (4, 16),
            'e' => {
                result.push('\u{1b}');
                continue;
            }
            '\\' => {
                result.push('\\');
                continue;
            }
            other => {
                match control(other) {
                    Some(control) => result.push(control),
                    None => result.extend(['\\', other]),
                }
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
