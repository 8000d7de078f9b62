//! Typing errors in words.

use std::ops::RangeInclusive;

/// The number of errors allowed in a word of this many characters.
pub(super) fn allowed_errors(characters: usize) -> usize {
    match characters {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// The longest word that is compared.
pub(super) const LONGEST: usize = 32;

/// What a missing, added or swapped letter counts.
const SLIP: usize = 2;

/// What a wrong letter counts: people type it less often.
const WRONG: usize = 3;

const CHARACTER: usize = 4;

fn first_byte(character: char) -> u8 {
    character.encode_utf8(&mut [0; CHARACTER]).as_bytes()[0]
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Misspelled {
    characters: Vec<char>,
    /// The first bytes that a similar word can have.
    first: [u8; 2],
    bytes: usize,
    mask: u64,
    has_digits: bool,
    errors: usize,
}

impl Misspelled {
    /// `None` if no errors are allowed in the word.
    pub(super) fn of(word: &str) -> Option<Self> {
        let characters: Vec<char> = word.chars().collect();
        let errors = allowed_errors(characters.len());
        (errors > 0 && characters.len() <= LONGEST).then(|| Self {
            first: [0, 1].map(|place| first_byte(characters[place])),
            bytes: word.len(),
            mask: mask(word.as_bytes()),
            has_digits: word.chars().any(char::is_numeric),
            characters,
            errors,
        })
    }

    /// Whether a similar word can start with this byte. The first letter has to be right, or
    /// swapped with the second.
    #[inline]
    pub(super) fn can_start_with(&self, byte: u8) -> bool {
        self.first.contains(&byte)
    }

    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    #[inline]
    pub(super) fn has(&self, bit: u64) -> bool {
        self.mask & bit != 0
    }

    /// The lengths in bytes that a similar word can have.
    pub(super) fn lengths(&self) -> RangeInclusive<usize> {
        self.bytes.saturating_sub(self.errors * CHARACTER)..=self.bytes + self.errors * CHARACTER
    }

    /// How much a word differs: letters that are missing, added, wrong or swapped. `None` if there
    /// are too many errors.
    pub(super) fn difference(&self, word: &[u8], word_mask: u64) -> Option<usize> {
        // An error changes at most two kinds of letters.
        let differing = (self.mask ^ word_mask).count_ones() as usize;
        if differing > 2 * self.errors {
            return None;
        }
        let word = std::str::from_utf8(word).ok()?;
        let mut other = ['\0'; LONGEST + 2];
        let mut length = 0;
        for character in word.chars() {
            *other.get_mut(length)? = character;
            length += 1;
        }
        if length.abs_diff(self.characters.len()) > self.errors {
            return None;
        }
        let other = &other[..length];
        // A number with an error is another number.
        let digits = |characters: &&char| characters.is_numeric();
        if self.has_digits && !other.iter().filter(digits).eq(self.characters.iter().filter(digits))
        {
            return None;
        }
        let is_swapped = other.get(..2) == Some(&[self.characters[1], self.characters[0]]);
        let allowed = if other.first() == self.characters.first() {
            self.errors * WRONG
        } else {
            // Whoever errs at once makes no second error.
            usize::from(is_swapped) * SLIP
        };
        Some(distance(&self.characters, other)).filter(|difference| *difference <= allowed)
    }
}

/// The kinds of bytes in a word: a bit for each letter and digit, one for everything else.
pub(super) fn mask(word: &[u8]) -> u64 {
    word.iter().fold(0, |mask, byte| mask | bit(*byte))
}

pub(super) fn bit(byte: u8) -> u64 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'0'..=b'9' => 1 << (26 + byte - b'0'),
        _ => 1 << 36,
    }
}

/// The optimal string alignment distance, weighted.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before = [0_usize; LONGEST + 3];
    let mut row = [0_usize; LONGEST + 3];
    let mut next = [0_usize; LONGEST + 3];
    for (column, cell) in row.iter_mut().enumerate() {
        *cell = column * SLIP;
    }
    for (line, letter) in left.iter().enumerate() {
        next[0] = (line + 1) * SLIP;
        for (column, other) in right.iter().enumerate() {
            let wrong = row[column] + if letter == other { 0 } else { WRONG };
            let mut least = wrong.min(row[column + 1] + SLIP).min(next[column] + SLIP);
            let is_swapped =
                line > 0 && column > 0 && *letter == right[column - 1] && left[line - 1] == *other;
            if is_swapped {
                least = least.min(before[column - 1] + SLIP);
            }
            next[column + 1] = least;
        }
        (before, row, next) = (row, next, before);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(word: &str, other: &str) -> Option<usize> {
        Misspelled::of(word)?.difference(other.as_bytes(), mask(other.as_bytes()))
    }

    #[test]
    fn letters_may_be_missing_added_wrong_or_swapped() {
        for (word, other, expected) in [
            ("chorme", "chrome", Some(2)),
            ("crome", "chrome", Some(2)),
            ("chroome", "chrome", Some(2)),
            ("hcrome", "chrome", Some(2)),
            ("vhrome", "chrome", None),
            ("achrome", "chrome", None),
            ("virtulbox", "virtualbox", Some(2)),
            ("phtoosohp", "photoshop", Some(4)),
            ("chrome", "chroma", Some(3)),
            ("chorme", "chroma", None),
            ("protégr", "protégé", Some(3)),
            ("zom", "zoom", None),
            ("1pasword", "1password", Some(2)),
            ("firefox1", "firefox2", None),
            ("firefox", "", None),
            ("firefox", "f", None),
        ] {
            assert_eq!(difference(word, other), expected, "{word} {other}");
        }
    }

    #[test]
    fn long_words_are_compared_without_overflow() {
        let long = "a".repeat(LONGEST);
        assert_eq!(difference(&long, &"a".repeat(LONGEST + 2)), Some(4));
        assert_eq!(difference(&long, &"a".repeat(LONGEST + 3)), None);
        assert_eq!(difference(&"a".repeat(LONGEST + 1), &long), None);
    }
}
