//! The apps of a catalog, by everything that an inventory can know about them.

use appstitch_types::App;
use hashbrown::HashMap;

use super::{InstalledPayloads, facts::CatalogApp};

/// The most apps that a name leads to. A name of more apps identifies none of them.
const APPS_PER_NAME: usize = 64;

#[derive(Default)]
pub struct InstalledIndex {
    apps: Vec<CatalogApp>,
    by_token: Positions,
    by_bundle_id: Positions,
    by_name: Positions,
    /// The same with only the apps without a bundle identifier.
    by_name_without_id: Positions,
    /// By each word of the names, for suggestions.
    by_word: Positions,
}

#[derive(Default)]
struct Positions(HashMap<Box<str>, PositionList>);

/// The positions that a key leads to. Usually it is only one, which is kept without an allocation.
enum PositionList {
    One(u32),
    Several(Vec<u32>),
}

impl PositionList {
    fn add(&mut self, position: u32) {
        match self {
            Self::One(first) => *self = Self::Several(vec![*first, position]),
            Self::Several(positions) => positions.push(position),
        }
    }

    fn positions(&self) -> &[u32] {
        match self {
            Self::One(position) => std::slice::from_ref(position),
            Self::Several(positions) => positions,
        }
    }
}

impl Positions {
    fn add(&mut self, key: &str, position: u32) {
        match self.0.get_mut(key) {
            None => {
                self.0.insert(key.into(), PositionList::One(position));
            }
            Some(found) if found.positions().last() == Some(&position) => {}
            Some(found) => found.add(position),
        }
    }

    fn get(&self, key: &str) -> &[u32] {
        self.0.get(key).map_or(&[], PositionList::positions)
    }

    fn drop_common(&mut self) {
        self.0.retain(|_, found| found.positions().len() <= APPS_PER_NAME);
    }
}

impl InstalledIndex {
    /// Adds an app. `main` is the slug of its product's main record, if the product has several;
    /// `other_names` are the other names of its label.
    pub fn push(
        &mut self,
        app: &App,
        payloads: &InstalledPayloads<'_>,
        other_names: &[String],
        main: Option<&str>,
    ) {
        // A catalog never has four billion apps.
        let Ok(position) = u32::try_from(self.apps.len()) else { return };
        let read = CatalogApp::read(app, payloads, other_names, main);
        for token in &read.tokens {
            self.by_token.add(token, position);
        }
        for id in &read.bundle_ids {
            self.by_bundle_id.add(id, position);
        }
        for name in read.files.iter().chain(&read.names) {
            self.by_name.add(name, position);
            if read.bundle_ids.is_empty() {
                self.by_name_without_id.add(name, position);
            }
        }
        for word in words(&app.name) {
            self.by_word.add(&word, position);
        }
        self.apps.push(read);
    }

    #[must_use]
    pub fn finish(mut self) -> Self {
        self.by_word.drop_common();
        self.by_name.drop_common();
        self.by_name_without_id.0.retain(|name, _| self.by_name.0.contains_key(name));
        self.apps.shrink_to_fit();
        self
    }

    pub(super) fn app(&self, position: u32) -> &CatalogApp {
        &self.apps[position as usize]
    }

    pub(super) fn with_token(&self, folded: &str) -> &[u32] {
        self.by_token.get(folded)
    }

    pub(super) fn with_bundle_id(&self, folded: &str) -> &[u32] {
        self.by_bundle_id.get(folded)
    }

    pub(super) fn with_name(&self, normal: &str) -> &[u32] {
        self.by_name.get(normal)
    }

    /// Those of [`Self::with_name`] that have no bundle identifier.
    pub(super) fn with_name_only(&self, normal: &str) -> &[u32] {
        self.by_name_without_id.get(normal)
    }

    pub(super) fn with_word(&self, word: &str) -> &[u32] {
        self.by_word.get(word)
    }
}

const WORDS_PER_NAME: usize = 12;

const SHORTEST_WORD: usize = 3;

pub(super) fn words(name: &str) -> Vec<String> {
    name.split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .take(WORDS_PER_NAME)
        .map(str::to_lowercase)
        .collect()
}
