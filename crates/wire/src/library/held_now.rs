//! The memory of the answer that a connection is sending.

use std::{
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use crate::memory::{Held, Patience};

/// What a connection of the HTTP library holds. The library has the bytes, so only their owner knows
/// when they are gone.
#[derive(Debug, Default)]
pub(crate) struct HeldNow(Mutex<Weak<Held>>);

impl HeldNow {
    /// The next answer is about to be sent.
    pub(super) fn set(&self, held: Option<&Arc<Held>>) {
        let held = held.map(Arc::downgrade).unwrap_or_default();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    /// How long the client may take now; `None` if the answer takes no memory.
    pub(super) fn patience(&self, pause: Duration) -> Option<Patience> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        held.map(|held| held.patience(pause))
    }
}
