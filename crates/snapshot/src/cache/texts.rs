//! Generated texts.

use std::hash::Hash;

use appstitch_exports::ExportFormat;
use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};
use ring::digest::{SHA256, digest};

use super::bounded::bounded;
use crate::feeds::FeedKey;

/// What an entry takes besides its text.
const OVERHEAD: u64 = 128;

/// Labels by the position of their app. More room than all labels of the real catalog take.
///
/// Generating a label parses all payloads of its app, and clients may ask for thousands of labels at
/// once. Making all of them in advance would cost every publication, for labels that nobody asks for.
pub(crate) type LabelCache = TextCache<(u32, LabelForm), { 32 << 20 }>;

pub(crate) type FeedCache = TextCache<FeedKey, { 32 << 20 }>;

/// More room than the files of the most used formats take.
pub(crate) type ExportCache = TextCache<ExportKey, { 32 << 20 }, ExportFile>;

/// Documents for browsers. A page has at most 30 kB, so there is room for at least five hundred.
pub type DocumentCache = TextCache<DocumentKey, { 16 << 20 }>;

/// A hash of everything that a document depends on.
pub type DocumentKey = [u8; 16];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelForm {
    /// A `GeneratedLabel` as JSON.
    Json,
    /// Shell text for the label tool.
    Shell,
}

/// What is kept of exports. Apps are named by their position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ExportKey {
    /// Which formats fit an app, as JSON.
    List(u32),
    File(u32, ExportFormat),
    /// Why there is no file, as JSON.
    Refusal(u32, ExportFormat),
}

/// A file with its own entity tag. The format of a file may change with the program while the catalog
/// stays the same, so the token of the catalog says nothing about the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    pub body: Bytes,
    hash: u64,
}

impl ExportFile {
    pub(crate) fn new(body: impl Into<Box<[u8]>>) -> Self {
        // Without spare room, which would be kept as well.
        let body = Bytes::from(body.into());
        let hash = digest(&SHA256, &body);
        let start = std::array::from_fn(|position| hash.as_ref()[position]);
        Self { body, hash: u64::from_be_bytes(start) }
    }

    /// The token inside the entity tag. It changes if and only if the bytes do.
    pub fn token(&self) -> String {
        format!("{:016x}", self.hash)
    }
}

impl AsRef<[u8]> for ExportFile {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

#[derive(Clone)]
struct BySize;

impl<K, V: AsRef<[u8]>> Weighter<K, V> for BySize {
    fn weight(&self, _: &K, text: &V) -> u64 {
        text.as_ref().len() as u64 + OVERHEAD
    }
}

pub struct TextCache<K, const BUDGET: u64, V = Bytes>(Cache<K, V, BySize>);

impl<K: Eq + Hash, V: AsRef<[u8]> + Clone, const BUDGET: u64> Default for TextCache<K, BUDGET, V> {
    fn default() -> Self {
        Self(bounded(BUDGET, BySize))
    }
}

impl<K: Eq + Hash, V: AsRef<[u8]> + Clone, const BUDGET: u64> TextCache<K, BUDGET, V> {
    pub fn get(&self, key: &K) -> Option<V> {
        self.0.get(key)
    }

    pub fn insert(&self, key: K, text: V) {
        self.0.insert(key, text);
    }

    pub(crate) fn get_or_make<E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<V, E> {
        if let Some(text) = self.get(&key) {
            return Ok(text);
        }
        // Two threads may make the same text at once. Waiting for each other would take as long.
        let made = make()?;
        self.insert(key, made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, convert::Infallible};

    use super::*;

    #[test]
    fn a_text_is_made_once_for_each_key() {
        let (cache, made) = (TextCache::<u32, { 1 << 20 }>::default(), Cell::new(0));
        for key in [1, 2, 1, 2] {
            let text = cache.get_or_make(key, || {
                made.set(made.get() + 1);
                Ok::<_, Infallible>(Bytes::from(format!("{key}")))
            });
            assert_eq!(text, Ok(format!("{key}").into()));
        }
        assert_eq!(made.get(), 2);
    }

    #[test]
    fn the_entity_tag_of_a_file_follows_its_bytes_alone() {
        let file = |text: &str| ExportFile::new(text.as_bytes());
        // As a version of the program writes a file, and as the next one does, in one revision.
        let (before, after) = (file("name: App"), file("name: 'App'"));
        assert_ne!(before.token(), after.token());
        assert_eq!(before.token(), file("name: App").token(), "in another revision or process");
    }

    #[test]
    fn texts_take_only_so_much_room() {
        const BUDGET: u64 = 8 << 20;
        let cache = TextCache::<u32, BUDGET>::default();
        let text = Bytes::from(vec![b'x'; 64 << 10]);
        for key in 0..2000 {
            cache.insert(key, text.clone());
            assert!(cache.0.weight() <= BUDGET, "{}", cache.0.weight());
        }
        assert!(cache.0.len() > 100, "as many as there is room for");
    }
}
