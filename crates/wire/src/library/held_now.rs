//! The memory of the response that a connection is sending.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use appstitch_budget::Pool;

use crate::memory::Patience;

/// The pool that the response of a connection of the HTTP library takes its memory from. The library has
/// the bytes, so only their owner knows when they are gone.
#[derive(Debug, Default)]
pub(crate) struct HeldNow(Mutex<Option<Pool>>);

impl HeldNow {
    /// The next response is about to be sent. It takes memory of this pool.
    pub(super) fn set(&self, pool: Option<Pool>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pool;
    }

    /// How long the client may take now; `None` if the response takes no memory.
    pub(super) fn patience(&self, pause: Duration) -> Option<Patience> {
        let pool = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pool.as_ref().map(|pool| Patience::within(pool, pause))
    }
}
