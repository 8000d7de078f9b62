//! Whether the versions of two sources mean the same release.
//!
//! Sources write the same release in different ways: with or without its build, with or without
//! zeros, in words. Running a label can also lose a part of a version, because its filters keep
//! only some characters. Each accepted difference is a [`Rule`]; any other difference is drift.
//! Unlike the order of versions, this comparison is not transitive.

mod builds;
pub mod joined;
pub mod lossy;
mod notation;

use std::cmp::Ordering;

use appstitch_types::SameReleaseRule as Rule;

pub use notation::{release_inside, without_words};

use super::reading::Reading;
use appstitch_text::fold_case;

/// Whether one of the versions lacks a part that is not a build. Such a version is enough to
/// find no disagreement, but it does not identify the release.
const fn is_lossy(rule: Rule) -> bool {
    match rule {
        Rule::SaysLess
        | Rule::RunTogether
        | Rule::LettersLost
        | Rule::ZeroLost
        | Rule::FirstPartLost => true,
        Rule::SameVersion
        | Rule::BuildOnOneSide
        | Rule::BuildBehind
        | Rule::SameBuild
        | Rule::BuildAlone
        | Rule::SameText
        | Rule::SameNumbers
        | Rule::VersionInside
        | Rule::ShortYear
        | Rule::WordOnOneSide => false,
    }
}

/// The result of comparing the versions of two sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    Same(Rule),
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
    pub fn compare(left: &str, right: &str) -> Self {
        Self::compare_read(&Reading::of(left), &Reading::of(right))
    }

    /// Compares versions that are read already.
    pub fn compare_read(left: &Reading<'_>, right: &Reading<'_>) -> Self {
        let stated = Self::compare_parsed(left, right);
        if stated.is_same() {
            return stated;
        }
        match (stated, Self::further(left, right)) {
            (_, Some(same @ Self::Same(_))) => same,
            // Another notation does not give an order to what has none.
            (Self::Different(Some(_)), Some(different)) => different,
            (Self::Different(Some(order)), None) => {
                Self::Different(Some(joined::order_of_joined(left, right).unwrap_or(order)))
            }
            _ => stated,
        }
    }

    /// Whether two versions are counted in the same way, as far as their numbers or a rule can tell:
    /// the greater one is then the newer one.
    pub fn are_counted_alike(left: &str, right: &str) -> bool {
        let (left, right) = (Reading::of(left), Reading::of(right));
        let share_scheme = match (&left.version, &right.version) {
            (Some(left), Some(right)) => left.shares_scheme(right),
            _ => true,
        };
        share_scheme
            || Self::further(&left, &right).is_some()
            || joined::order_of_joined(&left, &right).is_some()
    }

    /// What the first further rule that applies says.
    fn further(left: &Reading<'_>, right: &Reading<'_>) -> Option<Self> {
        let are_dotted = left.is_dotted() && right.is_dotted();
        let rules = if are_dotted { &RULES_FOR_DOTTED[..] } else { &FURTHER_RULES[..] };
        rules
            .iter()
            .find_map(|rule| rule(left, right).or_else(|| rule(right, left).map(Self::reversed)))
    }

    fn compare_parsed(left: &Reading<'_>, right: &Reading<'_>) -> Self {
        match (&left.version, &right.version) {
            (Some(left), Some(right)) => builds::compare(left, right),
            _ if plain(left.text) == plain(right.text) => Self::Same(Rule::SameText),
            _ => Self::Different(None),
        }
    }

    pub fn is_same(self) -> bool {
        matches!(self, Self::Same(_))
    }

    pub fn is_older(self) -> bool {
        self == Self::Different(Some(Ordering::Less))
    }

    /// Whether both identify the same release, apart from its build.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Same(rule) if !is_lossy(rule))
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
