//! Labels for one major version of an app.

use std::collections::HashSet;

/// How many major versions a label can be behind before its number means something else.
const NEAR: u32 = 3;

const YEARS: std::ops::Range<u32> = 2000..2100;

/// Whether a version that was found for a label is one of a later major version than the label's
/// name has: the vendor moved on, and the label did not. A number in a name can also be part of it,
/// so it counts only if it is a year, or if there is a label for another number. `names` are those
/// of all labels.
pub(super) fn is_of_other_major(file: &str, version: &str, names: &HashSet<&str>) -> bool {
    let name = file.strip_suffix(".sh").unwrap_or(file);
    let stem = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let leading = version.split('.').next().and_then(|first| first.parse::<u32>().ok());
    let (Ok(number), Some(major)) = (name[stem.len()..].parse::<u32>(), leading) else {
        return false;
    };
    let is_later = major > number && major - number <= NEAR;
    let are_years = YEARS.contains(&number) && YEARS.contains(&major);
    let has_sibling = || {
        let mut numbers = names.iter().filter_map(|other| other.strip_prefix(stem)?.parse().ok());
        numbers.any(|other: u32| other != number)
    };
    is_later && (are_years || has_sibling())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_major_version_is_not_the_labels() {
        let names = HashSet::from(["sample9", "sample10", "other2025", "term2"]);
        let is_other = |file, version| is_of_other_major(file, version, &names);
        assert!(is_other("sample10.sh", "11.1.0"));
        assert!(!is_other("sample10.sh", "10.6"));
        assert!(!is_other("sample10.sh", "20.7"), "counted differently");
        assert!(!is_other("sample10.sh", "9.5"), "older");
        assert!(is_other("other2025.sh", "2026.2"));
        assert!(!is_other("other2025.sh", "26.2"));
        assert!(!is_other("term2.sh", "3.6"), "the number is part of the name");
    }
}
