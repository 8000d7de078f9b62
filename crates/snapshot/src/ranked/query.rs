//! What is searched for.

use std::borrow::Cow;

use appstitch_stitching::SearchKey;
use memchr::memmem::Finder;

use super::{short_forms::written_out, typo::Misspelled};

/// The most words of a query. Further words are ignored; a query is short anyway.
pub(super) const WORDS: usize = 16;

/// A query in every way it is read. Each reading is tried by itself, and the best one counts.
pub(crate) struct Query {
    pub(super) readings: Vec<Reading>,
}

pub(super) struct Reading {
    pub(super) wording: Wording,
    /// The words, each once.
    pub(super) words: Vec<Word>,
    /// All words without blanks.
    pub(super) joined: Word,
    /// The word that is looked for first: the longest one.
    pub(super) rarest: usize,
}

/// How a reading differs from what was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    AsTyped,
    /// Without words at the end that say nothing.
    Shorter,
    /// With a short form written out.
    WrittenOut,
}

/// Words that people add to a name: `slack app`, `zoom for mac`, or the ending of a file.
const ADDED: [&str; 8] = ["app", "dmg", "for", "mac", "macos", "mpkg", "pkg", "zip"];

pub(super) struct Word {
    pub(super) text: String,
    pub(super) finder: Finder<'static>,
    pub(super) misspelled: Option<Misspelled>,
    /// Whether the first and the last character are digits.
    pub(super) edges: [bool; 2],
    pub(super) characters: usize,
}

impl Word {
    fn of(text: &str) -> Self {
        Self {
            finder: Finder::new(text).into_owned(),
            misspelled: Misspelled::of(text),
            edges: [text.bytes().next(), text.bytes().next_back()]
                .map(|edge| edge.is_some_and(|byte| byte.is_ascii_digit())),
            characters: text.chars().count(),
            text: text.to_owned(),
        }
    }
}

/// What people write for something else: numbers in words, and the usual short form of a vendor.
const SYNONYMS: [(&str, &str); 10] = [
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ms", "microsoft"),
];

impl Query {
    /// Reads a query. It has no readings if it has neither letters nor digits.
    pub(crate) fn read(text: &str) -> Self {
        let key = SearchKey::of(text);
        let words: Vec<&str> = key.words().take(WORDS).collect();
        let mut readings = Vec::new();
        add_readings(&words, Wording::AsTyped, &mut readings);
        let kept = words.iter().rposition(|word| !ADDED.contains(word)).map_or(0, |last| last + 1);
        if kept > 0 && kept < words.len() {
            add_readings(&words[..kept], Wording::Shorter, &mut readings);
        }
        Self { readings }
    }

    /// The query without its last word, without its last two words, and so on.
    pub(super) fn beginnings(text: &str) -> impl Iterator<Item = Self> {
        let words: Vec<String> = SearchKey::of(text).words().map(str::to_owned).collect();
        let most = words.len().min(WORDS);
        (1..most).rev().map(move |count| Self::read(&words[..count].join(" ")))
    }
}

fn add_readings(words: &[&str], wording: Wording, readings: &mut Vec<Reading>) {
    readings.extend(Reading::of(words, wording));
    let synonyms: Vec<Cow<'_, str>> = words.iter().map(|word| synonym(word)).collect();
    let synonyms: Vec<&str> = synonyms.iter().map(|word| &**word).collect();
    if synonyms != words {
        readings.extend(Reading::of(&synonyms, wording));
    }
    for words in written_out(words) {
        readings.extend(Reading::of(&words, Wording::WrittenOut));
    }
}

/// A word with its synonym, or with that of its beginning: `onepassword` and `msteams` are words, too.
fn synonym(word: &str) -> Cow<'_, str> {
    /// The fewest letters that have to follow: a shorter word is just a word, such as `ones`.
    const SHORTEST_REST: usize = 4;
    let replaced = SYNONYMS.iter().find_map(|(from, to)| {
        let rest = word.strip_prefix(from)?;
        (rest.is_empty() || rest.len() >= SHORTEST_REST).then(|| format!("{to}{rest}"))
    });
    replaced.map_or(Cow::Borrowed(word), Cow::Owned)
}

impl Reading {
    /// Whether typing errors are allowed in it: short words have none, and nobody typed a word that
    /// is written out.
    pub(super) fn may_be_misspelled(&self) -> bool {
        let mut words = self.words.iter().chain([&self.joined]);
        self.wording != Wording::WrittenOut && words.any(|word| word.misspelled.is_some())
    }

    fn of(all: &[&str], wording: Wording) -> Option<Self> {
        let joined = Word::of(&all.concat());
        let mut words: Vec<Word> = Vec::new();
        for word in all {
            if words.iter().all(|known| known.text != *word) {
                words.push(Word::of(word));
            }
        }
        let rarest = (0..words.len()).max_by_key(|number| words[*number].text.len())?;
        Some(Self { wording, words, joined, rarest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(text: &str) -> Vec<Vec<String>> {
        let words =
            |reading: &Reading| reading.words.iter().map(|word| word.text.clone()).collect();
        Query::read(text).readings.iter().map(words).collect()
    }

    #[test]
    fn a_query_is_read_as_its_words_and_with_synonyms() {
        assert_eq!(readings("Google  chrome GOOGLE"), [["google", "chrome"]]);
        assert_eq!(readings("one Password"), [["one", "password"], ["1", "password"]]);
        assert_eq!(readings("onepassword"), [["onepassword"], ["1password"]]);
        assert_eq!(readings("MSTeams"), [["msteams"], ["microsoftteams"]]);
        assert_eq!(readings("ones"), [["ones"]]);
        assert_eq!(readings("FF esr"), [["ff", "esr"], ["firefox", "esr"]]);
        assert_eq!(readings("msteams app")[3], ["microsoftteams"]);
        assert_eq!(readings("for mac app"), [["for", "mac", "app"]]);
        assert!(readings(" . % \u{0} ").is_empty());
        assert_eq!(readings(&"a b c d ".repeat(50)), [["a", "b", "c", "d"]]);
    }
}
