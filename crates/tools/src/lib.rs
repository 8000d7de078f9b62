//! The catalog as tools, resources and prompts for AI assistants.
//!
//! Tools read the same snapshot through the same functions as the HTTP API; this crate only
//! translates. `call` runs a tool; `handler` implements the protocol with the official SDK. The
//! crate has no transport: the caller connects [`ToolServer`] to standard input and output or to
//! HTTP.

mod arguments;
mod call;
mod definition;
mod handler;
mod inventory;
mod message;
mod parameters;
mod prompts;
mod resources;
mod schema;
mod unique_keys;

pub use definition::{CatalogTool, ToolOutput};
pub use handler::{RESULT_BYTES, ToolServer};
pub use message::{error_response, message_fault, message_id};
pub use unique_keys::UniqueKeys;
