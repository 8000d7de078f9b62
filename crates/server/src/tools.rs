//! The tool server: what an AI assistant can call, read and be prompted with.
//!
//! Tools answer from the same snapshot, by the same functions, as the HTTP interface; this room
//! only translates. `call` runs a tool, `handler` speaks the protocol through the official SDK,
//! `mount` puts it under `/mcp`, and `direct` answers plain tool calls there without the detour.

mod access;
mod arguments;
mod call;
mod definition;
mod direct;
mod handler;
mod message;
mod mount;
mod prompts;
mod resources;
mod schema;

pub use access::ToolAccess;
pub use handler::ToolServer;
pub use message::fault as message_fault;

pub(crate) use mount::ToolMount;
