//! The words of a name, by which apps with similar names are found.

/// The most words of a name that are compared.
const WORDS: usize = 12;

/// The shortest word that is compared.
const SHORTEST: usize = 3;

/// The words of a name, in lowercase.
pub(super) fn words(name: &str) -> Vec<String> {
    name.split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.chars().count() >= SHORTEST)
        .take(WORDS)
        .map(str::to_lowercase)
        .collect()
}
