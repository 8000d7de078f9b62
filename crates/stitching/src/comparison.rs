//! The versions of several sources, compared with each other.

use appstitch_versions::{Version, stated::Stated};

use crate::{
    newest::omission::{Omission, loss},
    relation::Relation,
};

/// Versions that are compared with each other. One that lost something which another one has counts
/// as that one: if a label says `768` and a cask `26.9.10,768`, a title with `26.9.10` agrees with
/// both.
pub(crate) struct Comparison<'a> {
    /// How each version is read.
    read_as: Vec<&'a str>,
    /// Whether it is read as another one.
    is_respelled: Vec<bool>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn of(versions: &[&'a str]) -> Self {
        let full = |version: &'a str| versions.iter().copied().find(|other| lacks(version, other));
        let full: Vec<Option<&str>> = versions.iter().map(|version| full(version)).collect();
        Self {
            is_respelled: full.iter().map(Option::is_some).collect(),
            read_as: full.iter().zip(versions).map(|(full, own)| full.unwrap_or(own)).collect(),
        }
    }

    pub(crate) fn relation(&self, left: usize, right: usize) -> Relation {
        Relation::of(self.read_as[left], self.read_as[right])
    }

    /// Whether a version is written as its source does and not only part of another one.
    pub(crate) fn is_complete(&self, position: usize) -> bool {
        !self.is_respelled[position]
    }
}

/// Whether a version is another one that lost something, or that cannot be ordered as it is written.
fn lacks(version: &str, other: &str) -> bool {
    let is_unordered = Version::parse(version).is_none() && Version::parse(other).is_some();
    match loss(version, other) {
        Some(Omission::RunTogether | Omission::FirstPartLost | Omission::BuildAlone) => true,
        _ => is_unordered && Stated::compare(version, other).is_same(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_lost_something_counts_as_the_one_that_has_it() {
        let comparison = Comparison::of(&["768", "26.9.10,768", "26.9.10"]);
        assert_eq!(comparison.relation(0, 2), Relation::Same);
        assert!(!comparison.is_complete(0) && comparison.is_complete(1));
        let words = Comparison::of(&["2026-06-R", "4.40,2026-06", "4.40"]);
        assert_eq!(words.relation(0, 2), Relation::Same, "words");
        let older = Comparison::of(&["0.5.0", "2.0.5.0", "1.104.24"]);
        let order = Relation::Different(Some(std::cmp::Ordering::Greater));
        assert_eq!(older.relation(0, 2), order, "the first part");
    }
}
