//! The catalog as tools for AI assistants: what they can call, read and be prompted with.
//!
//! Tools answer from the same snapshot, by the same functions, as the HTTP interface; this crate
//! only translates. `call` runs a tool, `handler` speaks the protocol through the official SDK.
//! Whoever has a transport, standard input and output or HTTP, puts [`ToolServer`] behind it.

mod arguments;
mod call;
mod definition;
mod handler;
mod message;
mod prompts;
mod resources;
mod schema;

pub use call::Returned;
pub use definition::CatalogTool;
pub use handler::{RESULT_BYTES, ToolServer};
pub use message::message_fault;
