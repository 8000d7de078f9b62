//! Versions that can be put in order.
//!
//! A [`Version`] is what is left of a version string once spelling is out of the way: a
//! leading `v`, leading zeros, trailing `.0` parts and the choice of separator do not
//! count. Its order is total. Strings without an orderable number in them (dates, words,
//! hashes, shell) give none.

use std::cmp::Ordering;

use crate::served::is_shell_expression;

/// A parsed version with a total order.
///
/// ```
/// use appstitch_catalog::Version;
///
/// let older = Version::parse("4.9").unwrap();
/// let newer = Version::parse("v4.32").unwrap();
/// assert!(older < newer);
/// assert!(Version::parse("5.0-beta2") < Version::parse("5.0"));
/// assert!(Version::parse("2026-03-05").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The numbers, without trailing zeros.
    release: Vec<Number>,
    stage: Stage,
    build: Option<Vec<BuildPart>>,
}

/// A part of a build. Commits and dates stand there too, so letters are ordered as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum BuildPart {
    Number(Number),
    Word(Box<str>),
}

/// How far a release has come; the order of the variants is the order of versions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    Development(Vec<Number>),
    Alpha(Vec<Number>),
    Beta(Vec<Number>),
    Candidate(Vec<Number>),
    Final,
}

/// Digits of any length without leading zeros, ordered by value; zero has none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Number(Box<str>);

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Version {
    /// Reads a version string; `None` when there is nothing in it that can be ordered.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if is_shell_expression(text) || text.contains('|') {
            return None;
        }
        let (main, build) = split_build(text.trim());
        let main = main.strip_prefix(['v', 'V']).unwrap_or(main);
        if is_date(main) {
            return None;
        }
        // A separator in front is a sign or a slip, and `.1` is short for `0.1`.
        if main.starts_with(['-', '_', ' ']) {
            return None;
        }
        let mut parts = parts(main)?;
        if main.starts_with('.') {
            parts.insert(0, Part::Number("0"));
        }
        let mut parts = parts.into_iter().peekable();
        let release = take_numbers(&mut parts)?;
        let stage = match parts.next() {
            None => Stage::Final,
            Some(Part::Number(_)) => return None,
            Some(Part::Word(word)) => {
                let numbers = take_numbers(&mut parts);
                let numbered = numbers.is_some();
                let numbers = numbers.unwrap_or_default();
                match word.to_ascii_lowercase().as_str() {
                    "dev" | "nightly" | "snapshot" => Stage::Development(numbers),
                    "alpha" => Stage::Alpha(numbers),
                    "a" if numbered => Stage::Alpha(numbers),
                    "beta" | "pre" | "preview" => Stage::Beta(numbers),
                    "b" if numbered => Stage::Beta(numbers),
                    "rc" => Stage::Candidate(numbers),
                    _ => return None,
                }
            }
        };
        if parts.next().is_some() {
            return None;
        }
        Some(Self { release, stage, build: build.and_then(build_parts) })
    }

    /// Compares two versions as sources state them: builds count only when both have one.
    ///
    /// Unlike the order of the type this is not transitive, so it is for pairs only.
    #[must_use]
    pub fn compare_stated(&self, other: &Self) -> Ordering {
        let builds = match (&self.build, &other.build) {
            (Some(left), Some(right)) => left.cmp(right),
            _ => Ordering::Equal,
        };
        (&self.release, &self.stage).cmp(&(&other.release, &other.stage)).then(builds)
    }
}

#[derive(Debug)]
enum Part<'a> {
    Number(&'a str),
    Word(&'a str),
}

/// Splits off a build: behind a comma, a `+`, or in brackets.
fn split_build(text: &str) -> (&str, Option<&str>) {
    if let Some((main, build)) = text.split_once([',', '+']) {
        return (main.trim_end(), Some(build));
    }
    match text.strip_suffix(')').and_then(|inner| inner.split_once('(')) {
        Some((main, build)) => (main.trim_end(), Some(build)),
        None => (text, None),
    }
}

/// Whether the text starts with a calendar date such as 2026-03-05.
fn is_date(text: &str) -> bool {
    let mut groups = text.splitn(3, '-');
    let digits = |group: Option<&str>, length: usize| {
        group
            .is_some_and(|group| group.len() == length && group.bytes().all(|b| b.is_ascii_digit()))
    };
    digits(groups.next(), 4)
        && digits(groups.next(), 2)
        && groups.next().is_some_and(|rest| {
            let day = rest.bytes().take_while(u8::is_ascii_digit).count();
            day == 2
        })
}

/// The runs of digits and of letters; `None` where anything else but a separator stands.
fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    for piece in text.split(['.', '-', '_', ' ']) {
        let mut rest = piece;
        while let Some(first) = rest.bytes().next() {
            let digits = first.is_ascii_digit();
            if !digits && !first.is_ascii_alphabetic() {
                return None;
            }
            let same = |byte: &u8| {
                if digits { byte.is_ascii_digit() } else { byte.is_ascii_alphabetic() }
            };
            let length = rest.bytes().take_while(same).count();
            let (run, behind) = rest.split_at(length);
            parts.push(if digits { Part::Number(run) } else { Part::Word(run) });
            rest = behind;
        }
    }
    Some(parts)
}

/// The leading numbers without trailing zeros; `None` where there is no number at all.
fn take_numbers<'a>(
    parts: &mut std::iter::Peekable<impl Iterator<Item = Part<'a>>>,
) -> Option<Vec<Number>> {
    let mut numbers = Vec::new();
    while let Some(Part::Number(digits)) = parts.next_if(|part| matches!(part, Part::Number(_))) {
        numbers.push(Number(digits.trim_start_matches('0').into()));
    }
    let found = !numbers.is_empty();
    while numbers.pop_if(|number| number.0.is_empty()).is_some() {}
    found.then_some(numbers)
}

/// The runs of digits and letters of a build; `None` where there are none.
fn build_parts(text: &str) -> Option<Vec<BuildPart>> {
    let mut parts = Vec::new();
    for piece in text.split(|character: char| !character.is_ascii_alphanumeric()) {
        if piece.is_empty() {
            continue;
        }
        parts.push(if piece.bytes().all(|byte| byte.is_ascii_digit()) {
            BuildPart::Number(Number(piece.trim_start_matches('0').into()))
        } else {
            BuildPart::Word(piece.to_ascii_lowercase().into())
        });
    }
    (!parts.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap_or_else(|| panic!("{text} should parse"))
    }

    #[test]
    fn spelling_does_not_count() {
        for (left, right) in [
            ("4.32", "4.32.0"),
            ("v4.32", "4.32"),
            ("1.02", "1.2"),
            ("1-2_3", "1.2.3"),
            (" 1.2 ", "1.2"),
            ("1.0RC1", "1-rc.1"),
            (".1", "0.1"),
        ] {
            assert_eq!(version(left), version(right), "{left} and {right}");
        }
    }

    #[test]
    fn numbers_order_by_value_and_stages_before_their_release() {
        let ascending = [
            "0.9",
            "1.0-dev",
            "1.0a1",
            "1.0-alpha2",
            "1.0b3",
            "1.0-beta4",
            "1.0-rc1",
            "1.0",
            "1.0 (17)",
            "1.0.1",
            "1.9",
            "1.10",
            "2",
            "99999999999999999999999",
        ];
        for pair in ascending.windows(2) {
            assert!(version(pair[0]) < version(pair[1]), "{} before {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn builds_count_only_when_both_sides_have_one() {
        let stated = |left: &str, right: &str| version(left).compare_stated(&version(right));
        assert_eq!(stated("5.0.4,1234", "5.0.4"), Ordering::Equal);
        assert_eq!(stated("5.0.4,1234", "5.0.4 (1234)"), Ordering::Equal);
        assert_eq!(stated("5.0.4,1234", "5.0.4,1235"), Ordering::Less);
        assert_ne!(stated("1.2,abc", "1.2,abd"), Ordering::Equal);
        assert_eq!(stated("1.2,ABC", "1.2,abc"), Ordering::Equal);
        assert_eq!(stated("1.0,1,2", "1.0,1,3"), Ordering::Less);
    }

    #[test]
    fn what_cannot_be_ordered_is_not_parsed() {
        for text in [
            "",
            "latest",
            "2026-03-05",
            "2026-03-05-nightly",
            "$version",
            "1.0|2.0",
            "`date`",
            "1.2-universal",
            "abc",
            "v",
            "1.2/3",
            "１.2",
            "-1.0",
            "_1",
        ] {
            assert_eq!(Version::parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused_without_a_panic(text in "\\PC*") {
            let _ = Version::parse(&text);
        }

        #[test]
        fn the_order_is_total(texts in prop::collection::vec("v?[0-9]{1,3}([._-][0-9]{1,2}){0,3}(-?(rc|beta|b|a|dev)[0-9]?)?(,[0-9]{1,2})?", 3)) {
            let versions: Vec<_> = texts.iter().filter_map(|text| Version::parse(text)).collect();
            if let [a, b, c] = versions.as_slice() {
                prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
                prop_assert_eq!(a == b, a.cmp(b) == Ordering::Equal);
                if a <= b && b <= c {
                    prop_assert!(a <= c);
                }
            }
        }
    }
}
