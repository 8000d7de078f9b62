//! Whether two versions are counted in the same way.
//!
//! Every pair of versions has an order, but the order of a year and a major version, or of a build
//! number and a release, says nothing about which is newer.

use super::{Version, number::Number};

/// Leading numbers that differ by more than this factor belong to different schemes: 2026.1 and
/// 26.0, 20260822 and 1.12.
const MAX_FACTOR: u64 = 10;

impl Version {
    /// Whether the greater of both can be taken for the newer one.
    pub(crate) fn shares_scheme(&self, other: &Self) -> bool {
        // 0.9 and 1.0 are one scheme, so zero counts like one.
        let leading =
            |version: &Self| version.release.first().map_or(1, |first| Number::value(first).max(1));
        let (left, right) = (leading(self), leading(other));
        left.max(right) <= left.min(right).saturating_mul(MAX_FACTOR)
    }

    /// Whether both start with the same number.
    pub(crate) fn has_same_major(&self, other: &Self) -> bool {
        self.release.first() == other.release.first()
    }

    /// Whether the version is one number without a dot, as builds are.
    pub(crate) fn is_lone_number(&self) -> bool {
        self.release.len() == 1 && self.suffixes.is_empty() && self.build.is_none()
    }
}

/// Whether `joined` is `spelled` without some of its separators: `2681` and `26.8.1`, `4.6.21` and
/// `4.6.2-1`. Labels produce such texts when they keep only some characters of a version.
pub(crate) fn is_run_together(joined: &str, spelled: &str) -> bool {
    // 1.10 is newer than 1.1.0, so zeros at the end are not taken for lost separators.
    let (joined, spelled) = (without_zeros(joined), without_zeros(spelled));
    let runs = |text: &str| {
        text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).count()
    };
    let same_digits = |spelled: &str| digits(joined).eq(digits(spelled));
    let release = spelled.split(',').next().unwrap_or_default();
    (same_digits(spelled) && runs(joined) < runs(spelled))
        || (same_digits(release) && runs(joined) < runs(release))
}

fn without_zeros(version: &str) -> &str {
    version.trim_end_matches(".0")
}

fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit)
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

    #[test]
    fn lost_separators_are_recognized_by_the_digits() {
        for (joined, spelled) in [
            ("2681", "26.8.1"),
            ("4.6.21", "4.6.2-1"),
            ("214", "2.14,2026.03"),
            ("5.4.020109", "5.4.0,20109"),
            ("0.1.05", "0.1.0b5"),
        ] {
            assert!(is_run_together(joined, spelled), "{joined} and {spelled}");
            assert!(!is_run_together(spelled, joined), "{spelled} and {joined}");
        }
        for (left, right) in [("1.10", "1.1.0"), ("2.1", "2.1.0"), ("7.3", "7.30"), ("1.2", "1.2")]
        {
            assert!(!is_run_together(left, right), "{left} and {right}");
            assert!(!is_run_together(right, left), "{right} and {left}");
        }
    }
}
