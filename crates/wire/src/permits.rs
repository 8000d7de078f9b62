//! The permits of connections: how many there may be, and which one is closed for the next.
//!
//! A connection is always accepted. If all permits are taken, the connection that has been idle for
//! longest is closed: one between two requests, or one that has not sent a whole request. A client
//! address has a share of the permits; if it needs more, connections of the same client are closed. While all
//! permits, or all of the share, are taken by connections that are being answered, reserved permits
//! keep `/health`, `/metrics` and `/admin` reachable. A client that has its share gets few of them.
//!
//! A connection says what it does with one atomic store per request. The table is locked only when
//! a connection arrives or ends.

mod evictions;
mod idle_queue;
mod occupancy;
mod report;
mod table;

pub(crate) use evictions::Evictions;
pub(crate) use occupancy::ResponseMark;
pub(crate) use report::report;

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use tokio::{sync::Notify, task::AbortHandle, time::Instant};

use crate::{
    client_address::ClientAddress, connection_counts::ConnectionCounts, limits::Limits,
    trusted_proxies::TrustedProxies,
};
use occupancy::Occupancy;
use table::{Admission, Capacity, Table};

pub(crate) struct ConnectionPermits {
    table: Mutex<Table>,
    trusted_proxies: TrustedProxies,
    counts: Arc<ConnectionCounts>,
    emptied: Notify,
    /// Of each thread that accepts connections.
    evictions: Box<[Arc<Evictions>]>,
    /// Times are counted from here.
    origin: Instant,
}

/// The permit of one connection. It is free when this is dropped.
pub(crate) struct ConnectionPermit {
    permits: Arc<ConnectionPermits>,
    occupancy: Arc<Occupancy>,
    slot: u32,
    is_reserved: bool,
    is_one_of_many: bool,
    peer: Peer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    Client(ClientAddress),
    /// A trusted proxy, which carries the requests of many clients.
    Proxy(ClientAddress),
    /// The system did not say.
    Unknown,
}

/// A connection that was closed to make room.
#[derive(Debug)]
pub(crate) struct Displaced {
    occupancy: Arc<Occupancy>,
    home: Home,
}

/// Where a connection waits for its first request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Home {
    /// The number of the thread that accepted it.
    pub(crate) thread: usize,
    pub(crate) descriptor: usize,
}

impl Displaced {
    pub(crate) fn descriptor(&self) -> usize {
        self.home.descriptor
    }
}

impl ConnectionPermits {
    pub(crate) fn new(limits: &Limits, counts: Arc<ConnectionCounts>) -> Self {
        let capacity = Capacity {
            permits: limits.connections.max(1),
            reserved: limits.reserved_connections,
            share: limits.connections_per_client(),
        };
        Self {
            table: Mutex::new(Table::new(capacity)),
            trusted_proxies: limits.trusted_proxies.clone(),
            counts,
            emptied: Notify::new(),
            evictions: (0..limits.thread_count()).map(|_| Arc::default()).collect(),
            origin: Instant::now(),
        }
    }

    /// The connections that a thread has to close.
    pub(crate) fn evictions(&self, thread: usize) -> Arc<Evictions> {
        self.evictions.get(thread).map(Arc::clone).unwrap_or_default()
    }

    /// Finds a permit for a new connection. If another one of the same thread was closed for it, the
    /// thread has to let go of it. None if every permit, reserved ones included, is taken by a connection
    /// that is being answered.
    pub(crate) fn admit(
        self: &Arc<Self>,
        peer: Option<IpAddr>,
        home: Home,
        now: Instant,
    ) -> Option<(ConnectionPermit, Option<Displaced>)> {
        let peer = match peer {
            Some(peer) if self.trusted_proxies.contains(peer) => {
                Peer::Proxy(ClientAddress::of(peer))
            }
            Some(peer) => Peer::Client(ClientAddress::of(peer)),
            None => Peer::Unknown,
        };
        let client = match peer {
            Peer::Client(client) => Some(client),
            Peer::Proxy(_) | Peer::Unknown => None,
        };
        let occupancy = Arc::new(Occupancy::idle_since(self.stamp(now)));
        let found = self.lock().admit(client, home, &occupancy, self.stamp(now));
        let Some(found) = found else {
            self.counts.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        self.counts.open.fetch_add(1, Ordering::Relaxed);
        if let Some(displaced) = &found.displaced {
            let is_share = found.is_share_used;
            let count =
                if is_share { &self.counts.closed_for_share } else { &self.counts.closed_for_room };
            count.fetch_add(1, Ordering::Relaxed);
            displaced.occupancy.close();
        }
        let Admission { slot, is_reserved, is_one_of_many, displaced, .. } = found;
        let permits = Arc::clone(self);
        let permit =
            ConnectionPermit { permits, occupancy, slot, is_reserved, is_one_of_many, peer };
        Some((permit, displaced.and_then(|displaced| self.pass_on(displaced, home.thread))))
    }

    /// Tells the thread of a connection to close it; returns it if that is this thread.
    fn pass_on(&self, displaced: Displaced, thread: usize) -> Option<Displaced> {
        if displaced.home.thread == thread {
            return Some(displaced);
        }
        if let Some(evictions) = self.evictions.get(displaced.home.thread) {
            evictions.add(displaced);
        }
        None
    }

    /// Closes connections that have been idle for longest, for example because there are too many open
    /// files. Returns those of this thread.
    pub(crate) fn shed(&self, count: usize, thread: usize, now: Instant) -> Vec<Displaced> {
        let mut of_thread = Vec::new();
        for _ in 0..count {
            let Some(displaced) = self.lock().displace(self.stamp(now)) else { break };
            self.counts.closed_for_room.fetch_add(1, Ordering::Relaxed);
            displaced.occupancy.close();
            of_thread.extend(self.pass_on(displaced, thread));
        }
        of_thread
    }

    pub(crate) fn counts(&self) -> &ConnectionCounts {
        &self.counts
    }

    /// Waits until no connection is open.
    pub(crate) async fn emptied(&self) {
        loop {
            let mut emptied = std::pin::pin!(self.emptied.notified());
            emptied.as_mut().enable();
            if self.counts.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            emptied.await;
        }
    }

    /// A time in microseconds.
    fn stamp(&self, now: Instant) -> u64 {
        let elapsed = now.saturating_duration_since(self.origin);
        elapsed.as_secs() * 1_000_000 + u64::from(elapsed.subsec_micros())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // Nothing in between can leave the table half changed.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionPermit {
    /// A request has arrived: the connection is not idle until [`Self::rest`]. False if it has been
    /// closed to make room.
    pub(crate) fn begin(&self) -> bool {
        self.occupancy.begin()
    }

    /// The connection has been idle since then.
    pub(crate) fn rest(&self, since: Instant) {
        self.occupancy.rest(self.permits.stamp(since));
    }

    /// The same if its response has been marked as complete.
    pub(crate) fn rest_if_answered(&self) {
        if self.occupancy.is_answered() {
            self.rest(Instant::now());
        }
    }

    /// A mark for the body of a response; when it is dropped, the response is complete.
    pub(crate) fn response_mark(&self) -> ResponseMark {
        ResponseMark::new(Arc::clone(&self.occupancy))
    }

    /// Whether this is a reserved permit, which is for one request of `/health` or `/admin`.
    pub(crate) fn is_reserved(&self) -> bool {
        self.is_reserved
    }

    /// Whether its client, or all clients together, had many connections when it arrived.
    pub(crate) fn is_one_of_many(&self) -> bool {
        self.is_one_of_many
    }

    pub(crate) fn peer(&self) -> Peer {
        self.peer
    }

    /// Whether this is the permit of a connection that was closed to make room.
    pub(crate) fn is_of(&self, displaced: &Displaced) -> bool {
        Arc::ptr_eq(&self.occupancy, &displaced.occupancy)
    }

    /// Sets the task of this connection, once it has been started.
    pub(crate) fn task_setter(&self) -> impl FnOnce(AbortHandle) + use<> {
        let occupancy = Arc::clone(&self.occupancy);
        move |task| occupancy.set_task(task)
    }

    /// The connection did not get what it asked for.
    pub(crate) fn count_rejection(&self) {
        self.permits.counts.refused.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.permits.lock().release(self.slot, &self.occupancy);
        if self.permits.counts.open.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.permits.emptied.notify_waiters();
        }
    }
}
