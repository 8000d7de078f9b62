//! What the operator's requests and the worker share.

use std::sync::{Arc, Weak};

use appstitch_feeds::Links;
use appstitch_publish::Publisher;
use appstitch_store::Store;
use tokio::sync::{Notify, Semaphore, watch};

use crate::{Clock, HookCounters, sender::Sender};

/// How many deliveries of each hook are kept.
pub(crate) const KEPT_DELIVERIES: usize = 50;

pub(crate) struct Shared {
    pub(crate) store: Store,
    /// The publisher's threads run the worker, so the worker must not keep the publisher alive.
    pub(crate) publisher: Weak<Publisher>,
    pub(crate) sender: Sender,
    pub(crate) links: Links,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) allow_private: bool,
    /// Somebody changed a hook.
    pub(crate) changed: Notify,
    pub(crate) stopping: watch::Sender<bool>,
    /// The test messages that are on their way.
    pub(crate) tests: Arc<Semaphore>,
    pub(crate) counters: HookCounters,
}
