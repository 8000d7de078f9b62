//! What stands behind the numbers of a version: how far a release has come, or a patch of it.

use std::cmp::Ordering;

use super::number::Number;

/// One word behind the numbers, with the numbers that belong to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Suffix {
    pub(super) kind: Kind,
    /// Which patch it is; empty for what comes before a release, where spelling does not count.
    pub(super) word: Box<str>,
    pub(super) numbers: Vec<Number>,
}

/// The order of the variants is the order of versions; a release stands before `Patch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Development,
    Alpha,
    Beta,
    Candidate,
    Patch,
}

impl Kind {
    /// What a word means; `None` where it means nothing that can be ordered. One letter is
    /// a stage only with a number behind it: `1.0b3` is a beta, `1.0b` a second edition.
    pub(super) fn of(word: &str, numbered: bool) -> Option<Self> {
        Some(match word {
            "dev" | "nightly" | "snapshot" | "canary" => Self::Development,
            "alpha" => Self::Alpha,
            "beta" | "pre" | "preview" => Self::Beta,
            "rc" => Self::Candidate,
            "a" if numbered => Self::Alpha,
            "b" if numbered => Self::Beta,
            "f" | "fix" | "hf" | "hotfix" | "p" | "patch" | "pl" | "post" | "r" | "rel" | "rev"
            | "sp" | "u" | "update"
                if numbered =>
            {
                Self::Patch
            }
            _ => return None,
        })
    }
}

/// Compares lists of suffixes: where one ends, it is a release, and the other one comes before
/// it or is a patch of it.
pub(super) fn compare(left: &[Suffix], right: &[Suffix]) -> Ordering {
    let common = left.len().min(right.len());
    left[..common].cmp(&right[..common]).then_with(|| match (left.get(common), right.get(common)) {
        (None, None) => Ordering::Equal,
        (Some(more), _) if more.kind == Kind::Patch => Ordering::Greater,
        (Some(_), _) => Ordering::Less,
        (None, Some(more)) if more.kind == Kind::Patch => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
    })
}
