//! Whether a version can be what an app shows as its version (`CFBundleShortVersionString`), as far as
//! its form tells.

/// Words that apps show after a dash. Anything else there is a build or a commit.
const CHANNELS: [&str; 9] =
    ["alpha", "beta", "rc", "dev", "pre", "preview", "nightly", "canary", "snapshot"];

/// A single number with this many digits is a build more often than a version. Years have four.
const LONG_NUMBER: usize = 4;

/// Whether an app may show this version: numbers with dots, a few letters behind them as in `7.1b2`, and
/// a channel as in `1.4.0-beta.2`.
pub fn is_shown(version: &str) -> bool {
    let (main, channel) = version.split_once('-').unwrap_or((version, ""));
    is_release(main) && (!version.contains('-') || is_channel(channel))
}

/// Whether it is a single long number, which is a build unless a source says otherwise.
pub fn is_long_number(version: &str) -> bool {
    let is_number = version.bytes().all(|byte| byte.is_ascii_digit());
    let is_year = version.len() == 4 && version.starts_with("20");
    is_number && version.len() >= LONG_NUMBER && !is_year
}

fn is_release(text: &str) -> bool {
    let mut parts = text.split('.').peekable();
    while let Some(part) = parts.next() {
        let number = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_last = parts.peek().is_none();
        let has_letters = !number.is_empty();
        if number.len() == part.len() || (has_letters && !(is_last && is_mark(number))) {
            return false;
        }
    }
    true
}

/// Whether the version ends with a mark such as `b2` of a release that is not out yet. Apps of such a
/// channel often show the version of the release alone: `155.0` for `155.0b3`.
pub fn has_number_of_channel(version: &str) -> bool {
    let last = version.rsplit('.').next().unwrap_or_default();
    let mark = last.trim_start_matches(|c: char| c.is_ascii_digit());
    mark.starts_with(|first: char| first.is_ascii_lowercase())
        && mark.ends_with(|last: char| last.is_ascii_digit())
        && is_mark(mark)
}

/// Letters and a number behind them: `b2`, `rc1`, `a`.
fn is_mark(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = text.len() - digits.len();
    (1..=5).contains(&letters) && digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_channel(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    CHANNELS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_commits_and_dates_are_not_shown() {
        for version in [
            "1", "2026.1", "1.2.3.4", "1.4.0-beta.2", "2.0-rc1", "12.0esr", "8.9a", "7.1b2",
            "155.0a1",
        ] {
            assert!(is_shown(version), "{version}");
        }
        for (version, expected) in [
            ("7.1b2", true),
            ("155.0a1", true),
            ("8.9a", false),
            ("1.2", false),
            ("12.0esr", false),
        ] {
            assert_eq!(has_number_of_channel(version), expected, "{version}");
        }
        for version in [
            "", "1.", ".1", "v1.2", "26.1.2-57293", "3.5.4-9dfb8d8d", "2026-03-05", "1.0+5",
            "1.2,345", "1_2", "1.2 (3)", "r1234", "1b2.3", "1.2-", "1.2abcdefg", "beta",
            "1.4.0-beta-2",
        ] {
            assert!(!is_shown(version), "{version}");
        }
    }

    #[test]
    fn long_numbers_are_builds_but_years_are_not() {
        for (version, expected) in
            [("4200", true), ("20260305", true), ("2026", false), ("182", false), ("42.00", false)]
        {
            assert_eq!(is_long_number(version), expected, "{version}");
        }
    }
}
