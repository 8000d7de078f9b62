//! What all parts of a run share.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use appstitch_hostile::Chance;

use crate::{
    Finding,
    client::Client,
    replica::{Launch, Replica},
    tally::Tally,
};

/// How many servers use one database.
pub(crate) const REPLICAS: usize = 3;

pub(crate) struct Run {
    pub(crate) client: Client,
    pub(crate) replicas: Vec<Replica>,
    /// How many of them take uploads.
    writable: usize,
    pub(crate) tally: Tally,
    is_ending: AtomicBool,
    started: Instant,
    prints: bool,
}

impl Run {
    /// Starts servers on one store, with their logs in a folder.
    pub(crate) async fn start(
        program: &Path,
        store: &str,
        folder: &Path,
        prints: bool,
    ) -> Result<Arc<Self>, Finding> {
        let replica = |number: usize| {
            let command = vec![program.display().to_string()];
            let log = folder.join(format!("server-{number}.log"));
            Replica::new(format!("server {number}"), Launch::new(command, store.to_owned(), log))
        };
        Self::of((1..=REPLICAS).map(replica).collect(), REPLICAS, prints).await
    }

    /// Starts servers of which the first ones take uploads.
    pub(crate) async fn of(
        replicas: Vec<Replica>,
        writable: usize,
        prints: bool,
    ) -> Result<Arc<Self>, Finding> {
        for replica in &replicas {
            replica.start().await?;
        }
        Ok(Arc::new(Self {
            client: Client::new()?,
            replicas,
            writable,
            tally: Tally::new(),
            is_ending: AtomicBool::new(false),
            started: Instant::now(),
            prints,
        }))
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// One that takes uploads.
    pub(crate) fn any_writable(&self, chance: &mut Chance) -> &Replica {
        &self.replicas[chance.below(self.writable)]
    }

    pub(crate) fn is_mirror(&self, number: usize) -> bool {
        number >= self.writable
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

/// Does work in a new folder, which is kept if the work fails.
pub(crate) async fn in_new_folder<T>(
    work: impl AsyncFnOnce(&Path) -> Result<T, Finding>,
) -> Result<T, Finding> {
    let folder = tempfile::tempdir()?;
    let result = work(folder.path()).await;
    if result.is_err() {
        eprintln!("the logs are kept in {}", folder.keep().display());
    }
    result
}
