//! Whether two versions are counted in the same way.
//!
//! Every pair of versions has an order, but the order of a year and a major version, or of a build
//! number and a release, says nothing about which is newer.

use super::{number::Number, suffix::SuffixKind, version::Version};

/// Leading numbers that differ by more than this factor belong to different schemes: 2026.1 and
/// 26.0, 20260822 and 1.12.
const MAX_FACTOR: u64 = 10;

impl Version {
    /// Whether the greater of both can be taken for the newer one.
    pub fn shares_scheme(&self, other: &Self) -> bool {
        // 0.9 and 1.0 are one scheme, so zero counts like one.
        let leading =
            |version: &Self| version.release.first().map_or(1, |first| Number::value(first).max(1));
        let (left, right) = (leading(self), leading(other));
        left.max(right) <= left.min(right).saturating_mul(MAX_FACTOR)
    }

    pub fn has_same_major(&self, other: &Self) -> bool {
        self.release.first() == other.release.first()
    }

    /// Whether it comes before a release: an alpha, a beta, a candidate.
    pub fn is_before_release(&self) -> bool {
        self.suffixes.iter().any(|suffix| suffix.kind < SuffixKind::Patch)
    }

    /// Whether the version is one number without a dot, as builds are.
    pub fn is_lone_number(&self) -> bool {
        self.release.len() == 1 && self.suffixes.is_empty() && self.build.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_numbers_of_another_size_are_another_scheme() {
        let shares = |left: &str, right: &str| {
            let (left, right) = (Version::parse(left).unwrap(), Version::parse(right).unwrap());
            assert_eq!(left.shares_scheme(&right), right.shares_scheme(&left));
            left.shares_scheme(&right)
        };
        for (left, right) in [("0.12", "1.0"), ("9.8", "10.0"), ("1.5", "4.3"), ("6272", "5673")] {
            assert!(shares(left, right), "{left} and {right}");
        }
        for (left, right) in
            [("2026.1", "26.0.1"), ("193.138", "1.93.138"), ("20260822", "1.12"), ("0", "11")]
        {
            assert!(!shares(left, right), "{left} and {right}");
        }
    }
}
