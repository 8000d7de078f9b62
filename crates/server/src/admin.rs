//! Uploads: how fresh catalog data comes in; and the webhooks that tell of it. Not part of the public
//! interface.

mod access;
mod hook_refusal;
mod hooks;
mod labels;
mod outcome;
mod records;
mod refusal;
mod resources;
mod sources;
mod upload;
mod work;

pub(crate) use hooks::{
    DELIVERIES_ROUTE, ENABLE_ROUTE, HOOK_ROUTE, HOOKS_ROUTE, REPLAY_ROUTE, TEST_ROUTE,
};
pub(crate) use labels::{RESOLVED_ROUTE, UNRESOLVED_ROUTE};
pub(crate) use records::{RECORD_ROUTE, RECORDS_ROUTE};
pub(crate) use sources::{SOURCE_ROUTE, SOURCES_ROUTE};
