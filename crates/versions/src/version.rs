//! A parsed version.

use std::cmp::Ordering;

use super::{
    build::Build,
    numbers::Numbers,
    suffix::{self, Suffix},
};

/// A parsed version with a total order.
///
/// ```
/// use appstitch_versions::Version;
///
/// let older = Version::parse("4.9").unwrap();
/// let newer = Version::parse("v4.32").unwrap();
/// assert!(older < newer);
/// assert!(Version::parse("5.0-beta2") < Version::parse("5.0"));
/// assert!(Version::parse("2026-03-05").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version {
    /// Without trailing zeros.
    pub(super) release: Numbers,
    pub(super) suffixes: Vec<Suffix>,
    pub(super) build: Option<Build>,
}

impl Version {
    pub(super) fn of_numbers(numbers: &Numbers) -> Self {
        let mut release = numbers.clone();
        release.trim_zeros();
        Self { release, suffixes: Vec::new(), build: None }
    }

    /// Compares everything but the builds.
    pub(super) fn compare_release(&self, other: &Self) -> Ordering {
        self.release
            .cmp(&*other.release)
            .then_with(|| suffix::compare(&self.suffixes, &other.suffixes))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare_release(other).then_with(|| self.build.cmp(&other.build))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
