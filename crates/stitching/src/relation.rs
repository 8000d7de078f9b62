//! How two stated versions stand to each other.

use std::cmp::Ordering;

use appstitch_versions::stated::Stated;

/// How two versions stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Same,
    /// They are different releases; the order is unknown if one cannot be ordered.
    Different(Option<Ordering>),
    /// They are counted differently, and say nothing about each other.
    CountedDifferently,
}

impl Relation {
    pub(crate) fn of(left: &str, right: &str) -> Self {
        match Stated::compare(left, right) {
            Stated::Same(_) => Self::Same,
            Stated::Different(order) if Stated::are_counted_alike(left, right) => {
                Self::Different(order)
            }
            Stated::Different(_) => Self::CountedDifferently,
        }
    }
}
