//! Versions that do not compete for the newest one.

use appstitch_types::SameReleaseRule as Rule;
use appstitch_versions::stated::{Stated, joined, lossy};

use super::{Competing, Statement};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Omission {
    Unordered,
    OtherScheme,
    RunTogether,
    /// It seems to lack separators, but is another release.
    SeemsRunTogether,
    FirstPartLost,
    BuildAlone,
}

impl Omission {
    pub(super) const fn words(self) -> &'static str {
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

pub(super) fn misspelled<'a>(
    (statement, version): &Competing<'a>,
    all: &[Competing<'a>],
) -> Option<Omission> {
    let others = || all.iter().filter(|(other, _)| other.source != statement.source);
    let lacks = |loses: fn(&str, &str) -> bool| {
        others().any(|(other, _)| loses(statement.full, other.full))
    };
    if lacks(joined::is_run_together) {
        return Some(Omission::RunTogether);
    }
    if lacks(lossy::is_first_part_lost) {
        return Some(Omission::FirstPartLost);
    }
    if lacks(joined::seems_run_together) {
        return Some(Omission::SeemsRunTogether);
    }
    let is_build = |other: &Statement<'_>| {
        Stated::compare(statement.full, other.full) == Stated::Same(Rule::BuildAlone)
    };
    (version.is_lone_number() && others().any(|(other, _)| is_build(other)))
        .then_some(Omission::BuildAlone)
}
