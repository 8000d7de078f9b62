//! Comparison of names, files and version numbers.

use super::{evidence::Signal, names::normal};

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
fn has_words_of(long: &str, short: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
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
    };
    let (long, short) = (words(long), words(short));
    !short.is_empty() && long.windows(short.len()).any(|part| part == short)
}

/// Whether the name contains the number, not as part of a longer number.
pub(super) fn has_number(name: &str, number: &str) -> bool {
    let mut numbers = name.split(|character: char| !character.is_ascii_digit());
    numbers.any(|own| own == number)
}

/// Whether a label is for one major version (`sample3`, `sample2024`) and the cask is at a
/// different one. A number that differs by more than 10 from the version, or that the token also
/// ends in, is part of the name.
pub(super) fn is_other_major(slug: &str, token: &str, version: Option<&str>) -> bool {
    let digits = slug.len() - slug.trim_end_matches(|last: char| last.is_ascii_digit()).len();
    let wanted = &slug[slug.len() - digits..];
    if wanted.is_empty() || digits == slug.len() || token.ends_with(wanted) {
        return false;
    }
    let major = version.and_then(|text| text.split(|first: char| !first.is_ascii_digit()).next());
    let (Some(mut wanted), Some(mut major)) =
        (wanted.parse::<u16>().ok(), major.and_then(|digits| digits.parse::<u16>().ok()))
    else {
        return false;
    };
    // A year can have two or four digits.
    let year = 2000..2100;
    let short_year = 20..100;
    match (year.contains(&wanted), year.contains(&major)) {
        (true, false) if short_year.contains(&major) => wanted -= 2000,
        (false, true) if short_year.contains(&wanted) => major -= 2000,
        _ => {}
    }
    wanted != major && wanted.abs_diff(major) <= 10
}
