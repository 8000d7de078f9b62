//! What a cask calls its product, and how alike an identifier is.

use std::collections::BTreeSet;

use appstitch_text::normal_name::normal;

/// The minimum length of a name or a part that is looked for inside another one.
const MINIMUM: usize = 4;

/// Last parts of identifiers that say only where the app runs.
const PLATFORMS: [&str; 5] = ["desktop", "mac", "macos", "osx", "app"];

/// Words of editions that often have a separate identifier.
const EDITIONS: [&str; 20] = [
    "nightly", "beta", "alpha", "canary", "insider", "insiders", "preview", "eap", "unstable",
    "snapshot", "staging", "experimental", "prerelease", "developeredition", "dev", "next",
    "debug", "setapp", "demo", "trial",
];

/// Normalized.
pub(crate) struct Product {
    /// The token without its channel, the first name, and the name of the only app.
    main: BTreeSet<String>,
    /// All names, with those of the apps.
    names: BTreeSet<String>,
    /// All names and the whole token.
    pub(super) all: BTreeSet<String>,
    /// What follows the `@` of the token.
    channel: Option<String>,
    pub(super) is_of_apple: bool,
}

impl Product {
    pub(crate) fn new(token: &str, names: &[String], apps: &[String], is_of_apple: bool) -> Self {
        let (plain, channel) = match token.split_once('@') {
            Some((plain, channel)) => (plain, Some(normal(channel))),
            None => (token, None),
        };
        let set = |names: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
            names.map(normal).filter(|name| !name.is_empty()).collect()
        };
        let first = names.first().map(String::as_str);
        let only_app = (apps.len() == 1).then(|| apps[0].as_str());
        let main = set(&mut std::iter::once(plain).chain(first).chain(only_app));
        let mut all_names = names.iter().chain(apps).map(String::as_str).chain([plain]);
        let names = set(&mut all_names);
        let mut all = names.clone();
        all.insert(normal(token));
        Self { main, names, all, channel, is_of_apple }
    }

    /// How alike an identifier and the names are: from 0 to 4.
    pub(super) fn likeness(&self, id: &str) -> i32 {
        let parts: Vec<String> = id.split('.').map(normal).collect();
        let Some((last, before)) = parts.split_last() else { return 0 };
        if before.len() > 1 && self.main.contains(last) {
            return 4;
        }
        // `com.example.sample3` is the third version of Sample.
        let unnumbered = last.trim_end_matches(|digit: char| digit.is_ascii_digit());
        if self.names.iter().any(|name| name == last || name == unnumbered) {
            return 3;
        }
        // `com.maker.tool` is Maker Tool, and `com.maker.sample.mac` and `com.maker.Sample.2026` are
        // Sample.
        if let [_, .., previous, _] = &parts[..] {
            let is_platform = unnumbered.is_empty() || PLATFORMS.contains(&last.as_str());
            if self.main.contains(&format!("{previous}{last}"))
                || (is_platform && before.len() > 2 && self.main.contains(previous))
            {
                return 3;
            }
            // `com.sample.mac`: the maker is called like its app.
            if is_platform && last != "desktop" && self.main.contains(previous) {
                return 2;
            }
        }
        let has = |text: &str, part: &str| part.len() >= MINIMUM && text.contains(part);
        if before.len() > 1 && self.names.iter().any(|name| has(last, name) || has(name, last)) {
            return 2;
        }
        let behind_the_first: String = parts.iter().skip(1).map(String::as_str).collect();
        i32::from(self.names.iter().any(|name| has(&behind_the_first, name)))
    }

    /// How well the identifier fits the channel of the cask.
    pub(super) fn edition(&self, id: &str) -> Edition {
        let words = edition_words(id);
        if words.is_empty() {
            return Edition::None;
        }
        if let Some(channel) = &self.channel {
            let is = |word: &&str| channel.contains(*word) || channel.starts_with(*word);
            if words.iter().any(is) || normal(id).contains(channel.as_str()) {
                return Edition::Same;
            }
            if EDITIONS.iter().any(|word| channel.contains(word)) {
                return Edition::AlsoEarly;
            }
        }
        let is_named = |word: &&str| self.all.iter().any(|name| name.contains(*word));
        if words.iter().any(is_named) { Edition::None } else { Edition::Other }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edition {
    None,
    Same,
    /// An early edition, as the cask's channel is one.
    AlsoEarly,
    Other,
}

/// The words of editions in an identifier, without the maker's part.
fn edition_words(id: &str) -> Vec<&'static str> {
    let parts: Vec<&str> = id.split('.').collect();
    let parts = &parts[parts.len().min(3) - 1..];
    let words: BTreeSet<String> = parts.iter().flat_map(|part| words(part)).collect();
    let joined: Vec<String> = parts.iter().map(|part| normal(part)).collect();
    let is_in = |edition: &&str| {
        words.contains(*edition)
            || (edition.len() > MINIMUM && joined.iter().any(|part| part.contains(*edition)))
    };
    EDITIONS.into_iter().filter(|edition| is_in(edition)).collect()
}

pub(crate) fn names_an_edition(name: &str) -> bool {
    let words = words(name);
    EDITIONS.iter().any(|edition| words.iter().any(|word| word == edition))
        || normal(name).contains("developeredition")
}

/// The words of a name, in lowercase: `DesktopBeta` has two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for character in name.chars() {
        let begins = !last.is_alphanumeric()
            || last.is_alphabetic() != character.is_alphabetic()
            || (last.is_lowercase() && character.is_uppercase());
        if character.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        last = character;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_can_be_like_the_name() {
        let names = ["Sample App".to_owned(), "Other Name".to_owned()];
        let product = Product::new("sample", &names, &[], false);
        assert_eq!(product.likeness("com.example.Sample-App"), 4);
        assert_eq!(product.likeness("com.example.sample3"), 3);
        assert_eq!(product.likeness("com.sample"), 3, "it may be the maker's");
        assert_eq!(product.likeness("com.example.othername"), 3);
        assert_eq!(product.likeness("com.example.samplemac"), 2);
        assert_eq!(product.likeness("com.sample.mac"), 2);
        assert_eq!(product.likeness("com.sample.desktop"), 1);
        assert_eq!(product.likeness("com.example.desktop"), 0);
        assert_eq!(product.likeness("com.example.sample.mac"), 3);
        assert_eq!(product.likeness("com.example.Sample.2026"), 3);
        assert_eq!(product.likeness("com.sample.app"), 3, "the name in two parts");
        let with_file = Product::new("sample-app", &names, &["Other Name".to_owned()], false);
        assert_eq!(with_file.likeness("com.example.OtherName"), 4, "the app's file");
    }

    #[test]
    fn an_edition_is_told_by_a_word() {
        let nightly = Product::new("sample@nightly", &[], &[], false);
        assert_eq!(nightly.edition("com.example.sample"), Edition::None);
        assert_eq!(nightly.edition("com.example.nightly"), Edition::Same);
        assert_eq!(nightly.edition("com.example.sample-EAP"), Edition::AlsoEarly);
        let plain = Product::new("sample", &[], &[], false);
        assert_eq!(plain.edition("com.example.SampleBeta"), Edition::Other);
        assert_eq!(plain.edition("com.beta-maker.sample"), Edition::None, "the maker's name");
        assert_eq!(plain.edition("com.example.device"), Edition::None, "a part of a word");
        assert!(names_an_edition("Sample Nightly") && !names_an_edition("Sample 2.1"));
    }
}
