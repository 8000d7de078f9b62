//! Versions with a total order.
//!
//! A [`Version`] is a normalized version string: a leading `v`, leading zeros, trailing `.0`
//! parts and the choice of separator are ignored. Strings without an orderable number (dates,
//! words, hashes, shell expressions) are not versions.
//!
//! Two versions that differ in this order can still mean the same release; see [`stated`].

mod build;
mod normal_form;
pub(crate) mod number;
mod numbers;
mod parse;
pub(crate) mod reading;
pub(crate) mod scheme;
pub(crate) mod stated;
mod suffix;
pub(crate) mod written;

use std::cmp::Ordering;

use build::Build;
use numbers::Numbers;
use suffix::Suffix;

/// A parsed version with a total order.
///
/// ```
/// use appstitch_catalog::Version;
///
/// let older = Version::parse("4.9").unwrap();
/// let newer = Version::parse("v4.32").unwrap();
/// assert!(older < newer);
/// assert!(Version::parse("5.0-beta2") < Version::parse("5.0"));
/// assert!(Version::parse("2026-03-05").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version {
    /// The numbers, without trailing zeros.
    release: Numbers,
    /// The suffixes after the numbers; a plain release has none.
    suffixes: Vec<Suffix>,
    build: Option<Build>,
}

impl Version {
    /// Parses a version string; `None` if it contains nothing that can be ordered.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        parse::parse(text)
    }

    /// The version that is only these numbers.
    fn of_numbers(numbers: &Numbers) -> Self {
        let mut release = numbers.clone();
        release.trim_zeros();
        Self { release, suffixes: Vec::new(), build: None }
    }

    /// The version in one notation: `v04.32.0` is `4.32`, `5.0 Beta 2` is `5-beta.2`.
    ///
    /// ```
    /// use appstitch_catalog::Version;
    ///
    /// let version = Version::parse("v04.32.0 (build 12)").unwrap();
    /// assert_eq!(version.normal_form(), "4.32+12");
    /// ```
    #[must_use]
    pub fn normal_form(&self) -> String {
        normal_form::write(self)
    }

    /// Compares everything but the builds.
    fn compare_release(&self, other: &Self) -> Ordering {
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

#[cfg(test)]
mod tests;
