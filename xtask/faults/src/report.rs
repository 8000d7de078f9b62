//! What a run with several servers is to do, and what it reports.

use std::{fmt, path::PathBuf, time::Duration};

use crate::tally::Counts;

#[derive(Debug, Clone)]
pub struct ReplicaPlan {
    pub program: PathBuf,
    pub seed: u64,
    pub time: Duration,
    pub prints: bool,
}

#[derive(Debug)]
pub struct ReplicaReport {
    pub counts: Counts,
    /// The number of changes in the journal at the end.
    pub changes: u64,
    /// How long the servers took to serve the same revision after the last fault.
    pub convergence: Duration,
}

impl fmt::Display for ReplicaReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { acknowledged, refused, unknown, responses, faults, longest_gap } =
            &self.counts;
        let total: u64 = faults.values().sum();
        writeln!(
            formatter,
            "uploads: {acknowledged} acknowledged, {refused} refused, {unknown} unknown"
        )?;
        writeln!(formatter, "answers checked: {responses}")?;
        writeln!(formatter, "faults: {total}")?;
        for (kind, count) in faults {
            writeln!(formatter, "  {count:5}  {kind}")?;
        }
        writeln!(
            formatter,
            "longest time without an acknowledged upload: {:.1} s",
            longest_gap.as_secs_f64()
        )?;
        writeln!(
            formatter,
            "all servers served the same revision {:.2} s after the last fault",
            self.convergence.as_secs_f64()
        )?;
        write!(formatter, "changes in the journal, without a gap: {}", self.changes)
    }
}
