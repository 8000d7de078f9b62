//! The vendors whose names are most like one that no app has.

use appstitch_text::fold_case;

use super::{VendorEntry, VendorLetter, Vendors};

/// Longer names are compared up to here, in characters.
const LONGEST: usize = 100;

/// How similar a name must be, from 0 to 1.
const SIMILAR: f64 = 0.84;

/// The most vendors that are compared letter by letter, which bounds the work of a request.
const MOST_COMPARED: usize = 2000;

impl Vendors {
    /// The vendors whose name contains the wanted one, or the other way round, then similar ones that
    /// begin with the same letter.
    pub fn nearest(&self, wanted: &str, limit: usize) -> Vec<&VendorEntry> {
        let wanted: String = fold_case(wanted.trim()).chars().take(LONGEST).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let contains = |entry: &&VendorEntry| {
            entry.folded.contains(wanted.as_str())
                || (entry.folded.chars().count() > 3 && wanted.contains(entry.folded.as_str()))
        };
        let mut found: Vec<&VendorEntry> = self.all().iter().filter(contains).take(limit).collect();
        let letter = VendorLetter::of(&wanted);
        let same_letter = self.all().iter().filter(|entry| entry.letter() == letter);
        let mut similar: Vec<(f64, &VendorEntry)> = same_letter
            .take(MOST_COMPARED)
            .filter(|entry| !contains(entry))
            .map(|entry| {
                let name: String = entry.folded.chars().take(LONGEST).collect();
                (strsim::jaro_winkler(&name, &wanted), entry)
            })
            .filter(|(likeness, _)| *likeness >= SIMILAR)
            .collect();
        similar.sort_by(|left, right| right.0.total_cmp(&left.0));
        found.extend(similar.into_iter().map(|(_, entry)| entry));
        found.truncate(limit);
        found
    }
}
