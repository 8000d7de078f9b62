//! Observes a running fuzzer: which branches of the code were reached, and how much memory is held.
//!
//! Both need unsafe code, which the rest of the workspace forbids: the compiler's coverage hook hands
//! over a range of memory, and an allocator is unsafe by nature. This package is built only into the
//! fuzzer.

pub mod coverage;
pub mod memory;
