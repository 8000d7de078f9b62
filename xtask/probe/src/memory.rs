//! The memory that the process and each of its threads hold, counted by the allocator.
//!
//! An execution of a parser is measured by its own thread, so that several can be measured at the
//! same time. What other threads allocate for it counts for the process only.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::atomic::{AtomicIsize, Ordering},
};

/// What all threads hold, up to what they have not told yet. It is negative for a moment if a thread
/// tells that it has freed something before another one tells that it allocated it.
static HELD: AtomicIsize = AtomicIsize::new(0);
static LIMIT: AtomicIsize = AtomicIsize::new(isize::MAX);

/// So many bytes a thread may hold without telling: counting for all threads takes longer.
const UNTOLD: isize = 64 << 10;

thread_local! {
    static COUNTS: Counts = const {
        Counts { held: Cell::new(0), peak: Cell::new(0), untold: Cell::new(0) }
    };
}

/// The counts of a thread. It may free what another one allocated, so they may be negative.
struct Counts {
    held: Cell<isize>,
    peak: Cell<isize>,
    /// What is not part of `HELD` yet.
    untold: Cell<isize>,
}

/// The system's allocator, which counts what it gives. Beyond the limit it gives nothing, which ends
/// the process.
#[derive(Debug, Default, Clone, Copy)]
pub struct CountingAllocator;

/// The most bytes that this thread held at any time since [`start`], more than then.
#[must_use]
pub fn peak() -> usize {
    COUNTS.with(|counts| usize::try_from(counts.peak.get()).unwrap_or(0))
}

/// Starts to count what this thread holds, from 0.
pub fn start() {
    COUNTS.with(|counts| {
        counts.held.set(0);
        counts.peak.set(0);
    });
}

/// Limits what the process may hold, in bytes.
pub fn set_limit(bytes: usize) {
    LIMIT.store(isize::try_from(bytes).unwrap_or(isize::MAX), Ordering::Relaxed);
}

/// Counts bytes; false if they are too many.
fn take(bytes: usize) -> bool {
    // No layout is larger than this.
    let bytes = isize::try_from(bytes).unwrap_or(isize::MAX);
    COUNTS.with(|counts| {
        let untold = counts.untold.get().saturating_add(bytes);
        if untold > UNTOLD {
            let held = HELD.fetch_add(untold, Ordering::Relaxed).saturating_add(untold);
            if held > LIMIT.load(Ordering::Relaxed) {
                HELD.fetch_sub(untold, Ordering::Relaxed);
                return false;
            }
            counts.untold.set(0);
        } else {
            counts.untold.set(untold);
        }
        let held = counts.held.get().saturating_add(bytes);
        counts.held.set(held);
        counts.peak.set(counts.peak.get().max(held));
        true
    })
}

fn give_back(bytes: usize) {
    let bytes = isize::try_from(bytes).unwrap_or(isize::MAX);
    COUNTS.with(|counts| {
        counts.held.set(counts.held.get().saturating_sub(bytes));
        let untold = counts.untold.get().saturating_sub(bytes);
        if untold < -UNTOLD {
            HELD.fetch_add(untold, Ordering::Relaxed);
            counts.untold.set(0);
        } else {
            counts.untold.set(untold);
        }
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static ALLOCATOR: CountingAllocator = CountingAllocator;

    #[test]
    fn a_thread_counts_its_own_memory() {
        start();
        let large = vec![1_u8; 3 << 20];
        std::thread::spawn(|| drop(vec![1_u8; 30 << 20])).join().unwrap();
        drop(large);
        let again = vec![1_u8; 1 << 20];
        assert!((3 << 20..4 << 20).contains(&peak()), "{}", peak());
        start();
        drop(again);
        assert!(peak() < 1 << 20);
    }

    #[test]
    fn growing_counts_the_new_size_instead_of_the_old() {
        start();
        let mut bytes: Vec<u8> = Vec::with_capacity(1 << 20);
        bytes.reserve_exact(2 << 20);
        // Both are held while the bytes move.
        assert!((2 << 20..=3 << 20).contains(&peak()), "{}", peak());
        drop(bytes);
    }
}
