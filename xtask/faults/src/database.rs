//! A PostgreSQL server that is killed, paused and started again.

use std::{fs, path::PathBuf, sync::Arc, time::Duration};

use appstitch_cluster::Cluster;

use crate::{
    Finding,
    processes::{Signal, send, working_in},
};

pub(crate) struct Database {
    cluster: Cluster,
    pub(crate) url: String,
}

impl Database {
    /// Starts a server with an empty database.
    pub(crate) async fn start() -> Result<Self, Finding> {
        let started = tokio::task::spawn_blocking(|| {
            let cluster = Cluster::start();
            let url = cluster.database("catalog");
            Self { cluster, url }
        });
        Ok(started.await?)
    }

    /// The process that starts all others; `None` while there is none.
    pub(crate) fn main_process(&self) -> Option<u32> {
        let text = fs::read_to_string(self.file("data/postmaster.pid")).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    pub(crate) fn processes(&self) -> Vec<u32> {
        working_in(&self.file("data"))
    }

    /// Sends a signal to all processes.
    pub(crate) fn signal_all(&self, signal: Signal) {
        self.processes().into_iter().for_each(|process| send(process, signal));
    }

    /// Waits until all processes have ended, and removes what a killed server leaves behind. A process
    /// of before must not work beside the next server, so all of them are awaited.
    pub(crate) async fn wait_until_gone(&self) -> Result<(), Finding> {
        let mut tries = 0;
        while !self.processes().is_empty() {
            tries += 1;
            if tries > 6000 {
                return Err(Finding::new("the database does not end"));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for file in ["data/postmaster.pid", ".s.PGSQL.5432.lock", ".s.PGSQL.5432"] {
            // A server that was stopped has removed them.
            let _ = fs::remove_file(self.file(file));
        }
        Ok(())
    }

    /// Starts the server after it has ended.
    pub(crate) async fn start_again(self: &Arc<Self>) -> Result<(), Finding> {
        let database = Arc::clone(self);
        Ok(tokio::task::spawn_blocking(move || database.cluster.start_again()).await?)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.cluster.folder().join(name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A paused server cannot be stopped.
        self.signal_all(Signal::CONT);
    }
}
