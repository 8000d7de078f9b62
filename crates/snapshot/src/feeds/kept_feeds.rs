//! Feeds, kept once they were requested.

use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};

use super::FeedKey;

/// The room for the feeds of one snapshot, in bytes.
const BUDGET: u64 = 32 << 20;

/// What an entry takes besides its text.
const OVERHEAD: u64 = 128;

#[derive(Clone)]
struct BySize;

impl Weighter<FeedKey, Bytes> for BySize {
    fn weight(&self, _: &FeedKey, feed: &Bytes) -> u64 {
        feed.len() as u64 + OVERHEAD
    }
}

/// The feeds of one snapshot.
pub(crate) struct KeptFeeds(Cache<FeedKey, Bytes, BySize>);

impl Default for KeptFeeds {
    fn default() -> Self {
        Self(Cache::with_weighter(256, BUDGET, BySize))
    }
}

impl KeptFeeds {
    /// The feed, if it is kept.
    pub(super) fn get(&self, key: FeedKey) -> Option<Bytes> {
        self.0.get(&key)
    }

    /// The feed, which is made if it is not kept.
    pub(super) fn get_or_make(&self, key: FeedKey, make: impl FnOnce() -> Bytes) -> Bytes {
        if let Some(kept) = self.get(key) {
            return kept;
        }
        // Two threads may make the same feed at once. Waiting for each other would take as long.
        let made = make();
        self.0.insert(key, made.clone());
        made
    }
}
