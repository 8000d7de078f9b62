//! What a run of a target came to.

use serde::{Deserialize, Serialize};

/// What a run of one target came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The target.
    pub target: String,
    /// How many inputs were run.
    pub executions: u64,
    /// How long that took, in seconds.
    pub seconds: f64,
    /// The time of the slowest execution, in microseconds.
    pub slowest_us: u64,
    /// The most memory of an execution, in bytes.
    pub peak_bytes: u64,
    /// How many branches were reached; 0 without coverage.
    pub reached: usize,
    /// How many inputs are kept because they reach a branch that none before did.
    pub kept: usize,
    /// The failures, one for each cause.
    pub failures: Vec<String>,
}
