//! The tools over HTTP: `mount` puts the tool server under `/mcp`, `access` checks who may reach
//! it, `direct` answers plain tool calls without the detour through the SDK, and `held_answer` keeps
//! the memory of large answers reserved until they are sent.

mod access;
mod direct;
mod held_answer;
mod mount;

pub use access::ToolAccess;

pub(crate) use mount::ToolMount;
