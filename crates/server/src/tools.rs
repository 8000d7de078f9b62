//! The tools over HTTP: `mount` puts the tool server under `/mcp`, `access` checks who may reach
//! it, and `direct` answers plain tool calls without the detour through the SDK.

mod access;
mod direct;
mod mount;

pub use access::ToolAccess;

pub(crate) use mount::ToolMount;
