//! Limits for work on foreign data, so that it cannot exhaust the process.
//!
//! A [`Budget`] limits one piece of work, such as reading one file or evaluating one label: bytes,
//! steps, nesting, rows, problems kept, requests and time. A [`Pool`] limits the bytes of everything
//! that happens at the same time; a budget can draw from it. Whatever exceeds a limit ends with an
//! [`Exceeded`] that names the limit.

mod budget;
mod exceeded;
mod limits;
mod pool;
mod shortened;

pub use budget::{Budget, Used};
pub use exceeded::Exceeded;
pub use limits::Limits;
pub use pool::{Pool, Reserved};
pub use shortened::shortened;
