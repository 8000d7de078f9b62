//! Texts that are made on request and kept with their snapshot, within a number of bytes.

use std::hash::Hash;

use bytes::Bytes;
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};

/// What an entry takes besides its text.
const OVERHEAD: u64 = 128;

#[derive(Clone)]
struct BySize;

impl<K> Weighter<K, Bytes> for BySize {
    fn weight(&self, _: &K, text: &Bytes) -> u64 {
        text.len() as u64 + OVERHEAD
    }
}

/// Texts by their key, of at most `BUDGET` bytes. Those that are requested most are kept longest.
pub(crate) struct KeptTexts<K, const BUDGET: u64>(Cache<K, Bytes, BySize>);

impl<K: Eq + Hash, const BUDGET: u64> Default for KeptTexts<K, BUDGET> {
    fn default() -> Self {
        // One shard, because each shard has only a part of the budget and a text can be large.
        let mut options = OptionsBuilder::new();
        options.shards(1).estimated_items_capacity(1024).weight_capacity(BUDGET);
        Self(match options.build() {
            Ok(options) => Cache::with_options(
                options,
                BySize,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            ),
            Err(_) => Cache::with_weighter(1024, BUDGET, BySize),
        })
    }
}

impl<K: Eq + Hash, const BUDGET: u64> KeptTexts<K, BUDGET> {
    /// The text, if it is kept.
    pub(crate) fn get(&self, key: &K) -> Option<Bytes> {
        self.0.get(key)
    }

    /// Keeps a text.
    pub(crate) fn keep(&self, key: K, text: Bytes) {
        self.0.insert(key, text);
    }

    /// The text, which is made if it is not kept.
    pub(crate) fn get_or_make<E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<Bytes, E>,
    ) -> Result<Bytes, E> {
        if let Some(kept) = self.get(&key) {
            return Ok(kept);
        }
        // Two threads may make the same text at once. Waiting for each other would take as long.
        let made = make()?;
        self.keep(key, made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, convert::Infallible};

    use super::*;

    #[test]
    fn a_text_is_made_once_for_each_key() {
        let (kept, made) = (KeptTexts::<u32, { 1 << 20 }>::default(), Cell::new(0));
        for key in [1, 2, 1, 2] {
            let text = kept.get_or_make(key, || {
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
        let kept = KeptTexts::<u32, BUDGET>::default();
        let text = Bytes::from(vec![b'x'; 64 << 10]);
        for key in 0..2000 {
            kept.keep(key, text.clone());
            assert!(kept.0.weight() <= BUDGET, "{}", kept.0.weight());
        }
        assert!(kept.0.len() > 100, "it keeps as many as there is room for");
    }
}
