//! Threads for reads that are made on demand.
//!
//! A search or a page takes a thousand times as long as a record. On the threads that receive requests,
//! all other requests would wait for it. So there are a few threads for that alone, one per core. What they
//! cannot do at once waits, and clients take turns: a client with one request is next, however many another
//! client has sent. If the queue is full, requests are rejected, first those of the clients with the most.

mod queue;

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    thread,
};

use tokio::{runtime::Handle, sync::oneshot};

use crate::{client_address::ClientAddress, connection_counts::ConnectionCounts};
use queue::Queue;

/// Some work, or its rejection.
type Job = Box<dyn FnOnce(Dispatch) + Send>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dispatch {
    Run,
    /// Others need the room.
    Reject,
}

/// The threads, and what waits for them. They end when this is dropped.
pub(crate) struct Workers(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue<Job>>,
    /// Notified for each job, and at the end.
    arrived: Condvar,
    counts: Arc<ConnectionCounts>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JobError {
    /// The queue is full, or the share of this client.
    NoRoom,
    /// It panicked.
    Failed,
}

impl Workers {
    /// Starts threads, which use a runtime for asynchronous work. At most `waiting` jobs wait,
    /// and at most `waiting_of_client` of one client.
    pub(crate) fn start(
        threads: usize,
        waiting: usize,
        waiting_of_client: usize,
        counts: Arc<ConnectionCounts>,
        runtime: &Handle,
    ) -> io::Result<Self> {
        let queue = Mutex::new(Queue::new(waiting, waiting_of_client));
        let shared = Arc::new(Shared { queue, arrived: Condvar::new(), counts });
        let workers = Self(Arc::clone(&shared));
        for _ in 0..threads.max(1) {
            let (shared, runtime) = (Arc::clone(&shared), runtime.clone());
            thread::Builder::new().name("on-demand".to_owned()).spawn(move || {
                yield_to_receivers();
                let _context = runtime.enter();
                shared.work();
            })?;
        }
        Ok(workers)
    }

    /// Does some work of a client when it is its turn.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Option<ClientAddress>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JobError> {
        let (sender, result) = oneshot::channel();
        let job: Job = Box::new(move |dispatch| {
            // Nobody waits for it if the service has stopped meanwhile.
            if !sender.is_closed() {
                let done =
                    if dispatch == Dispatch::Run { Ok(work()) } else { Err(JobError::NoRoom) };
                let _ = sender.send(done);
            }
        });
        self.0.push(client, job);
        result.await.unwrap_or(Err(JobError::Failed))
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.0.lock().close();
        self.0.arrived.notify_all();
    }
}

impl Shared {
    /// Adds a job, and rejects the one for which there is no room.
    fn push(&self, client: Option<ClientAddress>, job: Job) {
        let mut queue = self.lock();
        let rejected = queue.push(client, job);
        self.counts.waiting_reads.store(queue.len(), Ordering::Relaxed);
        drop(queue);
        self.arrived.notify_one();
        if let Some(rejected) = rejected {
            self.counts.refused_for_work.fetch_add(1, Ordering::Relaxed);
            rejected(Dispatch::Reject);
        }
    }

    fn work(&self) {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.pop() {
                self.counts.waiting_reads.store(queue.len(), Ordering::Relaxed);
                drop(queue);
                // The dropped channel reports a panic. The thread goes on.
                let _ = catch_unwind(AssertUnwindSafe(|| job(Dispatch::Run)));
                queue = self.lock();
            } else if queue.is_closed() {
                return;
            } else {
                queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<Job>> {
        // A job runs without the lock, so nothing is left half changed.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets the threads that receive requests go first if there are too few cores for all.
#[cfg(target_os = "linux")]
fn yield_to_receivers() {
    /// Half of the usual share of a core.
    const NICE: i32 = 3;
    // On Linux, this is about the calling thread alone.
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "cannot lower the priority of a worker");
    }
}

#[cfg(not(target_os = "linux"))]
fn yield_to_receivers() {}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const ONE: Option<ClientAddress> = Some(ClientAddress::V4(1));

    fn workers(threads: usize, waiting: usize, waiting_of_client: usize) -> Workers {
        let counts = Arc::default();
        Workers::start(threads, waiting, waiting_of_client, counts, &Handle::current()).unwrap()
    }

    fn waiting(workers: &Workers) -> usize {
        workers.0.counts.waiting_reads.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn work_is_done_or_rejected() {
        let workers = Arc::new(workers(1, 3, 2));
        assert_eq!(workers.run(ONE, || 7).await, Ok(7));
        let (release, blocked) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel::<()>();
        let busy = Arc::clone(&workers);
        let block = move || {
            begin.send(()).unwrap();
            blocked.recv()
        };
        let first = tokio::spawn(async move { busy.run(ONE, block).await });
        while begun.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        while waiting(&workers) > 0 {
            tokio::task::yield_now().await;
        }
        let mut others: Vec<_> = (0..2)
            .map(|number| {
                let workers = Arc::clone(&workers);
                tokio::spawn(async move { workers.run(ONE, move || number).await })
            })
            .collect();
        while waiting(&workers) < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(workers.run(ONE, || 3).await, Err(JobError::NoRoom), "its share waits");
        release.send(()).unwrap();
        first.await.unwrap().unwrap().unwrap();
        assert_eq!(others.remove(0).await.unwrap(), Ok(0));
        assert_eq!(others.remove(0).await.unwrap(), Ok(1));
    }

    #[tokio::test]
    async fn a_panic_is_reported_and_the_thread_goes_on() {
        let workers = workers(1, 3, 3);
        let failed = workers.run(ONE, || std::panic::resume_unwind(Box::new("on purpose"))).await;
        assert_eq!(failed, Err::<(), _>(JobError::Failed));
        assert_eq!(workers.run(ONE, || 1).await, Ok(1));
    }
}
