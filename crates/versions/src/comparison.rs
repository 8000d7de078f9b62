//! The comparison of two versions as sources write them.

use std::cmp::Ordering;

use appstitch_types::{ComparedVersion, VersionComparison, VersionOrder};

use crate::{stated::Stated, version::Version};

/// Compares two versions with the rules that are used for drift.
///
/// ```
/// use appstitch_types::VersionOrder;
/// use appstitch_versions::compare_versions;
///
/// assert_eq!(compare_versions("4.9", "v4.32").order, VersionOrder::Older);
/// assert_eq!(compare_versions("5.7.3", "5.7.3,2320").order, VersionOrder::Same);
/// ```
pub fn compare_versions(a: &str, b: &str) -> VersionComparison {
    let (order, rule) = match Stated::compare(a, b) {
        Stated::Same(rule) => (VersionOrder::Same, Some(rule)),
        Stated::Different(Some(Ordering::Less)) => (VersionOrder::Older, None),
        Stated::Different(Some(Ordering::Greater)) => (VersionOrder::Newer, None),
        Stated::Different(_) => (VersionOrder::Unknown, None),
    };
    VersionComparison { a: compared(a), b: compared(b), order, rule }
}

/// Whether a version is certainly lower than another one. Versions without a known order and
/// different spellings of one release are not.
pub fn is_lower_version(version: &str, than: &str) -> bool {
    matches!(Stated::compare(version, than), Stated::Different(Some(Ordering::Less)))
}

fn compared(version: &str) -> ComparedVersion {
    let parsed = Version::parse(version.trim());
    ComparedVersion {
        version: version.to_owned(),
        parsed_ok: parsed.is_some(),
        normal_form: parsed.map(|version| version.normal_form()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_order_makes_a_version_lower() {
        assert!(is_lower_version("1.1", "1.2"));
        for (version, than) in
            [("1.2", "1.1"), ("1.2", "1.2.0"), ("2026-03-05", "1.2"), ("1.2", "2026-03-05")]
        {
            assert!(!is_lower_version(version, than), "{version} and {than}");
        }
    }
}
