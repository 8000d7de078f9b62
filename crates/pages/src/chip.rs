//! A word about a version or an app, in a color that never says it alone.

use appstitch_stitching::Standing;

/// A word about a version or an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chip {
    pub(crate) class: &'static str,
    pub(crate) text: &'static str,
}

impl Chip {
    pub(crate) const NEWEST: Self = Self { class: "badge-ok", text: "newest" };
    pub(crate) const NEWER: Self = Self { class: "badge-ok", text: "newer" };
    pub(crate) const BEHIND: Self = Self { class: "badge-behind", text: "behind" };
    pub(crate) const UNORDERED: Self = Self { class: "badge-neutral", text: "cannot compare" };
    pub(crate) const LEFT_OUT: Self = Self { class: "badge-neutral", text: "not compared" };

    pub(crate) fn of(standing: Standing) -> Option<Self> {
        match standing {
            Standing::Alone => None,
            Standing::Newest => Some(Self::NEWEST),
            Standing::Behind => Some(Self::BEHIND),
            Standing::Unordered => Some(Self::UNORDERED),
            Standing::LeftOut => Some(Self::LEFT_OUT),
        }
    }
}
