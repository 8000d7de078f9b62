//! The appstitch service: the HTTP interface, the tools over HTTP, and the uploads.
//!
//! Every connection starts on the fast path (`fast_path`), which answers reads straight from and
//! to the connection's bytes. Everything else goes to the HTTP library (`library`). Both fill the
//! same struct with what is asked and print the same struct with what is answered (`message`); one
//! function in between answers (`reads`). The routes are one table (`routes`).

mod admin;
mod aside;
mod client_address;
mod connection;
mod docs;
mod fast_path;
mod http_error;
#[doc(hidden)]
pub mod inspect;
mod inventory;
mod library;
mod limits;
mod listen;
mod local;
mod mcp;
mod memory;
mod message;
mod metrics;
mod once_a_minute;
mod open_files;
mod openapi;
mod pages;
mod parts;
mod places;
mod reads;
mod request_body;
mod request_id;
mod request_shares;
mod response;
mod route;
mod routes;
mod serve;
mod service;
mod slow_reader;
mod split;
mod tools;
mod trusted_proxies;
mod upload_queue;
mod waiting;

#[cfg(test)]
mod instructions;

pub use appstitch_feeds::{Links, PublicUrlError};
pub use appstitch_hooks::Hooks;
pub use limits::Limits;
pub use listen::listen;
pub use local::{LocalAnswer, LocalService};
pub use open_files::raise_open_files;
pub use openapi::openapi_document;
pub use parts::DeployToken;
pub use serve::serve;
pub use service::Service;
pub use tools::ToolAccess;
pub use trusted_proxies::TrustedProxies;
pub use waiting::answer_while_waiting;
