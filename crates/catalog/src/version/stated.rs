//! Whether the versions of two sources mean the same release.
//!
//! Sources write the same release in different ways: with or without its build, with or without
//! zeros, in words. Running a label can also lose a part of a version, because its filters keep
//! only some characters. Each accepted difference is a [`Rule`]; any other difference is drift.
//! Unlike the order of versions, this comparison is not transitive.

mod builds;
pub(crate) mod joined;
pub(crate) mod lossy;
mod notation;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(crate) use notation::without_words;

use super::reading::Reading;
use crate::fold_case;

/// Why two versions mean the same release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SameReleaseRule, example = "build_on_one_side")]
pub enum Rule {
    /// They are equal after normalization: `v4.32` and `4.32.0`.
    SameVersion,
    /// One has a build, and the other has none or one of a different kind: `5.0.4,1234` and
    /// `5.0.4`.
    BuildOnOneSide,
    /// One has the build number appended to the version: `3.8.2` and `3.8.2.6009`, or `3.8.2-1`.
    BuildBehind,
    /// Both have the same build in different places: `3.8.2,6009` and `3.8.2.6009`.
    SameBuild,
    /// One is only the build: `6009` and `3.8.2,6009`.
    BuildAlone,
    /// At least one cannot be ordered, but they are the same text apart from case and
    /// separators: `2026-03-05` and `2026.03.05`.
    SameText,
    /// They have the same numbers, and a build is set off differently: `8u502-b07` and `8,502,07`.
    SameNumbers,
    /// One has the release between other numbers: `8.18.0` and `2603-8.18.0-24230061568`.
    VersionInside,
    /// One has two digits of the year: `26.2.1` and `2026.2.1`.
    ShortYear,
    /// One has a word that is not part of the version: `Build 4200` and `4200`.
    WordOnOneSide,
    /// One has only the first parts: `8.34` and `8.34.26223.11002`.
    SaysLess,
    /// One has lost separators: `2681` and `26.8.1`.
    RunTogether,
    /// One has lost the letters at the end: `1.21.15` and `1.21.15b`.
    LettersLost,
    /// One has lost the zero of a decimal number: `7.3` and `7.30`.
    ZeroLost,
    /// One has lost its first part: `0.5.1` and `2.0.5.1`.
    FirstPartLost,
}

impl Rule {
    /// Whether one of the versions lacks a part that is not a build. Such a version is enough to
    /// find no disagreement, but it does not identify the release.
    const fn is_lossy(self) -> bool {
        matches!(
            self,
            Self::SaysLess
                | Self::RunTogether
                | Self::LettersLost
                | Self::ZeroLost
                | Self::FirstPartLost
        )
    }
}

/// The result of comparing the versions of two sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stated {
    /// The same release.
    Same(Rule),
    /// Different releases, with their order if it is known.
    Different(Option<Ordering>),
}

/// A further rule. It is asked in both directions; `None` if it does not apply.
type FurtherRule = fn(&Reading<'_>, &Reading<'_>) -> Option<Stated>;

/// The rules for versions that differ after parsing. The first that applies decides.
const FURTHER_RULES: [FurtherRule; 10] = [
    notation::build_behind_dash,
    notation::same_numbers,
    notation::version_inside,
    notation::short_year,
    notation::word_on_one_side,
    lossy::says_less,
    joined::run_together,
    lossy::letters_lost,
    lossy::zero_lost,
    lossy::first_part_lost,
];

/// Those of them that can apply if both versions are only numbers and dots, as most are.
const RULES_FOR_DOTTED: [FurtherRule; 5] = [
    notation::short_year,
    lossy::says_less,
    joined::run_together,
    lossy::zero_lost,
    lossy::first_part_lost,
];

impl Stated {
    /// Compares the versions of two sources.
    pub(crate) fn compare(left: &str, right: &str) -> Self {
        Self::compare_read(&Reading::of(left), &Reading::of(right))
    }

    /// Compares versions that are read already.
    pub(crate) fn compare_read(left: &Reading<'_>, right: &Reading<'_>) -> Self {
        let stated = Self::compare_parsed(left, right);
        if stated.is_same() {
            return stated;
        }
        let are_dotted = left.is_dotted() && right.is_dotted();
        let rules = if are_dotted { &RULES_FOR_DOTTED[..] } else { &FURTHER_RULES[..] };
        let further = rules
            .iter()
            .find_map(|rule| rule(left, right).or_else(|| rule(right, left).map(Self::reversed)));
        match (stated, further) {
            (_, Some(same @ Self::Same(_))) => same,
            // Another notation does not give an order to what has none.
            (Self::Different(Some(_)), Some(different)) => different,
            (Self::Different(Some(order)), None) => {
                Self::Different(Some(joined::order_of_joined(left, right).unwrap_or(order)))
            }
            _ => stated,
        }
    }

    /// Compares versions by their parsed values.
    fn compare_parsed(left: &Reading<'_>, right: &Reading<'_>) -> Self {
        match (&left.version, &right.version) {
            (Some(left), Some(right)) => builds::compare(left, right),
            _ if plain(left.text) == plain(right.text) => Self::Same(Rule::SameText),
            _ => Self::Different(None),
        }
    }

    /// Whether both mean the same release.
    pub(crate) fn is_same(self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// Whether the first is known to be older.
    pub(crate) fn is_older(self) -> bool {
        self == Self::Different(Some(Ordering::Less))
    }

    /// Whether both identify the same release, apart from its build.
    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Self::Same(rule) if !rule.is_lossy())
    }

    fn reversed(self) -> Self {
        match self {
            Self::Different(order) => Self::Different(order.map(Ordering::reverse)),
            same @ Self::Same(_) => same,
        }
    }

    /// The same result, with `rule` as the reason if the versions agree.
    fn because(self, rule: Rule) -> Self {
        if self.is_same() { Self::Same(rule) } else { self }
    }
}

/// The text with case folded and all separators replaced by dots.
fn plain(text: &str) -> String {
    fold_case(text).replace(['-', '_', ' '], ".")
}

#[cfg(test)]
mod tests;
