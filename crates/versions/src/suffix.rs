//! The suffixes of a version: a stage before the release, or a patch after it.

use std::cmp::Ordering;

use super::number::Number;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Suffix {
    pub(super) kind: SuffixKind,
    /// The word of a patch; empty for a stage, whose spelling is ignored.
    pub(super) word: Box<str>,
    pub(super) numbers: Vec<Number>,
}

/// The variants are in version order; a release sorts just before `Patch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum SuffixKind {
    Development,
    Alpha,
    Beta,
    Candidate,
    Patch,
}

impl SuffixKind {
    /// The meaning of a word; `None` if it cannot be ordered. A single letter is a stage only if
    /// a number follows: `1.0b3` is a beta, `1.0b` is a patch of `1.0`.
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

/// Compares lists of suffixes. If one list is a prefix of the other, the shorter one is the
/// release, and the longer one is a stage before it or a patch after it.
pub(super) fn compare(left: &[Suffix], right: &[Suffix]) -> Ordering {
    let common = left.len().min(right.len());
    left[..common].cmp(&right[..common]).then_with(|| match (left.get(common), right.get(common)) {
        (None, None) => Ordering::Equal,
        (Some(more), _) if more.kind == SuffixKind::Patch => Ordering::Greater,
        (Some(_), _) => Ordering::Less,
        (None, Some(more)) if more.kind == SuffixKind::Patch => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
    })
}
