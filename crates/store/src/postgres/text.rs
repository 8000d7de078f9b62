//! Texts with U+0000, which PostgreSQL does not have.
//!
//! U+0000 is written as U+0001 U+0001, and U+0001 as U+0001 U+0002. Every text has one written form,
//! and the order by bytes stays the same: both begin with U+0001, which is before everything else.

use std::borrow::Cow;

/// The written form of a text.
pub(super) fn written(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte <= 1) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\0' => written.push_str("\u{1}\u{1}"),
            '\u{1}' => written.push_str("\u{1}\u{2}"),
            _ => written.push(character),
        }
    }
    Cow::Owned(written)
}

/// The text of a written form.
pub(super) fn read(written: &str) -> String {
    if !written.bytes().any(|byte| byte == 1) {
        return written.to_owned();
    }
    let mut text = String::with_capacity(written.len());
    let mut characters = written.chars();
    while let Some(character) = characters.next() {
        match character {
            '\u{1}' => text.push(if characters.next() == Some('\u{1}') { '\0' } else { '\u{1}' }),
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_and_keeps_its_place() {
        let mut texts: Vec<String> = vec![String::new()];
        for length in 1..=3 {
            let longer: Vec<String> = texts
                .iter()
                .filter(|text| text.chars().count() == length - 1)
                .flat_map(|text| {
                    ['\0', '\u{1}', '\u{2}', 'a', 'é'].map(|next| format!("{text}{next}"))
                })
                .collect();
            texts.extend(longer);
        }
        texts.sort();
        assert!(texts.is_sorted_by_key(|text| written(text).into_owned()));
        for text in &texts {
            assert_eq!(&read(&written(text)), text);
            assert!(!written(text).contains('\0'));
        }
        assert!(matches!(written("plain"), Cow::Borrowed("plain")));
    }
}
