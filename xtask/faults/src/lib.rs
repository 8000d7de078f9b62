//! The proof by faults.
//!
//! Servers run as they do in production, and get uploads and reads all the time. Meanwhile, the
//! servers and their database are killed with SIGKILL and paused with SIGSTOP. The faults and the
//! uploads follow from a seed. Afterwards every acknowledged upload is present, all servers serve the
//! same bytes, and no answer ever mixed two revisions. A run that finds anything else fails with a
//! [`Finding`].

#![cfg(target_os = "linux")]

mod casks;
mod check;
mod client;
mod database;
mod database_faults;
mod failover;
mod full_disk;
mod kills;
mod mirrors;
mod model;
mod observed;
mod processes;
mod reader;
mod records;
mod replay;
mod replica;
mod replica_faults;
mod replicas;
mod report;
mod run;
mod small_disk;
mod tally;
mod upload;
mod workload;

pub use failover::{FailoverPlan, FailoverReport, fail_over};
pub use full_disk::{DiskReport, fill_disk};
pub use kills::{KillPlan, KillReport, kill_during_uploads};
pub use mirrors::disturb_mirrors;
pub use replicas::disturb_replicas;
pub use report::{ReplicaPlan, ReplicaReport};

use thiserror::Error;

/// What must not happen, and did. Or why the run could not go on.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Finding(String);

impl Finding {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl From<std::io::Error> for Finding {
    fn from(error: std::io::Error) -> Self {
        Self(format!("the run cannot go on: {error}"))
    }
}

impl From<reqwest::Error> for Finding {
    fn from(error: reqwest::Error) -> Self {
        Self(format!("an undisturbed server did not answer: {error:?}"))
    }
}

impl From<serde_json::Error> for Finding {
    fn from(error: serde_json::Error) -> Self {
        Self(format!("an answer is not the expected JSON: {error}"))
    }
}

impl From<tokio::task::JoinError> for Finding {
    fn from(error: tokio::task::JoinError) -> Self {
        Self(format!("a part of the run failed: {error}"))
    }
}
