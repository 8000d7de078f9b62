//! What a test makes the program take for its next version.
//!
//! Upgrades are tested with two versions on one store, and the second one is this program with a
//! newer schema, newer rules or other bytes. This exists only in debug builds with the feature
//! `fail-points`, which only the tests enable. In all other builds, nothing is pretended.

/// A difference between this version and the pretended next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextVersion {
    /// The store's schema has one more migration.
    Schema,
    /// The rules are those of a newer version.
    Rules,
    /// The same documents give other bytes.
    Bytes,
}

impl NextVersion {
    /// Whether a test asked for this difference: `APPSTITCH_NEXT_VERSION` lists them, separated by
    /// commas.
    #[cfg(all(feature = "fail-points", debug_assertions))]
    #[must_use]
    pub fn is_pretended(self) -> bool {
        let listed = std::env::var("APPSTITCH_NEXT_VERSION").unwrap_or_default();
        listed.split(',').any(|name| name.eq_ignore_ascii_case(&format!("{self:?}")))
    }

    /// Nothing is pretended in this build.
    #[cfg(not(all(feature = "fail-points", debug_assertions)))]
    #[inline]
    #[must_use]
    pub const fn is_pretended(self) -> bool {
        false
    }
}
