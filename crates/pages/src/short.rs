//! Foreign texts in cells: on one line, and not longer than a cell.

/// The most characters of a name in a cell.
pub(crate) const NAME: usize = 80;

/// The most characters of a version in a cell.
pub(crate) const VERSION: usize = 40;

/// A text cut to this many characters. Blanks of any kind become spaces, and characters that change
/// the direction of what follows are left out: they would mix up the row.
pub(crate) fn short(text: &str, most: usize) -> String {
    let is_hidden = |character: &char| {
        matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}')
            || matches!(character, '\u{2066}'..='\u{2069}')
    };
    let blank = |character: char| {
        if character.is_whitespace() || character.is_control() { ' ' } else { character }
    };
    let mut shown = text.chars().filter(|character| !is_hidden(character)).map(blank);
    let mut cut: String = shown.by_ref().take(most).collect();
    if shown.next().is_some() {
        cut.pop();
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_by_characters_and_stay_on_their_line() {
        assert_eq!(short("Firefox", 7), "Firefox");
        assert_eq!(short("Firefox!", 7), "Firefo…");
        assert_eq!(short("ééééé", 3), "éé…");
        assert_eq!(short("a\n\u{202e}b\u{0}", 9), "a b ");
        assert_eq!(short("", 3), "");
    }
}
