//! Runs many labels with the live network.
//!
//! [`run_labels`] runs labels side by side, oldest first, until all are done or the time is over.
//! They share one [`LiveNetwork`]: it asks each address once, spares the hosts, never connects to
//! private addresses, and asks for changes only if the store has an earlier answer.
//!
//! Nothing is published here. The caller decides what to do with the values.

mod cache;
mod failed_hosts;
mod hosts;
mod label;
mod label_network;
mod live;
mod network_report;
mod options;
mod order;
mod recording;
mod remember;
mod request_key;
mod retry;
mod run;
mod secret;
mod shared;

pub use label::{ArchitectureRun, LabelRun, LabelToRun, RunReport, mac_today, run_on};
pub use label_network::LabelNetwork;
pub use live::LiveNetwork;
pub use network_report::NetworkReport;
pub use options::LiveOptions;
pub use order::with_last_runs;
pub use run::{Counts, Event, run_labels, run_labels_until};
pub use secret::Secret;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum ResolverError {
    #[error("cannot set up the HTTP client: {0}")]
    Client(#[from] appstitch_network::FetchError),
    #[error("'{0}' is not the address of an API host; use https://HOST")]
    ApiHost(String),
}
