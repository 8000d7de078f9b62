//! Compares an installed version with the versions of the catalog.
//!
//! An app has two versions: the short one for people, and the build. Usually the short one is the
//! catalog's version. The rules follow Homebrew's for apps that update themselves: what cannot be
//! compared for sure is not outdated.

mod numbers;

use std::{cell::OnceCell, cmp::Ordering};

use appstitch_text::served::{self, trimmed};
use appstitch_types::{
    SameReleaseRule as Rule,
    inventory::{CheckRule, Verdict},
};
use appstitch_versions::{
    number::Number,
    reading::Reading,
    stated::{Stated, without_words},
};
use numbers::{Compared, compare_builds, compare_parts, is_longer_form};

use super::reference::References;
use crate::installed_app::InstalledApp;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same(CheckRule),
    Older(CheckRule),
    Newer(CheckRule),
    Unknown(CheckRule),
}

impl Relation {
    pub(super) fn verdict(self) -> (Verdict, CheckRule) {
        match self {
            Self::Same(
                rule @ (CheckRule::Equal
                | CheckRule::SameVersion
                | CheckRule::InstalledBuild
                | CheckRule::CaskVersion),
            ) => (Verdict::Current, rule),
            Self::Same(rule) => (Verdict::SameReleaseOtherString, rule),
            Self::Older(rule) => (Verdict::Outdated, rule),
            Self::Newer(rule) => (Verdict::Newer, rule),
            Self::Unknown(rule) => (Verdict::NotComparable, rule),
        }
    }
}

pub(super) struct InstalledVersion<'a> {
    pub(super) short: Option<InstalledText<'a>>,
    pub(super) build: Option<InstalledText<'a>>,
}

/// A version in an inventory. It is parsed when it is first compared.
pub(super) struct InstalledText<'a> {
    pub(super) text: &'a str,
    reading: OnceCell<Reading<'a>>,
}

impl<'a> InstalledText<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, reading: OnceCell::new() }
    }

    fn reading(&self) -> &Reading<'a> {
        self.reading.get_or_init(|| Reading::of(self.text))
    }
}

const LONGEST: usize = 128;

/// A version that can be compared: not empty, not a variable of the build system, not zero.
fn usable(text: Option<&str>) -> Option<&str> {
    let text = trimmed(text?);
    if text.len() > LONGEST {
        return None;
    }
    let (mut has_digit, mut is_zero) = (false, true);
    for byte in text.bytes() {
        has_digit |= byte.is_ascii_digit();
        is_zero &= matches!(byte, b'0' | b'.');
    }
    // No placeholder has a digit.
    (has_digit && !is_zero && !served::is_shell_expression(text)).then_some(text)
}

/// Whether a version can have an order. A longer one is not that of a release, and takes long to
/// compare.
fn may_have_order(text: &str) -> bool {
    const LONGEST: usize = 64;
    const MOST_PARTS: usize = 10;
    // A part has at least one digit and a separator.
    if text.len() <= MOST_PARTS * 2 {
        return true;
    }
    let is_numeric = |part: &&str| part.starts_with(|first: char| first.is_ascii_digit());
    let parts = || text.split(|character: char| !character.is_alphanumeric());
    text.len() <= LONGEST && parts().filter(is_numeric).count() <= MOST_PARTS
}

impl<'a> InstalledVersion<'a> {
    pub(super) fn of(row: &'a InstalledApp) -> Self {
        Self {
            short: usable(row.short_version.as_deref()).map(InstalledText::new),
            build: usable(row.build.as_deref()).map(InstalledText::new),
        }
    }

    pub(super) fn shown(&self) -> Option<&'a str> {
        self.short.as_ref().or(self.build.as_ref()).map(|given| given.text)
    }

    /// [`Self::shown`] without reading the rest of the row.
    pub(super) fn shown_of(row: &'a InstalledApp) -> Option<&'a str> {
        usable(row.short_version.as_deref()).or_else(|| usable(row.build.as_deref()))
    }

    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        let compare = |left: Option<&InstalledText<'_>>, right: Option<&InstalledText<'_>>| {
            let (left, right) = (left?, right?);
            if !may_have_order(left.text) || !may_have_order(right.text) {
                return None;
            }
            match Stated::compare_read(left.reading(), right.reading()) {
                Stated::Same(_) => Some(Ordering::Equal),
                Stated::Different(order) => order,
            }
        };
        match compare(self.short.as_ref(), other.short.as_ref()) {
            Some(Ordering::Equal) | None => {
                compare(self.build.as_ref(), other.build.as_ref()).or(Some(Ordering::Equal))
            }
            order => order,
        }
    }

    /// Compares with the versions of an app. Also gives the version that decided.
    pub(super) fn against<'b>(&self, references: &'b References) -> (Relation, &'b str) {
        let Some(newest) = references.newest.as_deref() else {
            return (Relation::Unknown(CheckRule::NoCatalogVersion), "");
        };
        let mut relation = self.relation(newest);
        if matches!(relation, Relation::Same(_)) {
            return (relation, newest);
        }
        if references.counts_builds && self.is_far_below(newest) {
            relation = Relation::Unknown(CheckRule::OtherScheme);
        }
        let spellings = references.spellings.iter().map(|spelling| &**spelling);
        if let Some(same) = spellings
            .map(|spelling| self.relation(spelling))
            .find(|relation| matches!(relation, Relation::Same(_)))
        {
            return (same, newest);
        }
        if let (Relation::Older(_), Some(cask)) = (relation, references.cask.as_deref()) {
            match self.relation(cask) {
                Relation::Same(_) => return (Relation::Same(CheckRule::CaskVersion), newest),
                older @ Relation::Older(_) => return (older, newest),
                _ => return (Relation::Unknown(CheckRule::SourcesDisagree), newest),
            }
        }
        let mut decided = (relation, newest);
        for other in &references.schemes {
            let (before, found) = (decided.0, self.relation(other));
            match (before, found) {
                (_, Relation::Same(_)) => return (found, other),
                (Relation::Unknown(_), Relation::Older(_) | Relation::Newer(_)) => {
                    decided = (found, other);
                }
                (Relation::Older(_), Relation::Newer(_))
                | (Relation::Newer(_), Relation::Older(_)) => {
                    return (Relation::Unknown(CheckRule::OtherScheme), newest);
                }
                _ => {}
            }
        }
        decided
    }

    /// Whether the first number of the short version is less than half of the catalog's: then one of
    /// them counts releases, and the other builds.
    fn is_far_below(&self, version: &str) -> bool {
        let first = |reading: &Reading<'_>| reading.written.numbers().first().map(Number::value);
        let short = self.short.as_ref().and_then(|short| first(short.reading()));
        let Some((short, stated)) = short.zip(first(&Reading::of(version))) else { return false };
        short < stated / 2
    }

    pub(super) fn relation(&self, version: &str) -> Relation {
        if let Some(same) = self.part_of(version) {
            return Relation::Same(same);
        }
        let stated = &Reading::of(version);
        let short = self.short.as_ref();
        let build = self.build.as_ref().filter(|build| may_have_order(build.text));
        let full = build.filter(|build| {
            // Usually both are the same text.
            short.is_some_and(|short| {
                short.text != build.text && is_longer_form(build.reading(), short.reading())
            })
        });
        let of_short = short.map(|short| {
            if may_have_order(short.text) {
                let is_complete = build.is_some_and(|build| build.text == short.text);
                by_text(short.reading(), stated, is_complete)
            } else {
                Relation::Unknown(CheckRule::Unordered)
            }
        });
        if let Some(Relation::Same(CheckRule::SameVersion)) = of_short {
            return Relation::Same(CheckRule::SameVersion);
        }
        // A build that begins like the catalog's version counts the same, the short version does not.
        let begins_alike = |given: &InstalledText<'_>| {
            let (given, stated) = (given.reading().written.numbers(), stated.written.numbers());
            given.len() > 1 && stated.len() > 1 && given.first() == stated.first()
        };
        let alike = build
            .filter(|build| short.is_some_and(|short| !begins_alike(short)) && begins_alike(build));
        if let Some(alike) = alike {
            return by_text(alike.reading(), stated, true);
        }
        match full.map(|full| by_text(full.reading(), stated, true)) {
            Some(Relation::Older(_)) => return Relation::Older(CheckRule::OlderBuild),
            Some(Relation::Newer(_)) => return Relation::Newer(CheckRule::NewerBuild),
            Some(same @ Relation::Same(_)) => return same,
            _ => {}
        }
        match (of_short, build) {
            (Some(Relation::Unknown(rule)), Some(build)) => {
                by_build(build.reading(), version).unwrap_or(Relation::Unknown(rule))
            }
            (Some(decided), _) => decided,
            (None, Some(build)) => by_build(build.reading(), version)
                .unwrap_or(Relation::Unknown(CheckRule::OtherScheme)),
            (None, None) if self.build.is_some() => Relation::Unknown(CheckRule::Unordered),
            (None, None) => Relation::Unknown(CheckRule::NoInstalledVersion),
        }
    }

    /// Whether one of the versions is a part of the catalog's: the part before the comma, or the
    /// build behind it.
    fn part_of(&self, version: &str) -> Option<CheckRule> {
        /// A shorter build can be equal by chance.
        const MIN_BUILD: usize = 3;
        let end = version.bytes().position(|byte| byte == b',').unwrap_or(version.len());
        let first = &version[..end];
        let (short, build) = (self.short.as_ref(), self.build.as_ref());
        let (short, build) = (short.map(|short| short.text), build.map(|build| build.text));
        if short.is_some_and(|short| short == version || short == first) {
            return Some(CheckRule::Equal);
        }
        let is_joined = |part: &str, build: &str| {
            let rest = short.and_then(|short| part.strip_prefix(short)?.strip_prefix('-'));
            rest == Some(build)
        };
        let is_build = |part: &str, build: &str| {
            is_joined(part, build) || (build.len() >= MIN_BUILD && part == build)
        };
        let is_part = |build: &str| {
            build == first
                || is_build(first, build)
                || (end < version.len() && version.split(',').any(|part| is_build(part, build)))
        };
        if build.is_some_and(is_part) {
            return Some(CheckRule::InstalledBuild);
        }
        let is_behind = short.is_some_and(|short| has_build_behind(first, short));
        is_behind.then_some(CheckRule::BuildBehind)
    }
}

/// Whether a version is another one with a build behind it: after a dash (`150.0.7871.46-1.1`), or
/// with leading zeros, which releases do not have (`26.139.0720.0007`).
fn has_build_behind(version: &str, short: &str) -> bool {
    let is_build = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let Some(rest) = version.strip_prefix(short) else { return false };
    let is_padded = |build: &str| build.len() > 2 && build.starts_with('0') && is_build(build);
    short.contains('.')
        && (rest.strip_prefix('-').is_some_and(is_build)
            || rest.strip_prefix('.').is_some_and(is_padded))
}

/// Compares a version with that of the catalog. It is complete if no further part is left out.
fn by_text(installed: &Reading<'_>, version: &Reading<'_>, is_complete: bool) -> Relation {
    let bare = if installed.version.is_none() { without_words(installed.text) } else { None };
    match Stated::compare_read(installed, version) {
        // All releases of a major version have its number, so an update would be hidden.
        Stated::Same(Rule::SaysLess) if installed.written.count() == 1 => {
            Relation::Unknown(CheckRule::MoreParts)
        }
        Stated::Same(rule) => Relation::Same(rule.into()),
        Stated::Different(None) if bare.is_none() => Relation::Unknown(CheckRule::Unordered),
        Stated::Different(_) => {
            let bare = bare.map(Reading::of);
            let installed = bare.as_ref().unwrap_or(installed);
            match compare_parts(installed, version, is_complete) {
                Compared::Same(rule) => Relation::Same(rule),
                Compared::Order(Ordering::Less) => Relation::Older(CheckRule::OlderVersion),
                Compared::Order(_) => Relation::Newer(CheckRule::NewerVersion),
                Compared::Unknown(rule) => Relation::Unknown(rule),
            }
        }
    }
}

/// Compares a build with the parts of the catalog's version; `None` if no part is a build.
fn by_build(build: &Reading<'_>, version: &str) -> Option<Relation> {
    let found: Vec<Ordering> =
        version.split(',').filter_map(|part| compare_builds(build, part)).collect();
    if found.contains(&Ordering::Equal) {
        return Some(Relation::Same(CheckRule::InstalledBuild));
    }
    match found.first()? {
        Ordering::Less => Some(Relation::Older(CheckRule::OlderBuild)),
        _ => Some(Relation::Newer(CheckRule::NewerBuild)),
    }
}

#[cfg(test)]
mod tests;
