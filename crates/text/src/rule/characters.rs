//! Which characters of a text are kept, removed or rejected.

use std::borrow::Cow;

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory},
};

/// The greatest number of combining marks on one character. Writing systems stack two or three.
const MAX_MARKS: usize = 4;

const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    /// Kept, but not many in a row and not alone.
    Mark,
    /// Joins or separates two characters of some scripts, and makes one emoji of several.
    Joiner,
    /// Chooses between text and emoji for the symbol before it.
    Selector,
    Removed,
    Rejected(&'static str),
}

fn category(character: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(character)
}

fn fate(character: char) -> Fate {
    match character {
        ' '..='~' => return Fate::Kept,
        NON_JOINER | JOINER => return Fate::Joiner,
        '\u{FE0E}' | '\u{FE0F}' => return Fate::Selector,
        // The marks for a direction show nothing and end nothing. Upstreams leave them behind.
        '\u{061C}' | '\u{200E}' | '\u{200F}' => return Fate::Removed,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            return Fate::Rejected("a direction override");
        }
        '\u{E0000}'..='\u{E007F}' => return Fate::Rejected("a tag character"),
        _ => {}
    }
    match category(character) {
        GeneralCategory::Control => Fate::Rejected("a control character"),
        GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator => {
            Fate::Rejected("a line separator")
        }
        GeneralCategory::Unassigned => Fate::Rejected("a code point that is not a character"),
        GeneralCategory::PrivateUse | GeneralCategory::Surrogate => {
            Fate::Rejected("a private-use character")
        }
        _ if CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character) => {
            Fate::Removed
        }
        GeneralCategory::Format => Fate::Rejected("a format character"),
        GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark => Fate::Mark,
        _ => Fate::Kept,
    }
}

/// Whether the character shows nothing but takes room. The Braille pattern without dots is a symbol
/// by its category.
pub(super) fn is_blank(character: char) -> bool {
    match character {
        ' ' | '\u{2800}' => true,
        '!'..='~' => false,
        other => category(other) == GeneralCategory::SpaceSeparator,
    }
}

/// The text without the characters that are removed; an error names one that must not be in it.
pub(super) fn kept(text: &str) -> Result<Cow<'_, str>, &'static str> {
    let mut kept = String::with_capacity(text.len());
    let mut marks = 0_usize;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let fate = fate(character);
        marks = if fate == Fate::Mark { marks + 1 } else { 0 };
        let before = kept.chars().next_back();
        let is_kept = match fate {
            Fate::Rejected(what) => return Err(what),
            Fate::Mark if marks > MAX_MARKS => return Err("a pile of combining marks"),
            Fate::Mark if before.is_none_or(is_blank) => {
                return Err("a combining mark without a character");
            }
            Fate::Kept | Fate::Mark => true,
            Fate::Removed => false,
            Fate::Joiner => {
                let after = rest.clone().next();
                before.is_some_and(is_joined) && after.is_some_and(is_joined)
            }
            Fate::Selector => before.is_some_and(is_selected),
        };
        if is_kept {
            kept.push(character);
        }
    }
    Ok(if kept == text { Cow::Borrowed(text) } else { Cow::Owned(kept) })
}

/// Whether a joiner next to this character has an effect: scripts without cases, such as Persian
/// and those of India, and emoji.
fn is_joined(character: char) -> bool {
    let category = category(character);
    !character.is_ascii()
        && (character == '\u{FE0F}'
            || matches!(
                category,
                GeneralCategory::OtherLetter
                    | GeneralCategory::NonspacingMark
                    | GeneralCategory::SpacingMark
                    | GeneralCategory::OtherSymbol
                    | GeneralCategory::ModifierSymbol
                    | GeneralCategory::MathSymbol
            ))
}

/// Whether a selector after this character has an effect: symbols and the signs of keys.
fn is_selected(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*')
        || matches!(
            category(character),
            GeneralCategory::OtherSymbol
                | GeneralCategory::MathSymbol
                | GeneralCategory::OtherPunctuation
                | GeneralCategory::DashPunctuation
        )
}

/// The text with an escape for every character that is not served, for messages that quote what
/// somebody sent.
///
/// ```
/// use appstitch_text::visible;
///
/// assert_eq!(visible("a\u{202e}b\n"), "a\\u{202e}b\\n");
/// ```
pub fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        match fate(character) {
            Fate::Kept | Fate::Mark => visible.push(character),
            Fate::Rejected(_) | Fate::Removed | Fate::Joiner | Fate::Selector => {
                visible.extend(character.escape_default());
            }
        }
    }
    visible
}
