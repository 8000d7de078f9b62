//! Uploads: how fresh catalog data comes in; and the webhooks that report it. Not part of the public
//! interface.

mod access;
mod hook_rejection;
mod hooks;
mod labels;
mod records;
mod rejection;
mod resources;
mod shared;
mod sources;
mod upload;
mod work;

pub(crate) use hooks::{
    DELIVERIES_ROUTE, ENABLE_ROUTE, HOOK_ROUTE, HOOKS_ROUTE, REPLAY_ROUTE, TEST_ROUTE,
};
pub(crate) use labels::{RESOLVED_ROUTE, UNRESOLVED_ROUTE};
pub(crate) use records::{RECORD_ROUTE, RECORDS_ROUTE};
pub(crate) use sources::{SOURCE_ROUTE, SOURCES_ROUTE};
