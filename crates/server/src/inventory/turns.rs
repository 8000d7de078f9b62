//! Checks of inventories take turns.
//!
//! Few are worked on at a time, so that reads do not wait for them. A check that takes long lets others
//! go first now and then, so a list of one app never waits for somebody's hundred thousand. Clients take
//! turns, however many lists each of them has.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use appstitch_wire::ClientAddress;
use tokio::{sync::oneshot, time::timeout};

/// How long a check works before it lets others go first.
const SLICE: Duration = Duration::from_millis(10);

/// How many checks may have begun, of everybody and of one client. Each has a thread and memory.
const MOST_BEGUN: usize = 64;
const MOST_BEGUN_OF_CLIENT: usize = 4;

/// Whose check it is. All that are not known count as one.
type Owner = Option<ClientAddress>;

/// The checks that are worked on or wait.
#[derive(Debug)]
pub(crate) struct CheckTurns {
    /// How many may wait to begin.
    room: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// How many more may be worked on.
    free: usize,
    begun: HashMap<Owner, usize>,
    all_begun: usize,
    waiting: Lines<Turn>,
    /// Those that have begun and let others go first.
    paused: Lines<Slot>,
    /// Whether a check that has not begun goes first. They alternate with those that have.
    prefers_new: bool,
}

/// A line for each client.
#[derive(Debug)]
struct Lines<T> {
    of_client: HashMap<Owner, VecDeque<oneshot::Sender<T>>>,
    /// The clients, next first.
    order: VecDeque<Owner>,
    length: usize,
}

/// The turn of a check. The next one gets it when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    begun: Begun,
    slot: Option<Slot>,
    since: Instant,
}

/// A check that has begun and is not done.
#[derive(Debug)]
struct Begun {
    turns: Arc<CheckTurns>,
    owner: Owner,
}

/// The right to work.
#[derive(Debug)]
struct Slot(Arc<CheckTurns>);

impl CheckTurns {
    /// Lets so many checks be worked on at a time, and so many wait to begin.
    pub(crate) fn new(at_once: usize, room: usize) -> Arc<Self> {
        let state = State {
            free: at_once.max(1),
            begun: HashMap::new(),
            all_begun: 0,
            waiting: Lines::default(),
            paused: Lines::default(),
            prefers_new: true,
        };
        Arc::new(Self { room, state: Mutex::new(state) })
    }

    /// Waits for a turn; `None` if too many wait, or after this time.
    pub(crate) async fn begin(self: &Arc<Self>, owner: Owner, time: Duration) -> Option<Turn> {
        let (send, receive) = oneshot::channel();
        self.state().wait(owner, send, self.room);
        self.hand_out();
        timeout(time, receive).await.ok()?.ok()
    }

    /// Lets those work whose turn it is.
    fn hand_out(self: &Arc<Self>) {
        // Whoever no longer waits drops what it gets, which locks the state again.
        loop {
            let next = self.state().next();
            match next {
                None => return,
                Some(Next::New(owner, send)) => {
                    let begun = Begun { turns: Arc::clone(self), owner };
                    let slot = Some(Slot(Arc::clone(self)));
                    drop(send.send(Turn { begun, slot, since: Instant::now() }));
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

/// Who works next.
enum Next {
    New(Owner, oneshot::Sender<Turn>),
    Paused(oneshot::Sender<Slot>),
}

impl State {
    /// Adds a check that has not begun. If there is no room, the newest of the client that has the most
    /// gives way, so that a few clients cannot shut out the others. Whoever gives way hears of it.
    fn wait(&mut self, owner: Owner, send: oneshot::Sender<Turn>, room: usize) {
        self.waiting.forget_gone();
        self.waiting.push(owner, send);
        if self.waiting.length > room {
            self.waiting.drop_newest_of_most();
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
            self.prefers_new = matches!(next, Next::Paused(_)) || self.paused.length == 0;
        }
        next
    }

    fn next_new(&mut self) -> Option<Next> {
        if self.all_begun >= MOST_BEGUN {
            return None;
        }
        let begun = |owner: &Owner| self.begun.get(owner).copied().unwrap_or_default();
        let (owner, send) = self.waiting.pop(|owner| begun(owner) < MOST_BEGUN_OF_CLIENT)?;
        *self.begun.entry(owner).or_default() += 1;
        self.all_begun += 1;
        Some(Next::New(owner, send))
    }

    fn next_paused(&mut self) -> Option<Next> {
        self.paused.pop(|_| true).map(|(_, send)| Next::Paused(send))
    }
}

impl<T> Default for Lines<T> {
    fn default() -> Self {
        Self { of_client: HashMap::new(), order: VecDeque::new(), length: 0 }
    }
}

impl<T> Lines<T> {
    fn push(&mut self, owner: Owner, send: oneshot::Sender<T>) {
        let line = self.of_client.entry(owner).or_default();
        if line.is_empty() {
            self.order.push_back(owner);
        }
        line.push_back(send);
        self.length += 1;
    }

    /// The oldest of the next client that may have a turn.
    fn pop(&mut self, may: impl Fn(&Owner) -> bool) -> Option<(Owner, oneshot::Sender<T>)> {
        let owner = self.order.remove(self.order.iter().position(may)?)?;
        let line = self.of_client.get_mut(&owner)?;
        let send = line.pop_front()?;
        self.length -= 1;
        if line.is_empty() {
            self.of_client.remove(&owner);
        } else {
            self.order.push_back(owner);
        }
        Some((owner, send))
    }

    fn drop_newest_of_most(&mut self) {
        let Some((owner, line)) = self.of_client.iter_mut().max_by_key(|(_, line)| line.len())
        else {
            return;
        };
        let owner = *owner;
        line.pop_back();
        self.length -= 1;
        if line.is_empty() {
            self.of_client.remove(&owner);
            self.order.retain(|other| *other != owner);
        }
    }

    /// Removes those that no longer wait.
    fn forget_gone(&mut self) {
        self.of_client.retain(|_, line| {
            line.retain(|send| !send.is_closed());
            !line.is_empty()
        });
        self.order.retain(|owner| self.of_client.contains_key(owner));
        self.length = self.of_client.values().map(VecDeque::len).sum();
    }
}

impl Turn {
    /// Lets others go first if it is time to. Blocks until it is this check's turn again.
    pub(crate) fn pause(&mut self) {
        if self.since.elapsed() < SLICE {
            return;
        }
        let turns = Arc::clone(&self.begun.turns);
        let receive = {
            let mut state = turns.state();
            let is_alone = state.waiting.length == 0 && state.paused.length == 0;
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
            let mut state = self.turns.state();
            state.all_begun -= 1;
            if let Some(begun) = state.begun.get_mut(&self.owner) {
                *begun -= 1;
                if *begun == 0 {
                    state.begun.remove(&self.owner);
                }
            }
        }
        self.turns.hand_out();
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
    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    const fn client(number: u32) -> ClientAddress {
        ClientAddress::V4(number)
    }

    /// Waits until so many checks wait to begin.
    async fn until_waiting(turns: &CheckTurns, count: usize) {
        while turns.state().waiting.length != count {
            tokio::task::yield_now().await;
        }
    }

    fn begin(
        turns: &Arc<CheckTurns>,
        client: ClientAddress,
    ) -> tokio::task::JoinHandle<Option<Turn>> {
        let turns = Arc::clone(turns);
        tokio::spawn(async move { turns.begin(Some(client), PATIENCE).await })
    }

    #[tokio::test]
    async fn clients_take_turns_and_the_one_with_most_gives_way() {
        let turns = CheckTurns::new(1, 3);
        let first = turns.begin(Some(client(1)), PATIENCE).await.unwrap();
        let mut greedy = Vec::new();
        for number in 1..=3 {
            greedy.push(begin(&turns, client(1)));
            until_waiting(&turns, number).await;
        }
        let other = begin(&turns, client(2));
        assert!(greedy.pop().unwrap().await.unwrap().is_none(), "the newest gives way");
        drop(first);
        let oldest = greedy.remove(0).await.unwrap().unwrap();
        drop(oldest);
        let other = other.await.unwrap().unwrap();
        assert!(!greedy[0].is_finished(), "the other client is next");
        drop(other);
        drop(greedy.remove(0).await.unwrap().unwrap());
        let state = turns.state();
        assert_eq!((state.free, state.all_begun, state.waiting.length), (1, 0, 0));
        assert!(state.begun.is_empty() && state.waiting.order.is_empty());
    }

    #[tokio::test]
    async fn a_check_that_takes_long_lets_others_go_first() {
        let turns = CheckTurns::new(1, 3);
        let mut long = turns.begin(Some(client(1)), PATIENCE).await.unwrap();
        long.pause();
        assert!(long.slot.is_some(), "there is nobody else");
        let short = begin(&turns, client(2));
        until_waiting(&turns, 1).await;
        let long = tokio::task::spawn_blocking(move || {
            long.since -= SLICE;
            long.pause();
            long
        });
        drop(short.await.unwrap().unwrap());
        let long = long.await.unwrap();
        assert!(long.slot.is_some(), "it goes on");
        drop(long);
        assert_eq!(turns.state().free, 1);
    }

    #[tokio::test]
    async fn whoever_no_longer_waits_keeps_nobody_waiting() {
        let turns = CheckTurns::new(1, 1);
        let first = turns.begin(Some(client(1)), PATIENCE).await.unwrap();
        assert!(turns.begin(Some(client(2)), Duration::ZERO).await.is_none(), "the time is up");
        let next = begin(&turns, client(3));
        until_waiting(&turns, 1).await;
        drop(first);
        assert!(next.await.unwrap().is_some());
        assert_eq!(turns.state().free, 1);
    }
}
