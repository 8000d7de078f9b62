//! The reads: everything that is answered from the snapshot, on either wire.
//!
//! One file per endpoint or per few that belong together, with their routes and their description for the OpenAPI document. An endpoint
//! returns a representation; `dispatch` turns that into a response, with the condition, the
//! encoding and the header fields that all of them have in common.

pub(crate) mod app;
pub(crate) mod catalog_files;
pub(crate) mod changes;
pub(crate) mod compare_versions;
mod compression;
pub(crate) mod condition;
mod dispatch;
mod document;
pub(crate) mod exports;
mod failure;
pub(crate) mod feeds;
pub(crate) mod find_alias;
pub(crate) mod generate_label;
pub(crate) mod health;
pub(crate) mod list_apps;
pub(crate) mod list_drift;
pub(crate) mod metrics;
pub(crate) mod negotiate;
pub(crate) mod openapi;
mod paging;
pub(crate) mod patch_source;
pub(crate) mod ready;
mod resource;
pub(crate) mod search;
pub(crate) mod sources;
pub(crate) mod stats;
pub(crate) mod title_codes;

pub(crate) use dispatch::{answer, prefers_page};
pub(crate) use failure::failure;
pub(crate) use resource::ReadResult;
