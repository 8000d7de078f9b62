//! What stands behind a backslash in C and in many tools.

pub(crate) fn control(letter: char) -> Option<char> {
    Some(match letter {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        _ => return None,
    })
}

/// The character with a code of up to three octal digits, or with a letter, and what follows it.
pub(crate) fn read(source: &str) -> Option<(char, &str)> {
    let octal = source.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    if let Some((digits, rest)) = source.split_at_checked(octal).filter(|_| octal > 0) {
        return Some((char::from_u32(u32::from_str_radix(digits, 8).ok()?)?, rest));
    }
    let mut characters = source.chars();
    Some((control(characters.next()?)?, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_letters_are_read() {
        assert_eq!(read("0111"), Some(('\t', "1")));
        assert_eq!(read("302\\240"), Some(('\u{c2}', "\\240")));
        assert_eq!(read("nx"), Some(('\n', "x")));
        assert_eq!(read("8"), None);
        assert_eq!(read(""), None);
    }
}
