//! Connections as they arrive, and those that end with their first answer.
//!
//! Most proxies and many scripts open a connection for each request. Making the runtime wait for
//! such a connection, with a task and a timer of its own, costs more than the request. So new
//! sockets wait in a poll of our own, which the runtime sees as one descriptor. A short answer that
//! ends the connection is sent from here; every other connection is handed on.

use std::{
    collections::VecDeque,
    io,
    mem::MaybeUninit,
    net::{TcpListener, TcpStream},
    os::fd::{AsFd, AsRawFd, OwnedFd},
    sync::Arc,
    time::Duration,
};

use rustix::{
    event::{Timespec, epoll},
    io::Errno,
    net::{SocketFlags, accept_with},
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, Interval, MissedTickBehavior, interval},
};

use super::{
    Opened,
    buffers::{Buffers, Unsent},
    exchange::{ExchangeStep, Moment},
    first_read::FirstRead,
    socket,
};
use crate::service::Service;

/// How many sockets are looked at before others get a turn.
const AT_ONCE: usize = 64;

/// How often silent connections are looked for: this many times within their time limit.
const LOOKS: u32 = 4;

/// Sockets that wait for their first request.
pub(crate) struct Arrivals {
    listener: TcpListener,
    poll: AsyncFd<OwnedFd>,
    places: Arc<Semaphore>,
    /// A place that was waited for.
    spare: Option<OwnedSemaphorePermit>,
    /// By their descriptors.
    waiting: Vec<Option<Waiting>>,
    waiting_count: usize,
    accepting: Accepting,
    first_read: FirstRead,
    /// Connections that need the runtime.
    opened: VecDeque<(Opened, OwnedSemaphorePermit)>,
    /// For whichever socket is looked at.
    buffers: Buffers,
    /// The descriptors of the sockets that have something to read; kept for its memory.
    ready: Vec<u64>,
    patience: Duration,
    looks: Interval,
}

/// A connection that has not sent anything.
struct Waiting {
    socket: TcpStream,
    place: OwnedSemaphorePermit,
    since: Instant,
}

/// Whether new connections are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accepting {
    Yes,
    /// All places are taken.
    Full,
    /// Accepting failed, for example because of too many open files; it is tried again later.
    Failed,
}

/// How a connection goes on after its first request.
enum Afterwards {
    Ended,
    /// With the rest of the answer, if there is one.
    GoesOn(Option<Unsent>),
}

impl Arrivals {
    pub(crate) fn new(
        listener: tokio::net::TcpListener,
        places: Arc<Semaphore>,
        patience: Duration,
    ) -> io::Result<Self> {
        let listener = listener.into_std()?;
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        watch(&poll, &listener)?;
        let mut looks = interval((patience / LOOKS).max(Duration::from_millis(10)));
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        #[expect(
            deprecated,
            reason = "sound for a descriptor that is owned; its successor is unsafe to call"
        )]
        let poll = AsyncFd::with_interest(poll, Interest::READABLE)?;
        Ok(Self {
            listener,
            poll,
            places,
            spare: None,
            waiting: Vec::new(),
            waiting_count: 0,
            accepting: Accepting::Yes,
            first_read: FirstRead::default(),
            opened: VecDeque::new(),
            buffers: Buffers::default(),
            ready: Vec::new(),
            patience,
            looks,
        })
    }

    /// The next connection that needs the runtime, and its place.
    pub(crate) async fn next(
        &mut self,
        service: &Service,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) -> (Opened, OwnedSemaphorePermit) {
        loop {
            if let Some(opened) = self.opened.pop_front() {
                return opened;
            }
            let is_full = self.accepting == Accepting::Full;
            let looks = self.waiting_count > 0 || self.accepting == Accepting::Failed;
            tokio::select! {
                biased;
                ready = self.poll.readable() => {
                    if let Ok(mut ready) = ready {
                        find_ready(ready.get_inner(), &mut self.ready);
                        // The runtime reports only what becomes ready from now on. Our poll also
                        // reports what is left: more connections to accept, or more sockets.
                        let listener = descriptor_number(&self.listener);
                        if self.ready.len() < AT_ONCE && !self.ready.contains(&listener) {
                            ready.clear_ready();
                        }
                        drop(ready);
                        self.look_at_ready(service, is_stopping);
                    }
                }
                place = Arc::clone(&self.places).acquire_owned(), if is_full => {
                    self.spare = place.ok();
                    self.accept_again();
                }
                _ = self.looks.tick(), if looks => {
                    self.close_silent();
                    if self.accepting == Accepting::Failed {
                        self.accept_again();
                    }
                }
            }
        }
    }

    /// Looks at everything once more, and returns what needs the runtime. Nothing more is accepted.
    pub(crate) fn last(
        mut self,
        service: &Service,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) -> VecDeque<(Opened, OwnedSemaphorePermit)> {
        let listener = descriptor_number(&self.listener);
        find_ready(self.poll.get_ref(), &mut self.ready);
        self.ready.retain(|socket| *socket != listener);
        self.look_at_ready(service, is_stopping);
        self.opened
    }

    fn look_at_ready(&mut self, service: &Service, is_stopping: &(dyn Fn() -> bool + Sync)) {
        let listener = descriptor_number(&self.listener);
        let mut ready = std::mem::take(&mut self.ready);
        for socket in ready.drain(..) {
            if socket == listener {
                self.accept(service, is_stopping);
                continue;
            }
            let slot = usize::try_from(socket).ok().and_then(|slot| self.waiting.get_mut(slot));
            if let Some(waiting) = slot.and_then(Option::take) {
                self.waiting_count -= 1;
                self.receive(waiting, true, service, is_stopping);
            }
        }
        self.ready = ready;
    }

    /// Accepts one connection. The poll reports the listener again if there are more.
    fn accept(&mut self, service: &Service, is_stopping: &(dyn Fn() -> bool + Sync)) {
        let free = || Arc::clone(&self.places).try_acquire_owned().ok();
        let Some(place) = self.spare.take().or_else(free) else {
            return self.pause(Accepting::Full);
        };
        match accept_with(&self.listener, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
            Ok(socket) => {
                let waiting = Waiting { socket: socket.into(), place, since: Instant::now() };
                if self.first_read.is_due() {
                    let had_request = self.receive(waiting, false, service, is_stopping);
                    self.first_read.note(had_request);
                } else {
                    self.wait_for(waiting, false);
                }
            }
            // The client left before it was accepted.
            Err(Errno::AGAIN | Errno::CONNABORTED | Errno::INTR) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                self.pause(Accepting::Failed);
            }
        }
    }

    /// Receives what a socket has, and answers it if that ends the connection. Returns whether there
    /// was anything.
    fn receive(
        &mut self,
        waiting: Waiting,
        is_watched: bool,
        service: &Service,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        match socket::receive(&waiting.socket, &mut self.buffers.received) {
            Ok(None) => {
                self.wait_for(waiting, is_watched);
                return false;
            }
            Ok(Some(0)) => {}
            Ok(Some(count)) => {
                self.buffers.filled = count;
                let moment = Moment { started: Instant::now(), is_stopping };
                let step = self.buffers.step(service, &moment);
                match self.answer(&waiting.socket, step) {
                    Afterwards::Ended => {}
                    Afterwards::GoesOn(unsent) => self.hand_on(waiting, is_watched, unsent),
                }
            }
            Err(error) => tracing::debug!(%error, "a connection ended early"),
        }
        true
    }

    /// Sends an answer, as far as the socket accepts it at once.
    fn answer(&mut self, socket: &TcpStream, step: ExchangeStep) -> Afterwards {
        let ExchangeStep::Answered { payload, keeps_alive, .. } = step else {
            return Afterwards::GoesOn(None);
        };
        let head = self.buffers.exchange.head();
        let (sent, payload) = match socket::send(socket, head, payload) {
            Ok(sent) => sent,
            Err(error) => {
                tracing::debug!(%error, "a connection ended early");
                self.buffers.filled = 0;
                return Afterwards::Ended;
            }
        };
        head.drain(..sent);
        let is_sent = head.is_empty() && payload.is_none();
        if is_sent && !keeps_alive && self.buffers.filled == 0 {
            return Afterwards::Ended;
        }
        let has_more = !is_sent || !keeps_alive;
        Afterwards::GoesOn(has_more.then_some(Unsent { payload, keeps_alive }))
    }

    fn wait_for(&mut self, waiting: Waiting, is_watched: bool) {
        if !is_watched && let Err(error) = watch(self.poll.get_ref(), &waiting.socket) {
            tracing::warn!(%error, "cannot wait for a connection");
            return;
        }
        let Ok(slot) = usize::try_from(waiting.socket.as_raw_fd()) else { return };
        if slot >= self.waiting.len() {
            self.waiting.resize_with(slot + 1, || None);
        }
        self.waiting[slot] = Some(waiting);
        self.waiting_count += 1;
    }

    /// Gives a connection to the runtime.
    fn hand_on(&mut self, waiting: Waiting, is_watched: bool, unsent: Option<Unsent>) {
        let Waiting { socket, place, since } = waiting;
        let handed_on = || {
            if is_watched {
                epoll::delete(self.poll.get_ref(), &socket)?;
            }
            tokio::net::TcpStream::from_std(socket)
        };
        match handed_on() {
            Ok(stream) => {
                let buffers = std::mem::take(&mut self.buffers);
                self.opened.push_back((Opened { stream, buffers, unsent, since }, place));
            }
            Err(error) => {
                tracing::warn!(%error, "cannot wait for a connection");
                self.buffers.filled = 0;
            }
        }
    }

    fn close_silent(&mut self) {
        let now = Instant::now();
        for slot in &mut self.waiting {
            if slot.as_ref().is_some_and(|waiting| now >= waiting.since + self.patience) {
                *slot = None;
                self.waiting_count -= 1;
            }
        }
    }

    fn pause(&mut self, accepting: Accepting) {
        self.accepting = accepting;
        if let Err(error) = epoll::delete(self.poll.get_ref(), &self.listener) {
            tracing::warn!(%error, "cannot stop accepting connections");
        }
    }

    fn accept_again(&mut self) {
        match watch(self.poll.get_ref(), &self.listener) {
            Ok(()) => self.accepting = Accepting::Yes,
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections");
                self.accepting = Accepting::Failed;
            }
        }
    }
}

/// Has the poll tell when a socket has something to read.
fn watch(poll: &OwnedFd, socket: &(impl AsFd + AsRawFd)) -> io::Result<()> {
    let number = epoll::EventData::new_u64(descriptor_number(socket));
    epoll::add(poll, socket, number, epoll::EventFlags::IN)?;
    Ok(())
}

fn descriptor_number(socket: &impl AsRawFd) -> u64 {
    u64::try_from(socket.as_raw_fd()).unwrap_or(u64::MAX)
}

/// Finds the descriptors of the sockets that have something to read.
fn find_ready(poll: &OwnedFd, ready: &mut Vec<u64>) {
    let mut room = [const { MaybeUninit::uninit() }; AT_ONCE];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    ready.clear();
    match epoll::wait(poll, &mut room, Some(&at_once)) {
        Ok((events, _)) => ready.extend(events.iter().map(|event| event.data.u64())),
        Err(Errno::INTR) => {}
        Err(error) => tracing::warn!(%error, "cannot look for new requests"),
    }
}
