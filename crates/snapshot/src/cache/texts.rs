//! Generated texts.

use std::hash::Hash;

use appstitch_exports::ExportFormat;
use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};

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

/// Exports by the position of their app. More room than the files of the most used formats take.
pub(crate) type ExportCache = TextCache<(u32, ExportForm), { 32 << 20 }>;

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

/// What is kept of the exports of an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ExportForm {
    /// Which formats fit, as JSON.
    List,
    File(ExportFormat),
    /// Why there is no file, as JSON.
    Refusal(ExportFormat),
}

#[derive(Clone)]
struct BySize;

impl<K> Weighter<K, Bytes> for BySize {
    fn weight(&self, _: &K, text: &Bytes) -> u64 {
        text.len() as u64 + OVERHEAD
    }
}

pub struct TextCache<K, const BUDGET: u64>(Cache<K, Bytes, BySize>);

impl<K: Eq + Hash, const BUDGET: u64> Default for TextCache<K, BUDGET> {
    fn default() -> Self {
        Self(bounded(BUDGET, BySize))
    }
}

impl<K: Eq + Hash, const BUDGET: u64> TextCache<K, BUDGET> {
    pub fn get(&self, key: &K) -> Option<Bytes> {
        self.0.get(key)
    }

    pub fn insert(&self, key: K, text: Bytes) {
        self.0.insert(key, text);
    }

    pub(crate) fn get_or_make<E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<Bytes, E>,
    ) -> Result<Bytes, E> {
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
