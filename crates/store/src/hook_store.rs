//! Reads and writes webhooks. Writing them does not change the store's edition.

use crate::{HookStep, HookWrite, Store, StoreError, StoredDelivery, StoredHook};

impl Store {
    /// All hooks, ordered by name.
    pub async fn hooks(&self) -> Result<Vec<StoredHook>, StoreError> {
        on_engine!(self, engine => engine.hooks().await)
    }

    /// Writes a hook as the operator wants it, and increments its generation. `read` is the
    /// generation that the operator's change is based on, and `None` for a new hook. No more than
    /// `most` hooks are kept.
    pub async fn put_hook(
        &self,
        hook: StoredHook,
        read: Option<u64>,
        most: usize,
    ) -> Result<HookWrite, StoreError> {
        on_engine!(self, engine => engine.put_hook(hook, read, most).await)
    }

    /// Removes a hook and its deliveries. Returns whether it existed.
    pub async fn remove_hook(&self, id: String) -> Result<bool, StoreError> {
        on_engine!(self, engine => engine.remove_hook(id).await)
    }

    /// Writes the progress of a hook, and the delivery that led to it, in one transaction. Only the
    /// last `keep` deliveries of the hook stay. If the hook is no longer where the step began, only the
    /// delivery is written. Returns whether the step was written.
    pub async fn record_delivery(
        &self,
        id: String,
        step: Option<HookStep>,
        delivery: Option<StoredDelivery>,
        keep: usize,
    ) -> Result<bool, StoreError> {
        on_engine!(self, engine => engine.record_delivery(id, step, delivery, keep).await)
    }

    /// The last deliveries of a hook, newest first.
    pub async fn deliveries(&self, id: String) -> Result<Vec<StoredDelivery>, StoreError> {
        on_engine!(self, engine => engine.deliveries(id).await)
    }
}
