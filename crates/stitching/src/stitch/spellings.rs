//! How a maker spells the words in the names of its apps.
//!
//! A cask is named by whoever adds it. If one of them writes `.Net` while most of the maker's other
//! apps are called `.NET`, that is how the maker writes it. And a maker spells its own name as it does
//! elsewhere: `RealVNC Connect`, not `Real VNC Connect`.

use std::collections::{BTreeMap, HashMap};

use appstitch_text::{fold_case, normal_name::normal};
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

    /// `file` is that of the app, without its ending; a label's name is often that of a file, too.
    pub(super) fn apply(&self, app: &mut App, file: Option<&str>, is_labels: bool) {
        if let Some(maker) = &app.vendor {
            app.name = with_maker(&self.correct(maker, &app.name), maker, file);
            if is_labels && file.is_none() {
                app.name = apart_from_maker(&app.name, maker);
            }
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

/// The most words that a maker's name is written in.
const MOST_WORDS: usize = 3;

/// The name with the maker's own name in it as the maker spells it. The app's file knows better, and makers
/// write their own names in capitals or not as they like.
fn with_maker(name: &str, maker: &str, file: Option<&str>) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let is_misspelled = |written: &str| {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '.' | ',');
        let is_other_case =
            fold_case(written) == fold_case(maker) && written.contains(char::is_uppercase);
        normal(written) == normal(maker)
            && written.chars().all(is_plain)
            && !is_other_case
            && !file.is_some_and(|file| file.contains(written))
    };
    for (start, count) in (0..words.len()).flat_map(|at| (1..=MOST_WORDS).map(move |n| (at, n))) {
        let Some(part) = words.get(start..start + count) else { continue };
        if is_misspelled(&part.join(" ")) {
            return [&words[..start], &[maker], &words[start + count..]].concat().join(" ");
        }
    }
    name.to_owned()
}

/// The name with a blank behind the maker's, which file names often lack: `MakerSample`.
fn apart_from_maker(name: &str, maker: &str) -> String {
    let first = maker.split(' ').next().filter(|_| !name.contains(' '));
    let makers = [Some(maker), first].into_iter().flatten();
    let rest = makers.filter(|maker| maker.len() >= MINIMUM).find_map(|maker| {
        let rest = name.strip_prefix(maker)?;
        let mut letters = rest.chars();
        let is_word = letters.next()?.is_uppercase() && letters.next()?.is_lowercase();
        is_word.then_some(rest)
    });
    match rest {
        Some(rest) => format!("{} {rest}", &name[..name.len() - rest.len()]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maker_is_spelled_as_it_spells_itself() {
        for (name, maker, file, expected) in [
            ("Real VNC Connect", "RealVNC", None, "RealVNC Connect"),
            ("Real VNC Connect", "RealVNC", Some("Real VNC Connect"), "Real VNC Connect"),
            ("dymo Connect", "DYMO", None, "DYMO Connect"),
            ("Dymo Connect", "DYMO", None, "Dymo Connect"),
            ("HMA! Pro", "HMA", None, "HMA! Pro"),
            ("FUJIFILM Tether", "Fujifilm", None, "FUJIFILM Tether"),
            ("Dymos", "DYMO", None, "Dymos"),
        ] {
            assert_eq!(with_maker(name, maker, file), expected);
        }
        assert_eq!(apart_from_maker("EgnyteWebEdit", "Egnyte"), "Egnyte WebEdit");
        assert_eq!(apart_from_maker("CatoClient", "Cato Networks"), "Cato Client");
        assert_eq!(apart_from_maker("CatoClient One", "Cato Networks"), "CatoClient One");
        for name in ["Egnyte WebEdit", "EgnyteVPN", "Egnytes", "Egnyte"] {
            assert_eq!(apart_from_maker(name, "Egnyte"), name);
        }
    }

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
