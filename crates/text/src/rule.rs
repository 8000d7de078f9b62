//! The text rule: what a text from outside must look like to be served.
//!
//! One rule holds for every source and every field (see docs/contributing/text.md).
//! [`normal_form`] removes what nobody sees and is harmless: unusual blanks, direction marks,
//! zero-width characters. It rejects what misleads people or programs: control characters, line
//! separators, direction overrides, characters without a meaning, piles of combining marks, and
//! markup. Raw payloads keep what upstream wrote.

mod characters;
mod markup;

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

pub use characters::visible;

/// The text in the form in which it is served; an error names what it must not contain. The result
/// is empty if nothing visible is in the text.
pub fn normal_form(text: &str) -> Result<Cow<'_, str>, &'static str> {
    let composed = if is_plain_ascii(text) {
        Cow::Borrowed(text)
    } else {
        // Composition can make other characters, for example a backtick of an accent, so everything
        // after it looks at the result.
        let composed = composed(text)?;
        match self::composed(&composed)? {
            same if same == composed && same == text => Cow::Borrowed(text),
            again => Cow::Owned(again),
        }
    };
    let spaced = single_spaced(composed);
    markup::find(&spaced).map_or(Ok(spaced), Err)
}

fn composed(text: &str) -> Result<String, &'static str> {
    let kept = characters::kept(text)?;
    Ok(ComposingNormalizerBorrowed::new_nfc().normalize(&kept).into_owned())
}

/// Checks a text that is served unchanged or not at all, such as the name of a file: the same rule,
/// but invisible characters are errors, and blanks and composition stay.
pub(crate) fn check_exact(text: &str) -> Result<(), &'static str> {
    check_characters(text)?;
    markup::find(text).map_or(Ok(()), Err)
}

/// Like `check_exact`, but markup is allowed: for the variables of a label, which nobody reads as
/// text.
pub fn check_characters(text: &str) -> Result<(), &'static str> {
    if !is_plain_ascii(text) && characters::kept(text)? != text {
        return Err("an invisible character");
    }
    Ok(())
}

fn is_plain_ascii(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// One space for every run of blanks, and none at the ends.
fn single_spaced(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_blank_elsewhere = |next: char| next != ' ' && characters::is_blank(next);
    let has_single_spaces = !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ");
    // Most texts are plain, and need no look at each character.
    if has_single_spaces && (is_plain_ascii(&text) || !text.contains(is_blank_elsewhere)) {
        return text;
    }
    let words = text.split(characters::is_blank).filter(|word| !word.is_empty());
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;
