//! The memory that the process holds, counted by its allocator.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
};

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The system's allocator, which counts what it gives. Beyond the limit it gives nothing, which ends
/// the process.
#[derive(Debug, Default, Clone, Copy)]
pub struct CountingAllocator;

/// The bytes that are held now.
#[must_use]
pub fn held() -> usize {
    HELD.load(Ordering::Relaxed)
}

/// The most bytes that were held since [`reset_peak`].
#[must_use]
pub fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Starts to look for a new peak.
pub fn reset_peak() {
    PEAK.store(held(), Ordering::Relaxed);
}

/// Limits what the process may hold, in bytes.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Counts bytes; false if they are too many.
fn take(bytes: usize) -> bool {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    if held > LIMIT.load(Ordering::Relaxed) {
        give_back(bytes);
        return false;
    }
    if held > PEAK.load(Ordering::Relaxed) {
        PEAK.fetch_max(held, Ordering::Relaxed);
    }
    true
}

fn give_back(bytes: usize) {
    HELD.fetch_sub(bytes, Ordering::Relaxed);
}

// SAFETY: Every call is passed on to the system's allocator as it is, or answered with null, which
// stands for "no memory".
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: The caller keeps the rules of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: The caller keeps the rules of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !take(size) {
            return std::ptr::null_mut();
        }
        give_back(layout.size());
        // SAFETY: The caller keeps the rules of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: The caller keeps the rules of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
