//! The queue of inventory checks.
//!
//! Few are worked on at a time, so that reads do not wait for them. A check that takes long lets others
//! go first now and then, so a list of one app never waits for one of a hundred thousand. Clients take
//! turns, however many lists each of them has.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use appstitch_wire::{FairQueue, QueueClient};
use tokio::{sync::oneshot, time::timeout};

/// How long a check works before it lets others go first.
const SLICE: Duration = Duration::from_millis(10);

/// How many checks may have begun, in total and of one client. Each has a thread and memory.
const MOST_BEGUN: usize = 64;
const MOST_BEGUN_OF_CLIENT: usize = 4;

/// The checks that are worked on or wait.
#[derive(Debug)]
pub(crate) struct CheckQueue {
    /// How many may wait to begin.
    room: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// How many more may be worked on.
    free: usize,
    begun: HashMap<QueueClient, usize>,
    all_begun: usize,
    waiting: FairQueue<oneshot::Sender<CheckPermit>>,
    /// Those that have begun and let others go first.
    paused: FairQueue<oneshot::Sender<Slot>>,
    /// Whether a check that has not begun goes first. They alternate with those that have.
    prefers_new: bool,
}

/// Permission to work on a check. The next one gets it when this is dropped.
#[derive(Debug)]
pub(crate) struct CheckPermit {
    begun: Begun,
    slot: Option<Slot>,
    since: Instant,
}

#[derive(Debug)]
struct Begun {
    queue: Arc<CheckQueue>,
    owner: QueueClient,
}

#[derive(Debug)]
struct Slot(Arc<CheckQueue>);

impl CheckQueue {
    /// At most `at_once` checks are worked on at a time, and at most `room` wait to begin.
    pub(crate) fn new(at_once: usize, room: usize) -> Arc<Self> {
        let state = State {
            free: at_once.max(1),
            begun: HashMap::new(),
            all_begun: 0,
            waiting: FairQueue::default(),
            paused: FairQueue::default(),
            prefers_new: true,
        };
        Arc::new(Self { room, state: Mutex::new(state) })
    }

    /// Waits for a turn; `None` if too many wait, or after this time.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        owner: QueueClient,
        time: Duration,
    ) -> Option<CheckPermit> {
        let (send, receive) = oneshot::channel();
        self.state().wait(owner, send, self.room);
        self.hand_out();
        timeout(time, receive).await.ok()?.ok()
    }

    /// Lets those work whose turn it is.
    fn hand_out(self: &Arc<Self>) {
        // A receiver that is gone drops what it is sent, which locks the state again.
        loop {
            let next = self.state().next();
            match next {
                None => return,
                Some(Next::New(owner, send)) => {
                    let begun = Begun { queue: Arc::clone(self), owner };
                    let slot = Some(Slot(Arc::clone(self)));
                    drop(send.send(CheckPermit { begun, slot, since: Instant::now() }));
                }
                Some(Next::Paused(send)) => drop(send.send(Slot(Arc::clone(self)))),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change of the state is whole before anything else can fail.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Next {
    New(QueueClient, oneshot::Sender<CheckPermit>),
    Paused(oneshot::Sender<Slot>),
}

impl State {
    /// Adds a check that has not begun. If there is no room, the newest of the client that has the most
    /// is rejected, so that a few clients cannot shut out the others.
    fn wait(&mut self, owner: QueueClient, send: oneshot::Sender<CheckPermit>, room: usize) {
        self.waiting.retain(|send| !send.is_closed());
        self.waiting.push(owner, send);
        if self.waiting.length() > room {
            self.waiting.pop_newest_of_most(0);
        }
    }

    fn next(&mut self) -> Option<Next> {
        if self.free == 0 {
            return None;
        }
        let next = if self.prefers_new {
            self.next_new().or_else(|| self.next_paused())
        } else {
            self.next_paused().or_else(|| self.next_new())
        };
        if let Some(next) = &next {
            self.free -= 1;
            self.prefers_new = matches!(next, Next::Paused(_)) || self.paused.length() == 0;
        }
        next
    }

    fn next_new(&mut self) -> Option<Next> {
        if self.all_begun >= MOST_BEGUN {
            return None;
        }
        let begun = |owner: &QueueClient| self.begun.get(owner).copied().unwrap_or_default();
        let (owner, send) = self.waiting.pop(|owner| begun(owner) < MOST_BEGUN_OF_CLIENT)?;
        *self.begun.entry(owner).or_default() += 1;
        self.all_begun += 1;
        Some(Next::New(owner, send))
    }

    fn next_paused(&mut self) -> Option<Next> {
        self.paused.pop(|_| true).map(|(_, send)| Next::Paused(send))
    }
}

impl CheckPermit {
    /// Lets others go first if it is time to. Blocks until it is this check's turn again.
    pub(crate) fn pause(&mut self) {
        if self.since.elapsed() < SLICE {
            return;
        }
        let queue = Arc::clone(&self.begun.queue);
        let receive = {
            let mut state = queue.state();
            let is_alone = state.waiting.length() == 0 && state.paused.length() == 0;
            (!is_alone).then(|| {
                let (send, receive) = oneshot::channel();
                state.paused.push(self.begun.owner, send);
                receive
            })
        };
        if let Some(receive) = receive {
            self.slot = None;
            self.slot = receive.blocking_recv().ok();
        }
        self.since = Instant::now();
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        {
            let mut state = self.queue.state();
            state.all_begun -= 1;
            if let Some(begun) = state.begun.get_mut(&self.owner) {
                *begun -= 1;
                if *begun == 0 {
                    state.begun.remove(&self.owner);
                }
            }
        }
        self.queue.hand_out();
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.state().free += 1;
        self.0.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use appstitch_wire::ClientAddress;

    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    const ONE: QueueClient = Some(ClientAddress::V4(1));
    const TWO: QueueClient = Some(ClientAddress::V4(2));
    const THREE: QueueClient = Some(ClientAddress::V4(3));

    async fn until_waiting(queue: &CheckQueue, count: usize) {
        while queue.state().waiting.length() != count {
            tokio::task::yield_now().await;
        }
    }

    fn begin(
        queue: &Arc<CheckQueue>,
        client: QueueClient,
    ) -> tokio::task::JoinHandle<Option<CheckPermit>> {
        let queue = Arc::clone(queue);
        tokio::spawn(async move { queue.begin(client, PATIENCE).await })
    }

    #[tokio::test]
    async fn clients_take_turns_and_the_one_with_most_gives_way() {
        let queue = CheckQueue::new(1, 3);
        let first = queue.begin(ONE, PATIENCE).await.unwrap();
        let mut greedy = Vec::new();
        for number in 1..=3 {
            greedy.push(begin(&queue, ONE));
            until_waiting(&queue, number).await;
        }
        let other = begin(&queue, TWO);
        assert!(greedy.pop().unwrap().await.unwrap().is_none(), "the newest gives way");
        drop(first);
        let oldest = greedy.remove(0).await.unwrap().unwrap();
        drop(oldest);
        let other = other.await.unwrap().unwrap();
        assert!(!greedy[0].is_finished(), "the other client is next");
        drop(other);
        drop(greedy.remove(0).await.unwrap().unwrap());
        let state = queue.state();
        assert_eq!((state.free, state.all_begun, state.waiting.length()), (1, 0, 0));
        assert!(state.begun.is_empty());
    }

    #[tokio::test]
    async fn a_check_that_takes_long_lets_others_go_first() {
        let queue = CheckQueue::new(1, 3);
        let mut long = queue.begin(ONE, PATIENCE).await.unwrap();
        long.pause();
        assert!(long.slot.is_some(), "there is nobody else");
        let short = begin(&queue, TWO);
        until_waiting(&queue, 1).await;
        let long = tokio::task::spawn_blocking(move || {
            long.since -= SLICE;
            long.pause();
            long
        });
        drop(short.await.unwrap().unwrap());
        let long = long.await.unwrap();
        assert!(long.slot.is_some(), "it goes on");
        drop(long);
        assert_eq!(queue.state().free, 1);
    }

    #[tokio::test]
    async fn whoever_no_longer_waits_keeps_nobody_waiting() {
        let queue = CheckQueue::new(1, 1);
        let first = queue.begin(ONE, PATIENCE).await.unwrap();
        assert!(queue.begin(TWO, Duration::ZERO).await.is_none(), "the time is up");
        let next = begin(&queue, THREE);
        until_waiting(&queue, 1).await;
        drop(first);
        assert!(next.await.unwrap().is_some());
        assert_eq!(queue.state().free, 1);
    }
}
