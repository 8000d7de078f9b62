//! The bytes of responses: a revision prepares them, a connection sends them.
//!
//! Both know this crate and neither knows the other.

mod body_file;
mod payload;

pub use body_file::{BodyFile, FileRange};
pub use payload::{Payload, Slices};
