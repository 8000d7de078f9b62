//! What all parts of a run share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use appstitch_hostile::Chance;

use crate::{Finding, client::Client, replica::Replica, tally::Tally};

/// The servers of a run, and what happens to them.
pub(crate) struct Run {
    pub(crate) client: Client,
    pub(crate) replicas: Vec<Replica>,
    pub(crate) tally: Tally,
    is_ending: AtomicBool,
    started: Instant,
    /// Whether every fault is printed.
    prints: bool,
}

impl Run {
    pub(crate) fn new(replicas: Vec<Replica>, prints: bool) -> Result<Arc<Self>, Finding> {
        Ok(Arc::new(Self {
            client: Client::new()?,
            replicas,
            tally: Tally::new(),
            is_ending: AtomicBool::new(false),
            started: Instant::now(),
            prints,
        }))
    }

    /// Whether everybody has to come to an end.
    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// Any of the servers.
    pub(crate) fn any_replica(&self, chance: &mut Chance) -> &Replica {
        &self.replicas[chance.below(self.replicas.len())]
    }

    /// Counts a fault, and prints it with the time.
    pub(crate) fn tell_fault(&self, kind: &'static str, details: &str) {
        self.tally.count_fault(kind);
        if self.prints {
            println!("{:8.2} s  {kind}{details}", self.started.elapsed().as_secs_f64());
        }
    }

    /// Sleeps, but not beyond the end.
    pub(crate) async fn rest(&self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && !self.is_ending() {
            tokio::time::sleep(Duration::from_millis(20).min(time)).await;
        }
    }
}

/// A time between two bounds in milliseconds.
pub(crate) fn milliseconds(chance: &mut Chance, least: usize, most: usize) -> Duration {
    let time = least + chance.below(most - least + 1);
    Duration::from_millis(u64::try_from(time).unwrap_or_default())
}
