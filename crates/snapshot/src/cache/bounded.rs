//! A cache of so many bytes. The most requested entries stay.

use std::hash::Hash;

use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};

/// Uses one shard, because each shard has only a part of the budget and an entry can be large.
pub(super) fn bounded<K, V, W>(budget: u64, weighter: W) -> Cache<K, V, W>
where
    K: Eq + Hash,
    V: Clone,
    W: Weighter<K, V> + Clone,
{
    let mut options = OptionsBuilder::new();
    options.shards(1).estimated_items_capacity(1024).weight_capacity(budget);
    match options.build() {
        Ok(options) => Cache::with_options(
            options,
            weighter,
            DefaultHashBuilder::default(),
            DefaultLifecycle::default(),
        ),
        Err(_) => Cache::with_weighter(1024, budget, weighter),
    }
}
