//! Names that are the same apart from words that only one side writes: the maker, a number, what
//! the download is called.

use std::{collections::BTreeSet, ops::Bound};

use super::{
    addresses::{addresses, host},
    likeness::words,
};
use crate::bounds::NAME_WORDS;

/// The minimum number of letters that two similar names share.
const MINIMUM: usize = 4;

/// Words that do not identify a product.
const EMPTY_WORDS: [&str; 10] =
    ["app", "application", "desktop", "for", "mac", "macos", "osx", "the", "and", "by"];

#[derive(Default)]
pub(super) struct AddressWords {
    all: BTreeSet<String>,
    hosts: BTreeSet<String>,
}

impl AddressWords {
    pub(super) fn read(text: &str) -> Self {
        let mut read = Self::default();
        for address in addresses(text) {
            read.hosts.extend(host(&address).split('.').map(str::to_owned));
            read.all.extend(words(&address));
        }
        read
    }

    fn has(&self, word: &str) -> bool {
        self.all.contains(word)
    }

    /// Whether a host begins with the word: `ibm` and `ibmcloud.com`.
    fn is_host(&self, word: &str) -> bool {
        let from = (Bound::Included(word), Bound::Unbounded);
        let mut hosts = self.hosts.range::<str, _>(from);
        word.len() > 2 && hosts.next().is_some_and(|part| part.starts_with(word))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Similarity {
    /// The letters of the words in common.
    pub(super) letters: usize,
    /// Whether a word of one is explained by the host of the other.
    pub(super) has_maker: bool,
    /// Whether a number in one is one of the version.
    pub(super) has_number: bool,
}

pub(super) struct Side<'a> {
    pub(super) name: &'a str,
    pub(super) addresses: &'a AddressWords,
}

/// Compares two names; `None` if they are the same, share too little, or if a word of one is
/// neither a number of the version nor in the addresses of the other.
pub(super) fn similarity(
    left: &Side<'_>,
    right: &Side<'_>,
    numbers: &[&str],
) -> Option<Similarity> {
    let (left_words, right_words) = (words(left.name), words(right.name));
    if left_words.len().max(right_words.len()) > NAME_WORDS {
        return None;
    }
    let (left_words, right_words) = aligned(left_words, right_words);
    if left_words == right_words {
        return None;
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let shared = left_words.intersection(&right_words).filter(|word| !is_number(word));
    let letters: usize = shared.map(|word| word.chars().count()).sum();
    if letters < MINIMUM {
        return None;
    }
    let mut found = Similarity { letters, has_maker: false, has_number: false };
    let mut is_explained = |word: &String, other: &AddressWords| {
        if is_number(word) {
            let is_of_the_version = numbers.contains(&word.as_str());
            found.has_number |= is_of_the_version;
            return is_of_the_version || (word.len() > 2 && other.has(word));
        }
        let is_host = other.is_host(word);
        found.has_maker |= is_host;
        EMPTY_WORDS.contains(&word.as_str()) || is_host || other.has(word)
    };
    let is_similar =
        left_words.difference(&right_words).all(|word| is_explained(word, right.addresses))
            && right_words.difference(&left_words).all(|word| is_explained(word, left.addresses));
    is_similar.then_some(found)
}

/// The words of two names. A name that is written as one word in the other has the words of the
/// other: `samplelink` and `SampleLink Manager`.
fn aligned(left: Vec<String>, right: Vec<String>) -> (BTreeSet<String>, BTreeSet<String>) {
    let split_as = |short: &[String], long: &[String]| -> Option<Vec<String>> {
        let joined = short.concat();
        let run_from = |from: usize| {
            let mut rest = joined.as_str();
            let mut to = from;
            while !rest.is_empty() {
                rest = rest.strip_prefix(long.get(to)?.as_str())?;
                to += 1;
            }
            (to > from).then(|| long[from..to].to_vec())
        };
        (0..long.len()).find_map(run_from)
    };
    let left_as_right = split_as(&left, &right);
    let right_as_left = split_as(&right, &left);
    let left = left_as_right.unwrap_or(left);
    let right = right_as_left.unwrap_or(right);
    (left.into_iter().collect(), right.into_iter().collect())
}

/// The names that are left if a name loses its first word, its last word and its numbers. Similar
/// names have one of them in common.
pub(super) fn shortened(name: &str) -> BTreeSet<String> {
    let all = words(name);
    let plain: Vec<String> = all
        .iter()
        .filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()))
        .cloned()
        .collect();
    let mut names = BTreeSet::new();
    for words in [&all, &plain] {
        let end = words.len();
        for (from, to) in
            [(0, end), (1, end), (0, end.saturating_sub(1)), (1, end.saturating_sub(1))]
        {
            let name = words.get(from..to).unwrap_or_default().concat();
            if name.len() >= MINIMUM {
                names.insert(name);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(left: (&str, &str), right: (&str, &str), number: &str) -> Option<Similarity> {
        let (left_words, right_words) = (AddressWords::read(left.1), AddressWords::read(right.1));
        similarity(
            &Side { name: left.0, addresses: &left_words },
            &Side { name: right.0, addresses: &right_words },
            &[number],
        )
    }

    #[test]
    fn a_word_of_one_side_is_explained_by_the_addresses_of_the_other() {
        let cask = ("Acme Sample", "https://acme.example/x");
        let found = compare(("Sample", "https://acmeinc.example/"), cask, "1").unwrap();
        assert_eq!(found, Similarity { letters: 6, has_maker: true, has_number: false });
        let manager = ("Sample Manager", "https://a.example/");
        let named = ("Sample", "https://b.example/files/Sample%20Manager%201.dmg");
        assert!(!compare(manager, named, "1").unwrap().has_maker);
        assert_eq!(compare(("Sample", "https://other.example/"), cask, "1"), None);
    }

    #[test]
    fn a_number_is_one_of_the_version() {
        let named = |name| (name, "https://a.example/");
        assert!(compare(named("Sample 11 App"), named("Sample"), "11").unwrap().has_number);
        assert_eq!(compare(named("Sample"), named("sample"), "11"), None, "the same name");
        assert_eq!(compare(named("Sample 11"), named("Sample"), "12"), None);
        assert_eq!(compare(named("A 11"), named("A"), "11"), None, "too little in common");
    }

    #[test]
    fn a_name_can_be_written_as_one_word() {
        let cask = ("samplelink", "https://a.example/SampleLink%20Manager.pkg");
        assert!(compare(("SampleLink Manager", "https://b.example/"), cask, "1").is_some());
    }

    #[test]
    fn similar_names_have_a_shortened_name_in_common() {
        let (left, right) = (shortened("Acme Sample 11 Kit"), shortened("Sample@11"));
        assert!(!left.is_disjoint(&right), "{left:?} {right:?}");
        assert!(shortened("Sample").is_disjoint(&shortened("Another")));
    }
}
