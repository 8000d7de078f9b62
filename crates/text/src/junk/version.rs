//! Whether a text can be a version.

use super::Junk;

/// In characters. The longest version of a real cask has 104, the longest of a label 31.
const MAX_LENGTH: usize = 120;

/// The punctuation of real versions, with blanks.
const PUNCTUATION: &str = ".,-_+~#() ";

/// The words of real versions. Any other word of two letters or more at the start, or among
/// several words, is taken from a sentence or a file name.
const WORDS: [&str; 36] = [
    "alpha", "b", "beta", "build", "ce", "community", "dev", "ea", "edition", "ee", "esr", "final",
    "fix", "hotfix", "lts", "m", "nightly", "patch", "pr", "pre", "preview", "pro", "r", "rc",
    "rel", "release", "rev", "revision", "sp", "stable", "sr", "update", "v", "ver", "version",
    "ultimate",
];

const ARCHITECTURES: [&str; 9] =
    ["aarch64", "amd64", "arm64", "arm64e", "i386", "x64", "x86", "x86-64", "x86_64"];

const FILE_ENDINGS: [&str; 14] = [
    ".app", ".bz2", ".dmg", ".gz", ".htm", ".html", ".iso", ".json", ".pkg", ".plist", ".tar",
    ".xml", ".xz", ".zip",
];

/// The version without blanks around it and without dots behind it; an error if the text cannot
/// be a version.
pub fn check_found_version(text: &str) -> Result<&str, Junk> {
    let version = text.trim().trim_end_matches(|c: char| c == '.' || c.is_whitespace());
    if version.is_empty() {
        return Err(Junk::Empty);
    }
    if version.contains("://") {
        return Err(Junk::IsAddress);
    }
    if version.chars().nth(MAX_LENGTH).is_some() {
        return Err(Junk::TooLong(MAX_LENGTH));
    }
    let is_foreign = |c: &char| !c.is_ascii_alphanumeric() && !PUNCTUATION.contains(*c);
    if let Some(foreign) = version.chars().find(is_foreign) {
        return Err(Junk::Character(foreign));
    }
    if !version.contains(|c: char| c.is_ascii_digit()) {
        return Err(Junk::NoDigit);
    }
    if let Some(start) = version.chars().next().filter(|c| !c.is_ascii_alphanumeric()) {
        return Err(Junk::Start(start));
    }
    let folded = version.to_ascii_lowercase();
    if ARCHITECTURES.contains(&folded.as_str()) {
        return Err(Junk::IsArchitecture);
    }
    if FILE_ENDINGS.iter().any(|ending| folded.ends_with(ending)) {
        return Err(Junk::IsFileName);
    }
    match foreign_word(version) {
        Some(word) => Err(Junk::Word(word.to_owned())),
        None => Ok(version),
    }
}

/// The first word that versions do not have: at the start, or standing alone.
fn foreign_word(version: &str) -> Option<&str> {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let start = version.split(|c: char| !is_letter(c)).next().unwrap_or_default();
    // A few letters directly before a number are its prefix: `py314`, `PR7`.
    let is_prefix =
        start.len() <= 3 && version[start.len()..].starts_with(|c: char| c.is_ascii_digit());
    let start = if is_prefix { "" } else { start };
    let alone = version
        .split([' ', '(', ')'])
        .map(|word| word.trim_matches(','))
        .filter(|word| !word.is_empty() && word.chars().all(is_letter));
    // A single letter is part of a version, and so is a short mark in capitals.
    let is_mark = |word: &str| word.len() <= 3 && word.chars().all(|c| c.is_ascii_uppercase());
    let is_known = |word: &str| {
        word.len() < 2 || WORDS.contains(&word.to_ascii_lowercase().as_str()) || is_mark(word)
    };
    [start].into_iter().chain(alone).find(|word| !is_known(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_every_notation_pass() {
        for version in [
            "1",
            "20260829",
            "v1.2.3",
            "1.2.3-0d79a49f",
            "11.0.31+11",
            "153.0b10",
            "2.0.0.v20210717-M17",
            "2026-06-R",
            "5.65.1-latest",
            "3.24 R0004",
            "45b7",
            "8.0.47 CE",
            "8u502-b07",
            "9.0beta06 (build 6450)",
            "Build 4200",
            "5.7.3 (2321)",
            "R2024b",
            "5.2.10,Quasar",
            "py314_26.5.3-2",
            "Version 2.0 beta 3",
            "6.6.3-20260603142618+f60f2ff97e",
        ] {
            assert_eq!(check_found_version(version), Ok(version));
        }
    }

    #[test]
    fn blanks_and_a_dot_left_behind_are_removed() {
        for text in [" 2.0.2\r\n", "2.0.2.", "2.0.2 ", "\t2.0.2. "] {
            assert_eq!(check_found_version(text), Ok("2.0.2"), "{text:?}");
        }
    }

    #[test]
    fn dots_and_blanks_at_the_end_go_in_any_order() {
        for text in ["1.2.", "1.2. .", " 1.2 . . ", "1.2.\u{a0}."] {
            assert_eq!(check_found_version(text), Ok("1.2"), "{text:?}");
        }
    }

    #[test]
    fn junk_of_every_class_is_told() {
        for (text, junk) in [
            (" \r\n", Junk::Empty),
            ("agent", Junk::NoDigit),
            ("/bin/205", Junk::Character('/')),
            ("1\\2", Junk::Character('\\')),
            ("https://example.com/Sample-1.2.dmg", Junk::IsAddress),
            ("<b>1.2</b>", Junk::Character('<')),
            ("&lt;1.2", Junk::Character('&')),
            ("${version}1", Junk::Character('$')),
            ("1.2|3", Junk::Character('|')),
            ("`date`1", Junk::Character('`')),
            ("\"1.2\"", Junk::Character('"')),
            ("{\"tag\":1}", Junk::Character('{')),
            ("[1]", Junk::Character('[')),
            ("1.2\n1.3", Junk::Character('\n')),
            ("1.2\u{7}", Junk::Character('\u{7}')),
            ("12:30", Junk::Character(':')),
            (".0.1.0", Junk::Start('.')),
            ("arm64", Junk::IsArchitecture),
            ("x86_64", Junk::IsArchitecture),
            ("5.10.osx.release.dmg", Junk::IsFileName),
            ("Sample-1.2", Junk::Word("Sample".to_owned())),
            ("404 Not Found", Junk::Word("Not".to_owned())),
            ("version 3 is out", Junk::Word("is".to_owned())),
            ("1.2 and 1.3", Junk::Word("and".to_owned())),
            ("1.2, stable, now", Junk::Word("now".to_owned())),
        ] {
            assert_eq!(check_found_version(text), Err(junk), "{text:?}");
        }
        assert_eq!(check_found_version(&"1".repeat(120)).map(str::len), Ok(120));
        assert_eq!(check_found_version(&"1".repeat(121)), Err(Junk::TooLong(120)));
    }
}
