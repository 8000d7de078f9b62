//! The reads: everything that is answered from the snapshot, on either wire.
//!
//! One file per endpoint, with its route and its description for the OpenAPI document. An endpoint
//! turns what is asked into a reply; `dispatch` turns that into an answer, with the condition, the
//! encoding and the header fields that all of them have in common.

pub(crate) mod app_details;
pub(crate) mod app_drift;
pub(crate) mod app_history;
pub(crate) mod app_provenance;
pub(crate) mod app_sources;
pub(crate) mod changes;
pub(crate) mod compare_versions;
mod compression;
pub(crate) mod condition;
mod dispatch;
mod document;
pub(crate) mod feeds;
pub(crate) mod find_alias;
pub(crate) mod generate_label;
pub(crate) mod get_app;
pub(crate) mod health;
pub(crate) mod list_apps;
pub(crate) mod list_drift;
pub(crate) mod metrics;
pub(crate) mod negotiate;
pub(crate) mod openapi;
mod paging;
pub(crate) mod query;
pub(crate) mod ready;
mod resource;
pub(crate) mod search;
pub(crate) mod sources;
pub(crate) mod stats;
pub(crate) mod title_codes;

pub(crate) use dispatch::{answer, failure, prefers_page};
pub(crate) use paging::PageWindow;
pub(crate) use resource::ReadOutcome;
