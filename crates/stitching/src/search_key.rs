//! The form in which names and queries are compared: only letters and digits, without case and
//! accents, with the places where words start.

use icu_normalizer::DecomposingNormalizerBorrowed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordStart {
    /// At a change of case or between letters and digits: `Viewer` in `TeamViewer`.
    Inner,
    /// At the start of the text or after a blank or punctuation.
    Full,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchKey {
    /// The letters and digits of all words, one after the other.
    pub text: String,
    /// The starts of the words, as ascending positions in `text`.
    pub starts: Vec<(usize, WordStart)>,
}

impl SearchKey {
    /// Folds a text.
    ///
    /// ```
    /// use appstitch_stitching::SearchKey;
    ///
    /// assert_eq!(SearchKey::of("RØDE Central").text, "rodecentral");
    /// assert_eq!(SearchKey::of("vs-code").text, SearchKey::of("VS Code").text);
    /// ```
    pub fn of(text: &str) -> Self {
        let mut key = Self::default();
        if text.is_ascii() {
            key.add(text.bytes().map(char::from));
        } else {
            key.add(DecomposingNormalizerBorrowed::new_nfkd().normalize(text).chars());
        }
        key
    }

    pub fn words(&self) -> impl Iterator<Item = &str> {
        let full = |start: &&(usize, WordStart)| start.1 == WordStart::Full;
        let ends = self.starts.iter().filter(full).skip(1).map(|start| start.0);
        let starts = self.starts.iter().filter(full).map(|start| start.0);
        starts.zip(ends.chain([self.text.len()])).map(|(start, end)| &self.text[start..end])
    }

    /// Adds the word starts of another spelling of the same text: `google-chrome` has those of
    /// `googlechrome`.
    pub fn merge(&mut self, other: &Self) {
        self.starts.extend(&other.starts);
        self.starts.sort_unstable();
        // The same place twice: the fuller one is later.
        let mut merged: Vec<(usize, WordStart)> = Vec::with_capacity(self.starts.len());
        for start in &self.starts {
            match merged.last_mut() {
                Some(last) if last.0 == start.0 => *last = *start,
                _ => merged.push(*start),
            }
        }
        self.starts = merged;
    }

    fn add(&mut self, characters: impl Iterator<Item = char>) {
        let mut characters = characters.filter(|character| !is_ignored(*character)).peekable();
        let mut before = Class::Separator;
        while let Some(character) = characters.next() {
            let class = Class::of(character);
            if let Some(word) = spoken(character) {
                self.starts.push((self.text.len(), WordStart::Full));
                self.text.push_str(word);
            }
            if class == Class::Separator {
                before = class;
                continue;
            }
            let next = characters.peek().map_or(Class::Separator, |next| Class::of(*next));
            if let Some(start) = class.start_after(before, next) {
                self.starts.push((self.text.len(), start));
            }
            push_folded(&mut self.text, character);
            before = class;
        }
    }
}

/// Accents that stand by themselves after decomposition, and apostrophes.
fn is_ignored(character: char) -> bool {
    matches!(
        character,
        '\'' | '\u{2019}' | '\u{2bc}' | '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{3099}' | '\u{309a}'
            | '\u{fe20}'..='\u{fe2f}' | '\u{ad}' | '\u{200b}'..='\u{200f}'
    )
}

/// Signs that people also write as words: `Options+`, `Backup & Sync`.
fn spoken(character: char) -> Option<&'static str> {
    match character {
        '+' => Some("plus"),
        '&' => Some("and"),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Separator,
    Upper,
    Lower,
    Digit,
    /// A letter without case.
    Other,
}

impl Class {
    fn of(character: char) -> Self {
        if character.is_numeric() {
            Self::Digit
        } else if character.is_lowercase() {
            Self::Lower
        } else if character.is_uppercase() {
            Self::Upper
        } else if character.is_alphabetic() {
            Self::Other
        } else {
            Self::Separator
        }
    }

    fn start_after(self, before: Self, next: Self) -> Option<WordStart> {
        match (before, self) {
            (Self::Separator, _) => Some(WordStart::Full),
            // The last capital of several belongs to the next word: `VSCode`.
            (Self::Upper, Self::Upper) if next == Self::Lower => Some(WordStart::Inner),
            (Self::Upper, Self::Lower) => None,
            (before, class) => (before != class).then_some(WordStart::Inner),
        }
    }
}

/// Adds the lowercase form, as plain letters where there are any.
fn push_folded(text: &mut String, character: char) {
    for lower in character.to_lowercase() {
        match lower {
            'ß' => text.push_str("ss"),
            'æ' => text.push_str("ae"),
            'œ' => text.push_str("oe"),
            'þ' => text.push_str("th"),
            'ø' => text.push('o'),
            'đ' | 'ð' => text.push('d'),
            'ł' => text.push('l'),
            'ħ' => text.push('h'),
            'ŧ' => text.push('t'),
            'ı' => text.push('i'),
            'ς' => text.push('σ'),
            lower if is_ignored(lower) => {}
            lower => text.push(lower),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let key = SearchKey::of(text);
        let mut shown = String::new();
        for (position, character) in key.text.char_indices() {
            match key.starts.iter().find(|start| start.0 == position) {
                Some((_, WordStart::Full)) => shown.push('|'),
                Some((_, WordStart::Inner)) => shown.push('.'),
                None => {}
            }
            shown.push(character);
        }
        shown
    }

    #[test]
    fn case_accents_blanks_and_punctuation_do_not_matter() {
        for (text, expected) in [
            ("Google Chrome", "|google|chrome"),
            ("google-chrome@beta", "|google|chrome|beta"),
            ("TeamViewer", "|team.viewer"),
            ("com.microsoft.VSCode", "|com|microsoft|vs.code"),
            ("1Password 8", "|1.password|8"),
            ("iTerm2", "|i.term.2"),
            ("Protégé", "|protege"),
            ("RØDE Straße ŁÓDŹ", "|rode|strasse|lodz"),
            ("Ｆｕｌｌ　ｗｉｄｔｈ", "|full|width"),
            ("微信 Mac 版", "|微信|mac|版"),
            ("What\u{2019}s Your Sign", "|whats|your|sign"),
            ("Options+", "|options|plus"),
            ("Backup & Sync", "|backup|and|sync"),
            ("  --  ", ""),
            ("\u{0}\u{1}", ""),
            ("🙂", ""),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_separated_by_blanks_and_punctuation_only() {
        let words = |text: &str| SearchKey::of(text).words().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words("Team Viewer-15"), ["team", "viewer", "15"]);
        assert_eq!(words("TeamViewer15"), ["teamviewer15"]);
        assert!(words("...").is_empty());
    }

    #[test]
    fn another_spelling_adds_its_word_starts() {
        let mut key = SearchKey::of("googlechrome");
        key.merge(&SearchKey::of("Google Chrome"));
        assert_eq!(key, SearchKey::of("google-chrome"));
    }
}
