//! The table of targets.
//!
//! A parser of foreign bytes that is not here is not fuzzed: add a file with a `TARGET` and a line.

mod addresses;
mod answers;
mod archives;
mod backups;
mod carried_files;
mod casks;
mod generated_label;
mod if_none_match;
mod inventories;
mod json_rpc;
mod labels;
mod lookups;
mod made_up_json;
mod packed_files;
mod patch_titles;
mod query_strings;
mod recipes;
mod records;
mod request_heads;
mod resolved_labels;
mod sample_service;
mod store_listings;
mod title_table;
mod titles;
mod upstream_files;
mod versions;

use crate::target::TargetEntry;

/// Every target, by the way of its bytes into the service.
pub static TARGETS: &[&TargetEntry] = &[
    &labels::TARGET,
    &answers::TARGET,
    &archives::TARGET,
    &packed_files::TARGET,
    &casks::TARGET,
    &recipes::TARGET,
    &title_table::TARGET,
    &titles::TARGET,
    &patch_titles::TARGET,
    &store_listings::TARGET,
    &records::TARGET,
    &resolved_labels::TARGET,
    &inventories::TARGET,
    &versions::TARGET,
    &addresses::TARGET,
    &request_heads::TARGET,
    &query_strings::TARGET,
    &if_none_match::TARGET,
    &lookups::TARGET,
    &json_rpc::TARGET,
    &backups::TARGET,
    &carried_files::TARGET,
];
