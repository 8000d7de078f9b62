//! Slugs that differ only in the number at their end, such as `sample11` and `sample12`.

use std::collections::HashMap;

/// More digits are not the number of a version.
const DIGITS: usize = 4;

#[derive(Default)]
pub(super) struct NumberedSlugs {
    /// By what is before the number: the number and the position of each slug.
    by_base: HashMap<String, Vec<(u16, usize)>>,
}

impl NumberedSlugs {
    /// Adds the slug at a position, if it has a number at its end.
    pub(super) fn push(&mut self, position: usize, slug: &str) {
        let base = slug.trim_end_matches(|character: char| character.is_ascii_digit());
        let digits = &slug[base.len()..];
        if base.is_empty() || digits.len() > DIGITS {
            return;
        }
        if let Ok(number) = digits.parse() {
            self.by_base.entry(base.to_owned()).or_default().push((number, position));
        }
    }

    /// The positions of the slugs of which there is one with a higher number.
    pub(super) fn older(&self) -> impl Iterator<Item = usize> {
        self.by_base.values().flat_map(|slugs| {
            let newest = slugs.iter().map(|slug| slug.0).max().unwrap_or_default();
            slugs.iter().filter(move |slug| slug.0 < newest).map(|slug| slug.1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_numbers_are_older() {
        let slugs = ["draft9", "draft11", "draft13", "other2", "plain", "7", "year20240101"];
        let mut numbered = NumberedSlugs::default();
        for (position, slug) in slugs.iter().enumerate() {
            numbered.push(position, slug);
        }
        let mut older: Vec<usize> = numbered.older().collect();
        older.sort_unstable();
        assert_eq!(older, [0, 1]);
    }
}
