//! Uploads: how fresh catalog data comes in. Not part of the public interface.

mod access;
mod labels;
mod outcome;
mod records;
mod refusal;
mod resources;
mod sources;
mod upload;
mod work;

pub(crate) use labels::{RESOLVED_ROUTE, UNRESOLVED_ROUTE};
pub(crate) use records::{RECORD_ROUTE, RECORDS_ROUTE};
pub(crate) use sources::{SOURCE_ROUTE, SOURCES_ROUTE};
