use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks what a test and its server share. A test that failed meanwhile does not matter.
pub(crate) fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
