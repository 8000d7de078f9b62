//! Every parser of foreign bytes, each with the properties that must hold for any input.
//!
//! `cargo xtask fuzz` runs a target with libFuzzer (`main.rs`). The smoke run of the tests has the
//! committed inputs and mutations of them. See CONTRIBUTING.md.

mod corpus;
mod mutation;
mod target;
mod targets;

pub use corpus::committed_inputs;
pub use mutation::mutated;
pub use target::{Target, TargetEntry};
pub use targets::TARGETS;
