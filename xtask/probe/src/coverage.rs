//! The branches that the running code has reached.
//!
//! With `-C passes=sancov-module` and `-sanitizer-coverage-inline-8bit-counters`, which are options
//! of the stable compiler, every branch counts in one byte how often it was reached. Before `main`,
//! the code that the compiler added hands over these bytes. Without the options there are none.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

static FIRST: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The hook of the instrumentation. Every module of the program calls it with the same range.
///
/// # Safety
///
/// The range must be valid for the life of the process, and nothing but the counting code may write
/// to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(first: *mut u8, end: *mut u8) {
    let count = (end as usize).saturating_sub(first as usize);
    // The range of the program itself; one of a library that was loaded later is not needed.
    if FIRST.load(Ordering::Relaxed).is_null() && count > 0 {
        FIRST.store(first, Ordering::Relaxed);
        COUNT.store(count, Ordering::Relaxed);
    }
}

/// The number of counters, one per branch; 0 if the program was built without coverage.
#[must_use]
pub fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Copies the counters. They wrap around, so that a branch that was reached often may show 0.
pub fn copy_to(counters: &mut [u8]) {
    let count = count().min(counters.len());
    if count > 0 {
        let first = FIRST.load(Ordering::Relaxed);
        // SAFETY: The hook was given `count` bytes that live as long as the process, and `counters`
        // has room for them. Another thread may count meanwhile: a byte that is copied then is the
        // old or the new count.
        unsafe { std::ptr::copy_nonoverlapping(first, counters.as_mut_ptr(), count) };
    }
}

/// Sets all counters to 0.
pub fn clear() {
    let first = FIRST.load(Ordering::Relaxed);
    if !first.is_null() {
        // SAFETY: As in `copy_to`. A count of another thread may be lost.
        unsafe { std::ptr::write_bytes(first, 0, count()) };
    }
}
