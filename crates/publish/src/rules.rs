//! Identifies the code that makes the served bytes, and tells which of two versions is newer.
//!
//! Another build may make different bytes from the same documents, and read different documents from
//! the same file. While an upgrade is under way, two versions use one store. If each published its own
//! bytes in turn, every revision would undo the other version's. So the newer one publishes, and the
//! older one only serves.

use appstitch_snapshot::Snapshot;
use appstitch_store::{COPY_RULES, NextVersion, ServedBy};

/// The version and a hash of the code.
const RULES: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("APPSTITCH_RULES"));

/// What a test pretends to be the next version.
const NEXT: &str = "9999.0.0+next";

pub(crate) fn rules() -> &'static str {
    if NextVersion::Rules.is_pretended() { NEXT } else { RULES }
}

/// Whether a newer version than this one has published what a store keeps.
pub(crate) fn is_published_by_newer(served_by: Option<&ServedBy>) -> bool {
    served_by.is_some_and(|made_by| is_newer(&made_by.rules, rules()))
}

/// Whether a store keeps what another store publishes. Nothing is stitched in it.
pub(crate) fn is_copy(served_by: Option<&ServedBy>) -> bool {
    served_by.is_some_and(|made_by| made_by.rules == COPY_RULES)
}

/// Whether a snapshot is what a store keeps as served, made by this build's rules or by another store.
pub(crate) fn is_kept(snapshot: &Snapshot, served_by: Option<&ServedBy>) -> bool {
    served_by.is_some_and(|made_by| {
        [rules(), COPY_RULES].contains(&made_by.rules.as_str())
            && made_by.content_hash == snapshot.content_hash()
    })
}

/// Whether rules are of a newer version than others. Builds of one version have no order.
fn is_newer(rules: &str, others: &str) -> bool {
    matches!((version(rules), version(others)), (Some(left), Some(right)) if left > right)
}

/// The numbers of a version; `None` if there are none.
fn version(rules: &str) -> Option<[u64; 3]> {
    let (version, _) = rules.split_once('+')?;
    let release = version.split_once('-').map_or(version, |(release, _)| release);
    let mut numbers = release.split('.').map(|number| number.parse().ok());
    let version = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_version_is_recognized_by_its_numbers() {
        assert!(is_newer("0.10.0+aa", "0.9.9+bb"));
        assert!(is_newer("1.0.0-rc.1+aa", "0.9.9+bb"));
        for (rules, others) in [
            ("0.9.9+aa", "0.10.0+bb"),
            ("1.2.3+aa", "1.2.3+bb"),
            ("1.2.3-rc.1+aa", "1.2.3+bb"),
            // From before rules had a version.
            ("0123456789abcdef", "0.1.0+aa"),
            ("others", "0.1.0+aa"),
            ("1.2+aa", "0.1.0+bb"),
            ("1.2.3.4+aa", "0.1.0+bb"),
        ] {
            assert!(!is_newer(rules, others), "{rules} {others}");
        }
        assert!(version(rules()).is_some(), "{}", rules());
    }
}
