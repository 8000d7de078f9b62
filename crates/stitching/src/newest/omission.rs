//! Versions that do not compete for the newest one.

use appstitch_types::SameReleaseRule as Rule;
use appstitch_versions::{
    Version,
    stated::{Stated, joined, lossy},
};

use super::Competing;

/// The first that applies is the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Omission {
    Unordered,
    OtherScheme,
    RunTogether,
    FirstPartLost,
    /// It seems to lack separators, but is another release.
    SeemsRunTogether,
    BuildAlone,
}

impl Omission {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Unordered => "cannot be ordered",
            Self::OtherScheme => "is counted differently",
            Self::RunTogether => "lacks separators",
            Self::SeemsRunTogether => "seems to lack separators",
            Self::FirstPartLost => "lacks its first part",
            Self::BuildAlone => "is only the build",
        }
    }
}

/// What a version lost, compared with that of another source.
pub(crate) fn loss(version: &str, other: &str) -> Option<Omission> {
    let is_build = || {
        Stated::compare(version, other) == Stated::Same(Rule::BuildAlone)
            && Version::parse(version).is_some_and(|version| version.is_lone_number())
    };
    if joined::is_run_together(version, other) {
        Some(Omission::RunTogether)
    } else if lossy::is_first_part_lost(version, other) {
        Some(Omission::FirstPartLost)
    } else if joined::seems_run_together(version, other) {
        Some(Omission::SeemsRunTogether)
    } else {
        is_build().then_some(Omission::BuildAlone)
    }
}

pub(super) fn misspelled<'a>(
    (statement, _): &Competing<'a>,
    all: &[Competing<'a>],
) -> Option<Omission> {
    let others = all.iter().filter(|(other, _)| other.source != statement.source);
    others.filter_map(|(other, _)| loss(statement.full, other.full)).min()
}
