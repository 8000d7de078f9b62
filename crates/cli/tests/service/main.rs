//! Tests of the binary over real sockets: every row of the specification and every decision.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod applying_uploads;
mod caching;
mod client_examples;
mod command_line;
mod crash;
mod details;
mod documents;
mod drift;
mod errors;
mod explaining_labels;
mod faults;
mod findings;
mod kept_catalog;
mod known_names;
mod label_fragments;
mod label_versions;
mod labels;
mod listing;
mod one_revision;
mod paging_walk;
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
mod shared_store;
mod source_state;
mod sources;
mod support;
mod tool_clients;
mod tools;
mod two_ways;
mod unavailable_server;
mod whole_bodies;
