//! Tests of the binary over real sockets: every row of the specification and every decision.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod accepted_entries;
mod anonymous_requests;
mod applying_uploads;
mod caching;
mod client_examples;
mod command_line;
mod concurrent_findings;
mod crash;
mod details;
mod documents;
mod drift;
mod errors;
mod explaining_labels;
mod faults;
mod file_size_limit;
mod findings;
mod hostile_functions;
mod hostile_uploads;
mod hostile_values;
mod inventory;
mod kept_catalog;
mod known_names;
mod label_fragments;
mod label_versions;
mod labels;
mod listing;
mod look_alikes;
#[cfg(target_os = "linux")]
mod many_connections;
#[cfg(target_os = "linux")]
mod memory_limit;
mod odd_messages;
mod old_revisions;
mod one_revision;
mod paging_walk;
mod proxies;
mod python_client;
mod reading_commands;
mod reading_messages;
mod reading_once;
mod readme;
mod real_data;
mod real_drift;
mod records;
mod refresh;
mod refreshing_files;
mod refusing_uploads;
mod replaying_labels;
mod resolving_labels;
mod running;
mod rust_client;
mod secrets;
mod shared_store;
mod slow_upstreams;
mod source_state;
mod sources;
mod store_files;
mod support;
mod text_rule;
mod tool_clients;
mod tools;
mod two_ways;
mod unavailable_server;
mod whole_bodies;
