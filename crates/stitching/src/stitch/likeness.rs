//! Comparison of names, files and version numbers.

use appstitch_text::normal_name::normal;

use super::evidence::Signal;
use crate::bounds::NAME_WORDS;

/// The minimum length of a name that two different apps are unlikely to share.
pub(super) const DISTINCTIVE: usize = 9;

/// Whether a cask installs the app's file. If one name is part of the other (`Sample` and
/// `Sample 2024`), this is no evidence for or against a match.
pub(super) fn compare_app_files(file: &str, installed: &[String]) -> Option<Signal> {
    let same = |name: &String| normal(name) == normal(file);
    if installed.is_empty() {
        None
    } else if installed.iter().any(same) {
        let distinctive = normal(file).chars().count() >= DISTINCTIVE;
        Some(if distinctive { Signal::AppFile } else { Signal::ShortAppFile })
    } else if installed.iter().any(|name| has_words_of(name, file) || has_words_of(file, name)) {
        None
    } else {
        Some(Signal::OtherAppFile)
    }
}

/// Whether `long` contains the words of `short` in sequence: `Sample 2024` contains `Sample`,
/// `Sampler` does not.
pub(super) fn has_words_of(long: &str, short: &str) -> bool {
    let (long, short) = (words(long), words(short));
    long.len() <= NAME_WORDS
        && !short.is_empty()
        && long.windows(short.len()).any(|part| part == short)
}

/// The words of a name, in lowercase: `SampleApp2` has three.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    for character in text.chars() {
        let joined = spaced.chars().last().is_some_and(|last| {
            last.is_alphabetic() == character.is_alphabetic()
                && !(last.is_lowercase() && character.is_uppercase())
        });
        if !joined {
            spaced.push(' ');
        }
        spaced.push(character);
    }
    let words = spaced.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Editions of which an app can have several, each with a file of its own.
const EDITIONS: [&str; 9] = [
    "business", "classic", "community", "enterprise", "legacy", "pro", "professional", "standard",
    "ultimate",
];

/// The editions that names have.
pub(super) fn editions(names: &[String]) -> Vec<&'static str> {
    let names: Vec<String> = names.iter().flat_map(|name| words(name)).collect();
    EDITIONS.into_iter().filter(|edition| names.iter().any(|word| word == edition)).collect()
}

/// Whether the name contains the number, not as part of a longer number.
pub(super) fn has_number(name: &str, number: &str) -> bool {
    let mut numbers = name.split(|character: char| !character.is_ascii_digit());
    numbers.any(|other| other == number)
}

/// Whether one name has one letter more than the other, or another letter in one place. Digits tell
/// products apart.
pub(super) fn differ_by_a_letter(left: &str, right: &str) -> bool {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let Some(place) = (0..long.len()).find(|place| short.get(*place) != long.get(*place)) else {
        return false;
    };
    let is_letter = |names: &[char]| names.get(place).is_none_or(char::is_ascii_alphabetic);
    let rest = if short.len() == long.len() { short.get(place + 1..) } else { short.get(place..) };
    rest == long.get(place + 1..) && is_letter(&short) && is_letter(&long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_have_one_wrong_letter() {
        assert!(differ_by_a_letter("samplers", "sampler"));
        assert!(differ_by_a_letter("sampel", "sampal"));
        assert!(differ_by_a_letter("smple", "sample"));
        assert!(!differ_by_a_letter("sample", "sample"));
        assert!(!differ_by_a_letter("sample2", "sample"), "a version");
        assert!(!differ_by_a_letter("samples", "sampled2"));
    }
}
