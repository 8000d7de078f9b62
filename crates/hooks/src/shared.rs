//! What the operator's requests and the worker share.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use appstitch_feeds::Links;
use appstitch_publish::Publisher;
use appstitch_store::{Store, StoreError};
use tokio::sync::{Notify, Semaphore, watch};

use crate::{
    clock::Clock, counters::HookCounters, sender::Sender, status::UnreadableHook, stored::Hook,
};

pub(crate) const KEPT_DELIVERIES: usize = 50;

pub(crate) struct Shared {
    pub(crate) store: Store,
    /// The publisher's threads run the worker, so the worker must not keep the publisher alive.
    pub(crate) publisher: Weak<Publisher>,
    pub(crate) sender: Sender,
    pub(crate) links: Links,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) allow_private: bool,
    pub(crate) changed: Notify,
    pub(crate) stopping: watch::Sender<bool>,
    /// The test messages that are on their way.
    pub(crate) tests: Arc<Semaphore>,
    pub(crate) counters: HookCounters,
    /// The names of the hooks that could not be read, and were logged.
    pub(crate) unreadable: Mutex<HashSet<String>>,
}

impl Shared {
    /// All hooks, ordered by name. A hook that another version wrote, or that was damaged, does not
    /// affect the others. It is logged once.
    pub(crate) async fn hooks(&self) -> Result<Vec<Result<Hook, UnreadableHook>>, StoreError> {
        let hooks = self.store.hooks().await?.into_iter().map(|stored| {
            let id = stored.id.clone();
            Hook::read(stored).map_err(|error| UnreadableHook { id, reason: error.to_string() })
        });
        let hooks: Vec<_> = hooks.collect();
        let mut logged = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unreadable = HashSet::new();
        for UnreadableHook { id, reason } in hooks.iter().filter_map(|hook| hook.as_ref().err()) {
            if !logged.contains(id) {
                tracing::error!(hook = id, error = reason, "cannot read a hook; it gets nothing");
            }
            unreadable.insert(id.clone());
        }
        *logged = unreadable;
        Ok(hooks)
    }
}
