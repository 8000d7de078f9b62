//! Connections as they arrive, and those that end with their first response.
//!
//! Most proxies and many scripts open a connection for each request. Making the runtime wait for
//! such a connection, with a task and a timer, costs more than the request. So new
//! sockets wait in a separate poll, which the runtime sees as one descriptor. A short response that
//! ends the connection is sent from here; every other connection is handed on.
//!
//! Every connection is accepted. If there is no permit for it, another one is closed
//! ([`crate::permits`]).

mod answering;
mod poll;

use std::{
    collections::VecDeque,
    io,
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    os::fd::AsRawFd,
    sync::Arc,
    time::Duration,
};

use rustix::{
    io::Errno,
    net::{SocketFlags, acceptfrom_with},
};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep_until};

use super::{Opened, bound_unsent::bound_unsent, buffers::Buffers, first_read::FirstRead};
use crate::{
    permits::{ConnectionPermit, ConnectionPermits, Displaced, Evictions, Home},
    shared::Shared,
};
use poll::{ArrivalPoll, descriptor_number};

/// How often silent connections are looked for: this many times within their time limit.
const LOOKS: u32 = 4;

/// How long accepting pauses after a failure, and how often a failure is logged.
const PAUSE: Duration = Duration::from_millis(100);
const QUIET: Duration = Duration::from_mins(1);

/// How many idle connections are closed after a failure, to have files to open.
const SHED: usize = 16;

/// Sockets that wait for their first request.
pub(crate) struct Arrivals {
    listener: TcpListener,
    poll: ArrivalPoll,
    permits: Arc<ConnectionPermits>,
    thread: usize,
    evictions: Arc<Evictions>,
    /// By their descriptors.
    waiting: Vec<Option<Waiting>>,
    waiting_count: usize,
    accepting: Accepting,
    first_read: FirstRead,
    /// Connections that need the runtime.
    opened: VecDeque<Opened>,
    /// For whichever socket is looked at.
    buffers: Buffers,
    /// The descriptors of the sockets that have something to read; kept for its memory.
    ready: Vec<u64>,
    patience: Duration,
    looks: Interval,
    failure_logged: Option<Instant>,
}

/// A connection that has not sent anything.
struct Waiting {
    /// It is free before the client sees that the connection is closed.
    permit: ConnectionPermit,
    socket: TcpStream,
    since: Instant,
}

/// Whether new connections are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accepting {
    Yes,
    /// Accepting failed, for example because of too many open files; it is tried again then.
    AgainAt(Instant),
}

impl Arrivals {
    pub(crate) fn new(
        listener: TcpListener,
        permits: Arc<ConnectionPermits>,
        thread: usize,
        patience: Duration,
    ) -> io::Result<Self> {
        let poll = ArrivalPoll::new()?;
        poll.watch(&listener)?;
        let mut looks = interval((patience / LOOKS).max(Duration::from_millis(10)));
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Self {
            listener,
            poll,
            evictions: permits.evictions(thread),
            permits,
            thread,
            waiting: Vec::new(),
            waiting_count: 0,
            accepting: Accepting::Yes,
            first_read: FirstRead::default(),
            opened: VecDeque::new(),
            buffers: Buffers::take(),
            ready: Vec::new(),
            patience,
            looks,
            failure_logged: None,
        })
    }

    /// The next connection that needs the runtime.
    pub(crate) async fn next(
        &mut self,
        shared: &Shared,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) -> Opened {
        loop {
            if let Some(opened) = self.opened.pop_front() {
                return opened;
            }
            let again_at = match self.accepting {
                Accepting::Yes => None,
                Accepting::AgainAt(time) => Some(time),
            };
            tokio::select! {
                biased;
                () = self.poll.find_next(&self.listener, &mut self.ready) => {
                    self.look_at_ready(shared, is_stopping);
                }
                displaced = self.evictions.next() => {
                    for displaced in displaced {
                        self.let_go(&displaced);
                    }
                }
                () = until(again_at), if again_at.is_some() => self.accept_again(),
                _ = self.looks.tick(), if self.waiting_count > 0 => self.close_silent(),
            }
        }
    }

    /// Looks at everything once more, and returns what needs the runtime. Nothing more is accepted.
    pub(crate) fn last(
        mut self,
        shared: &Shared,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) -> VecDeque<Opened> {
        let listener = descriptor_number(&self.listener);
        self.poll.find(&mut self.ready);
        self.ready.retain(|socket| *socket != listener);
        self.look_at_ready(shared, is_stopping);
        self.opened
    }

    fn look_at_ready(&mut self, shared: &Shared, is_stopping: &(dyn Fn() -> bool + Sync)) {
        let listener = descriptor_number(&self.listener);
        let mut ready = std::mem::take(&mut self.ready);
        for socket in ready.drain(..) {
            if socket == listener {
                self.accept(shared, is_stopping);
                continue;
            }
            let slot = usize::try_from(socket).ok().and_then(|slot| self.waiting.get_mut(slot));
            if let Some(waiting) = slot.and_then(Option::take) {
                self.waiting_count -= 1;
                self.receive(waiting, true, shared, is_stopping);
            }
        }
        self.ready = ready;
    }

    /// Accepts one connection. The poll reports the listener again if there are more.
    fn accept(&mut self, shared: &Shared, is_stopping: &(dyn Fn() -> bool + Sync)) {
        match acceptfrom_with(&self.listener, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
            Ok((socket, peer)) => {
                let peer = peer.and_then(|peer| SocketAddr::try_from(peer).ok());
                self.permit(socket.into(), peer.map(|peer| peer.ip()), shared, is_stopping);
            }
            // The client left before it was accepted.
            Err(Errno::AGAIN | Errno::CONNABORTED | Errno::INTR) => {}
            Err(error) => self.pause(error),
        }
    }

    /// Finds a permit for a new connection.
    fn permit(
        &mut self,
        socket: TcpStream,
        peer: Option<IpAddr>,
        shared: &Shared,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) {
        let since = Instant::now();
        let Ok(descriptor) = usize::try_from(socket.as_raw_fd()) else { return };
        let home = Home { thread: self.thread, descriptor };
        let Some((permit, displaced)) = self.permits.admit(peer, home, since) else {
            return self.reject(&socket, shared);
        };
        if let Some(displaced) = displaced {
            self.let_go(&displaced);
        }
        if permit.is_one_of_many() {
            bound_unsent(&socket);
        }
        let waiting = Waiting { permit, socket, since };
        if self.first_read.is_due() {
            let had_request = self.receive(waiting, false, shared, is_stopping);
            self.first_read.note(had_request);
        } else {
            self.wait_for(waiting, false);
        }
    }

    /// Closes a connection whose permit has been taken, if it is still here.
    fn let_go(&mut self, displaced: &Displaced) {
        let slot = self.waiting.get_mut(displaced.descriptor());
        let is_here = |waiting: &mut Waiting| waiting.permit.is_of(displaced);
        if slot.is_some_and(|slot| slot.take_if(is_here).is_some()) {
            self.waiting_count -= 1;
        }
    }

    fn wait_for(&mut self, waiting: Waiting, is_watched: bool) {
        if !is_watched && let Err(error) = self.poll.watch(&waiting.socket) {
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

    fn close_silent(&mut self) {
        let now = Instant::now();
        for slot in &mut self.waiting {
            if slot.as_ref().is_some_and(|waiting| now >= waiting.since + self.patience) {
                *slot = None;
                self.waiting_count -= 1;
            }
        }
    }

    /// Stops accepting for a moment. There may be too many open files, so some are closed.
    fn pause(&mut self, error: Errno) {
        let now = Instant::now();
        if self.failure_logged.is_none_or(|logged| now >= logged + QUIET) {
            self.failure_logged = Some(now);
            tracing::warn!(%error, "cannot accept connections; closing idle ones");
        }
        for displaced in self.permits.shed(SHED, self.thread, now) {
            self.let_go(&displaced);
        }
        self.accepting = Accepting::AgainAt(now + PAUSE);
        if let Err(error) = self.poll.forget(&self.listener) {
            tracing::warn!(%error, "cannot stop accepting connections");
        }
    }

    fn accept_again(&mut self) {
        match self.poll.watch(&self.listener) {
            Ok(()) => self.accepting = Accepting::Yes,
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections");
                self.accepting = Accepting::AgainAt(Instant::now() + PAUSE);
            }
        }
    }
}

/// Waits until a time, or forever.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
