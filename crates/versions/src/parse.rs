//! Parsing of version strings as upstreams write them.

use appstitch_text::served::is_shell_expression;

use super::{
    build::Build,
    number::Number,
    numbers::Numbers,
    suffix::{Suffix, SuffixKind},
    version::Version,
};

/// Platform names after a version; they do not affect its order.
const PLATFORMS: [&str; 8] =
    ["universal", "arm64", "aarch64", "x86_64", "x64", "intel", "macos", "mac"];

/// Names of release channels; they do not affect the order.
const CHANNELS: [&str; 6] = ["esr", "final", "latest", "lts", "release", "stable"];

/// The minimum length of a commit hash in a version.
const SHORTEST_COMMIT: usize = 7;

#[derive(Clone, Copy)]
enum Part<'a> {
    Number(&'a str),
    /// Letters, and whether they directly follow a digit.
    Word(&'a str, bool),
}

impl Version {
    /// Parses a version string; `None` if it contains nothing that can be ordered.
    pub fn parse(text: &str) -> Option<Self> {
        parse(text)
    }
}

/// The time is linear in the length: every step reads each byte a bounded
/// number of times.
fn parse(text: &str) -> Option<Version> {
    if let Some(release) = dotted(text.trim()) {
        return Some(Version { release, suffixes: Vec::new(), build: None });
    }
    if is_shell_expression(text) || text.contains('|') {
        return None;
    }
    let (main, build) = split_build(text.trim());
    let main = without_prefix(main);
    if is_date(main) || main.starts_with(['-', '_', ' ']) {
        return None;
    }
    let (main, commit) = split_commit(without_platforms(main));
    let mut parts = parts(main)?;
    if main.starts_with('.') {
        // `.1` is short for `0.1`.
        parts.insert(0, Part::Number("0"));
    }
    // A channel name can be anywhere: `15.stable_01` is `15.1`.
    parts.retain(|part| !matches!(part, Part::Word(word, _) if is_channel(word)));
    let mut rest = parts.as_slice();
    let release = take_numbers(&mut rest)?.into();
    let mut suffixes = Vec::new();
    let mut own_build = None;
    while let Some((Part::Word(word, attached), behind)) = rest.split_first() {
        rest = behind;
        let numbers = take_numbers(&mut rest);
        let word = word.to_ascii_lowercase();
        if word == "build" && numbers.is_some() && rest.is_empty() {
            own_build = numbers.map(Build::of_numbers);
            break;
        }
        let (kind, word) = match SuffixKind::of(&word, numbers.is_some()) {
            Some(SuffixKind::Patch) => (SuffixKind::Patch, word),
            Some(kind) => (kind, String::new()),
            // A letter after the last number: `1.1.1w`.
            None if *attached && word.len() == 1 && numbers.is_none() && rest.is_empty() => {
                (SuffixKind::Patch, word)
            }
            None => return None,
        };
        suffixes.push(Suffix { kind, word: word.into(), numbers: numbers.unwrap_or_default() });
    }
    let build = build.and_then(Build::parse).or(own_build).or_else(|| Build::parse(commit?));
    Some(Version { release, suffixes, build })
}

/// The numbers of a text that has only digits and dots, as most versions have, without trailing
/// zeros.
fn dotted(text: &str) -> Option<Numbers> {
    let is_dotted = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && text.starts_with(|first: char| first.is_ascii_digit());
    if !is_dotted {
        return None;
    }
    let mut numbers = Numbers::default();
    let digits = text.split('.').filter(|digits| !digits.is_empty());
    digits.for_each(|digits| numbers.push(Number::new(digits)));
    numbers.trim_zeros();
    Some(numbers)
}

/// Splits off a build: after a comma or `+`, or in brackets.
fn split_build(text: &str) -> (&str, Option<&str>) {
    if let Some((main, build)) = text.split_once([',', '+']) {
        return (main.trim_end(), Some(build));
    }
    let inner = text.strip_suffix([')', ']']);
    match inner.and_then(|inner| inner.split_once(['(', '['])) {
        Some((main, build)) => (main.trim_end(), Some(build)),
        None => (text, None),
    }
}

/// Removes a leading `v`, or any other word before a dotted number (`Version 1.2`, `M138.0`)
/// unless it is a stage such as `beta`.
fn without_prefix(text: &str) -> &str {
    let behind = text.trim_start_matches(|character: char| character.is_ascii_alphabetic());
    let word = &text[..text.len() - behind.len()];
    let number = behind.trim_start_matches([' ', '-', '_', '.']);
    if word.is_empty() {
        return text;
    }
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let is_dotted = digits > 0
        && number[digits..].starts_with('.')
        && number[digits + 1..].starts_with(|character: char| character.is_ascii_digit());
    let is_stage = SuffixKind::of(&word.to_ascii_lowercase(), true)
        .is_some_and(|kind| kind < SuffixKind::Patch);
    let is_spelling = word.eq_ignore_ascii_case("v") || (is_dotted && !is_stage);
    if is_spelling { number } else { text }
}

/// Whether the text starts with a calendar date such as 2026-03-05.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let separator = |at: usize| matches!(bytes.get(at), Some(b'-' | b'_'));
    digits(0..4)
        && separator(4)
        && digits(5..7)
        && separator(7)
        && digits(8..10)
        && !bytes.get(10).is_some_and(u8::is_ascii_digit)
}

fn is_channel(word: &str) -> bool {
    CHANNELS.iter().any(|channel| word.eq_ignore_ascii_case(channel))
}

fn without_platforms(text: &str) -> &str {
    let mut text = text;
    // Bounded to keep the parser linear; a version does not end in more platform names.
    for _ in 0..PLATFORMS.len() {
        let shorter = PLATFORMS.iter().find_map(|word| {
            let start = text.len().checked_sub(word.len())?;
            let (front, end) = text.split_at_checked(start)?;
            let front = end.eq_ignore_ascii_case(word).then_some(front)?;
            front.strip_suffix(['-', '_', '.', ' '])
        });
        match shorter {
            Some(shorter) => text = shorter,
            None => break,
        }
    }
    text
}

/// Splits off a UUID, or a commit hash after the last dash. A hash must contain both letters and
/// digits.
fn split_commit(text: &str) -> (&str, Option<&str>) {
    if let Some(split) = split_uuid(text) {
        return split;
    }
    let Some((main, commit)) = text.rsplit_once('-') else { return (text, None) };
    let is_commit = (SHORTEST_COMMIT..=40).contains(&commit.len())
        && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
        && commit.bytes().any(|byte| byte.is_ascii_digit())
        && commit.bytes().any(|byte| byte.is_ascii_alphabetic());
    if is_commit { (main, Some(commit)) } else { (text, None) }
}

fn split_uuid(text: &str) -> Option<(&str, Option<&str>)> {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let length = GROUPS.iter().sum::<usize>() + GROUPS.len() - 1;
    let (front, uuid) = text.split_at_checked(text.len().checked_sub(length)?)?;
    let front = front.strip_suffix('-')?;
    let is_group = |group: &str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
    (uuid.split('-').map(str::len).eq(GROUPS) && uuid.split('-').all(is_group))
        .then_some((front, Some(uuid)))
}

/// Splits the text into runs of digits and of letters; `None` if it contains anything else
/// except separators.
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
            let attached = rest.len() < piece.len();
            parts.push(if digits { Part::Number(run) } else { Part::Word(run, attached) });
            rest = behind;
        }
    }
    Some(parts)
}

/// Takes the leading numbers, without trailing zeros; `None` if there is no number.
fn take_numbers(rest: &mut &[Part<'_>]) -> Option<Vec<Number>> {
    let mut numbers = Vec::new();
    while let Some((Part::Number(digits), behind)) = rest.split_first() {
        numbers.push(Number::new(digits));
        *rest = behind;
    }
    let found = !numbers.is_empty();
    while numbers.pop_if(|number| number.is_zero()).is_some() {}
    found.then_some(numbers)
}
