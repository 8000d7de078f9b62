//! The appstitch service: the HTTP interface, the tools over HTTP, and the uploads.
//!
//! Connections and bytes are the business of `appstitch-wire`. It hands over what is asked as one plain
//! struct and sends what is answered from another (`endpoints`). The routes are one table (`routes`):
//! reads are answered from the snapshot (`reads`, `pages`), everything else by handlers behind a router
//! (`admin`, `tools`, `inventory`, `docs`).

mod admin;
mod catalog_shelf;
mod check_queue;
mod docs;
mod endpoints;
mod export_shelf;
mod http_error;
#[doc(hidden)]
pub mod inspect;
mod inventory;
mod local;
mod mcp;
mod message;
mod metrics;
mod openapi;
mod pages;
mod parts;
mod patch_settings;
mod prerender;
mod query;
mod reads;
mod response;
mod route;
mod routes;
mod serve;
mod service;
mod tools;
mod upload_queue;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod instructions;

pub use appstitch_feeds::{Links, PublicUrlError};
pub use appstitch_hooks::Hooks;
pub use appstitch_patch_source::DEFAULT_MINIMUM;
pub use appstitch_wire::{Limits, TrustedProxies, answer_while_waiting, listen, raise_open_files};
pub use local::{LocalResponse, LocalService};
pub use openapi::openapi_document;
pub use parts::DeployToken;
pub use patch_settings::PatchSettings;
pub use route::{Export, Exported};
pub use serve::serve;
pub use service::Service;
pub use tools::ToolAccess;
