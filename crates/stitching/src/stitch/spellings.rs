//! How a maker spells the words in the names of its apps.
//!
//! A cask is named by whoever adds it. If one of them writes `.Net` while most of the maker's other
//! apps are called `.NET`, that is how the maker writes it.

use std::collections::{BTreeMap, HashMap};

use appstitch_text::fold_case;
use appstitch_types::App;

use super::{Parts, vendors::Attributed};

/// The minimum length of a word whose spelling is compared.
const MINIMUM: usize = 3;

/// How many apps must have a spelling, and how many times as many as have the other one.
const COMMON: usize = 3;
const TIMES: usize = 2;

/// How many apps have each spelling of a word, by the maker and the word with its case folded.
pub(super) struct Spellings(HashMap<(String, String), BTreeMap<String, usize>>);

impl Spellings {
    pub(super) fn of_apps(apps: &[Parts<'_>], vendors: &[Attributed<String>]) -> Self {
        let named = apps.iter().zip(vendors);
        Self::of(named.filter_map(|(parts, vendor)| {
            let (_, maker) = vendor.as_ref()?;
            Some((maker.as_str(), parts.given_name()?))
        }))
    }

    /// Reads pairs of a maker and the name of an app.
    fn of<'a>(named: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut all: HashMap<(String, String), BTreeMap<String, usize>> = HashMap::new();
        for (maker, name) in named {
            for word in name.split(' ').filter(|word| word.len() >= MINIMUM) {
                let spellings = all.entry((maker.to_owned(), fold_case(word))).or_default();
                *spellings.entry(word.to_owned()).or_default() += 1;
            }
        }
        all.retain(|_, spellings| spellings.len() > 1);
        Self(all)
    }

    pub(super) fn apply(&self, app: &mut App) {
        if let Some(maker) = &app.vendor {
            app.name = self.correct(maker, &app.name);
        }
    }

    /// The name with the maker's spelling of each word.
    fn correct(&self, maker: &str, name: &str) -> String {
        let corrected = name.split(' ').map(|word| self.common(maker, word).unwrap_or(word));
        corrected.collect::<Vec<_>>().join(" ")
    }

    fn common(&self, maker: &str, word: &str) -> Option<&str> {
        let spellings = self.0.get(&(maker.to_owned(), fold_case(word)))?;
        let own = spellings.get(word).copied().unwrap_or_default();
        let (common, count) = spellings.iter().max_by_key(|(_, count)| **count)?;
        (*count >= COMMON && *count >= TIMES * own).then_some(common)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_spelled_as_in_most_apps_of_the_maker() {
        let names = ["Kit Sample", "KIT Other", "KIT", "KIT Extra", "Box One", "BOX Two"];
        let spellings = Spellings::of(names.iter().map(|name| ("Maker", *name)));
        assert_eq!(spellings.correct("Maker", "Kit Sample"), "KIT Sample");
        assert_eq!(spellings.correct("Other", "Kit Sample"), "Kit Sample", "another maker's");
        assert_eq!(spellings.correct("Maker", "Box One"), "Box One", "no spelling is common");
        assert_eq!(spellings.correct("Maker", "KIT  Extra"), "KIT  Extra");
    }
}
