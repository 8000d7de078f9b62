//! Makes up labels and answers of servers that an interpreter must survive: every construct and
//! command that labels use, put together at random, and texts with random mistakes in them.
//!
//! Everything follows from one number, so that a failure can be repeated.

mod cases;
mod chance;
mod commands;
mod functions;
mod labels;
mod mutation;
mod responses;

pub use cases::{Case, cases};
pub use chance::Chance;
pub use functions::{HOSTILE_FUNCTIONS, function};
pub use labels::label;
pub use mutation::mutated;
pub use responses::{Response, responses};
