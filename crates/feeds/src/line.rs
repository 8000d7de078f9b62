//! Foreign text on one line of limited length.

use appstitch_budget::shortened;

/// The text on one line, cut to about this many bytes. Blanks of any kind become single spaces.
/// Control characters, characters that change the direction of what follows, and characters that no
/// text may contain are removed.
pub(crate) fn line(text: &str, bytes: usize) -> String {
    let mut line = String::with_capacity(text.len().min(bytes + 4));
    let mut is_apart = false;
    for character in text.chars() {
        if line.len() > bytes {
            break;
        }
        if character.is_whitespace() {
            is_apart = !line.is_empty();
        } else if is_shown(character) {
            if std::mem::take(&mut is_apart) {
                line.push(' ');
            }
            line.push(character);
        }
    }
    shortened(line, bytes)
}

/// Joiners are shown: they make one emoji of several, and letters of some scripts need them.
fn is_shown(character: char) -> bool {
    let is_hidden = character.is_control()
        || matches!(character, '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}')
        || matches!(character, '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        || matches!(character, '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
        // The last two code points of every plane are no characters, and XML forbids two of them.
        || matches!(character, '\u{FDD0}'..='\u{FDEF}')
        || u32::from(character) & 0xFFFE == 0xFFFE;
    !is_hidden
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blanks_become_one_space_and_hidden_characters_go() {
        assert_eq!(line(" a \t\r\n b\u{2028}c ", 100), "a b c");
        assert_eq!(line("a\u{0}\u{1b}[31mb\u{202e}c\u{ffff}\u{fffe}", 100), "a[31mbc");
        assert_eq!(line("👩\u{200d}💻", 100), "👩\u{200d}💻");
        assert_eq!(line("\u{200b} \u{7}", 100), "");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(line("abcdef", 3), "abc…");
        assert_eq!(line(&"é".repeat(10_000), 9), "éééé…");
        assert_eq!(line("abc", 3), "abc");
    }

    proptest! {
        #[test]
        fn any_text_becomes_a_short_line(text in any::<String>(), bytes in 0_usize..40) {
            let line = line(&text, bytes);
            prop_assert!(line.len() <= bytes + "…".len());
            prop_assert!(!line.chars().any(char::is_control));
        }
    }
}
