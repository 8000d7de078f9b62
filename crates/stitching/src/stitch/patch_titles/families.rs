//! The titles of one product, apart by the numbers in their names.

use std::collections::{HashMap, HashSet};

use appstitch_text::normal_name::normal;

use super::{
    facts::{Facts, numbers},
    name::Reading,
};
use crate::{documents::PatchTitle, variant::is_like_a_major};

/// The newest versions of the titles of one product with one major version.
#[derive(Default)]
struct Newest {
    of_all: Vec<u64>,
    /// Of the titles with a number in the name.
    of_numbered: Vec<u64>,
}

/// The titles of a product: those whose names are the same apart from the number.
#[derive(Default)]
pub(super) struct Families {
    /// By the normal name without the number, and the major version.
    newest: HashMap<(String, u64), Newest>,
    /// The names of titles that cover all versions.
    combined: HashSet<String>,
}

impl Families {
    pub(super) fn of(titles: &[PatchTitle]) -> Self {
        let mut families = Self::default();
        for title in titles {
            if title.covers_all_versions {
                families.combined.insert(normal(&title.name));
            }
            let version = title.version.as_deref().map(numbers).unwrap_or_default();
            let Some(&major) = version.first() else { continue };
            let newest = families.newest.entry((stem(title), major)).or_default();
            if Reading::of(title).number().is_some() && version > newest.of_numbered {
                newest.of_numbered.clone_from(&version);
            }
            if version > newest.of_all {
                newest.of_all = version;
            }
        }
        families
    }

    /// Whether there is a title with the same name for all versions.
    pub(super) fn has_twin(&self, title: &PatchTitle) -> bool {
        self.combined.contains(&normal(&title.name))
    }

    /// Whether the number in a title's name is the app's major version.
    pub(super) fn fit(&self, title: &PatchTitle, number: Option<&str>, facts: &Facts) -> bool {
        let Some(number) = number else { return true };
        let start = numbers(number);
        let Some(&first) = start.first() else { return true };
        if facts.begins_with(&start) {
            return true;
        }
        let own = title.version.as_deref().map(numbers).unwrap_or_default();
        let Some(&major) = own.first() else { return false };
        let is_year = (2000..2100).contains(&first) && first - 2000 == major;
        let is_short_year = (20..100).contains(&first) && first + 2000 == major;
        let is_a_word = !u32::try_from(first).is_ok_and(is_like_a_major);
        // `Sample 2016` and `Sample 2019` can both have the version 16: only the newest one is current.
        let may_be_current = is_year || is_short_year || is_a_word;
        may_be_current
            && start.len() == 1
            && facts.has_major(major)
            && self.is_newest_of_major(title, major, &own, is_a_word)
    }

    /// Whether no other title of the product has a newer version with the same major version. For a word
    /// such as `365`, only titles with a number are compared: the one for all versions can be ahead.
    fn is_newest_of_major(
        &self,
        title: &PatchTitle,
        major: u64,
        own: &[u64],
        only_numbered: bool,
    ) -> bool {
        self.newest.get(&(stem(title), major)).is_none_or(|newest| {
            let newest = if only_numbered { &newest.of_numbered } else { &newest.of_all };
            newest[..] <= *own
        })
    }
}

fn stem(title: &PatchTitle) -> String {
    let reading = Reading::of(title);
    let number = reading.number();
    let words = title.name.split_whitespace().filter(|word| Some(*word) != number);
    normal(&words.collect::<String>())
}
