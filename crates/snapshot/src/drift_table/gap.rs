//! How far apart two versions are.

use appstitch_versions::{Version, stated::release_inside};

appstitch_types::words! {
    /// The first part in which two versions differ. The widest gap is the first one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum VersionGap {
        /// The first number: `1.2` and `2.0`.
        Major = "major",
        /// The second number: `1.2` and `1.3`.
        Minor = "minor",
        /// A later number: `1.2.3` and `1.2.4`.
        Patch = "patch",
        /// No number, but a suffix or a build.
        Build = "build",
    }
}

impl VersionGap {
    /// The gap between two versions; `None` if one of them has no order.
    pub fn between(left: &str, right: &str) -> Option<Self> {
        let numbers = |text: &str| {
            let text = release_inside(text).unwrap_or(text);
            Some(release(&Version::parse(text)?.normal_form()))
        };
        let (left, right) = (numbers(left)?, numbers(right)?);
        let length = left.len().max(right.len());
        let part = |numbers: &[String], place: usize| {
            numbers.get(place).map_or_else(|| "0".to_owned(), Clone::clone)
        };
        let differs = (0..length).find(|place| part(&left, *place) != part(&right, *place));
        Some(match differs {
            Some(0) => Self::Major,
            Some(1) => Self::Minor,
            Some(_) => Self::Patch,
            None => Self::Build,
        })
    }
}

/// The numbers of a normal form, such as `4.32` of `4.32-beta.2+12`.
fn release(normal_form: &str) -> Vec<String> {
    let end = normal_form.find(|letter: char| letter != '.' && !letter.is_ascii_digit());
    let numbers = &normal_form[..end.unwrap_or(normal_form.len())];
    numbers.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_part_that_differs_counts() {
        for (left, right, expected) in [
            ("1.2", "2.0", Some(VersionGap::Major)),
            ("1.2", "1.3", Some(VersionGap::Minor)),
            ("1", "1.3", Some(VersionGap::Minor)),
            ("1.2.3", "1.2.4", Some(VersionGap::Patch)),
            ("1.2", "1.2.0.1", Some(VersionGap::Patch)),
            ("5.0-beta2", "5.0", Some(VersionGap::Build)),
            ("2026-03-05", "1.0", None),
            ("8.16.0", "2603-8.18.0-24230061568", Some(VersionGap::Minor)),
            ("2509-8.18.0-1", "2603-8.18.1-24230061568", Some(VersionGap::Patch)),
        ] {
            assert_eq!(VersionGap::between(left, right), expected, "{left} {right}");
        }
    }
}
