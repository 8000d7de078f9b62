//! Fuzzes every parser of foreign bytes, each with the properties that must hold for any input.
//!
//! `cargo xtask fuzz` builds the program with coverage and starts it; inputs that reach a new branch
//! are kept and changed further. Without coverage, as in the smoke run of the tests, inputs are made
//! from the committed ones. See CONTRIBUTING.md.

mod attempt;
mod batch_file;
mod corpus;
mod coverage;
mod engine;
mod failure;
mod failures;
mod minimize;
mod mutation;
mod options;
mod outcome;
mod program;
mod replay;
mod report;
mod supervisor;
mod target;
mod targets;
mod watchdog;

pub use engine::Engine;
pub use options::Effort;
pub use outcome::Outcome;
pub use program::run_program;
pub use target::{Target, TargetEntry};
pub use targets::TARGETS;
