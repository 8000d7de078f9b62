//! The fast path: reads answered straight from and to a connection's bytes.
//!
//! Nearly everything this service is asked is a read whose answer is ready. A general HTTP library
//! spends more on such a request than the kernel does on sending the response. So each connection
//! starts here: a request without a body is parsed in place, looked up, and answered with one call
//! to the kernel. The first request that is anything else (an upload, a tool call, a documentation
//! page, an unknown field) ends the fast path: the connection, with every byte that was not
//! answered, goes to the HTTP library for good.
//!
//! What is answered is decided where it is decided for the library as well ([`crate::Endpoints`]);
//! here is only how it is read and written. A test compares the two on the wire.

#[cfg(target_os = "linux")]
mod arrivals;
#[cfg(not(target_os = "linux"))]
#[path = "fast_path/arrivals_elsewhere.rs"]
mod arrivals;
mod bound_unsent;
mod buffers;
mod date;
mod deadline;
mod exchange;
#[cfg(target_os = "linux")]
mod first_read;
mod framing;
mod head;
pub(crate) mod inspect;
mod request;
#[cfg(target_os = "linux")]
mod reserved;
mod send;
#[cfg(target_os = "linux")]
mod socket;
mod time_slice;

pub(crate) use arrivals::Arrivals;
pub(crate) use exchange::{Exchange, ExchangeStep, Moment};

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use tokio::{
    io::{AsyncRead, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    task::yield_now,
    time::Instant,
};

use crate::{permits::ConnectionPermit, shared::Shared};
use buffers::{Buffers, HeldBuffers, Unsent};
use deadline::Deadline;
use exchange::Outgoing;
use send::Sending;
use time_slice::TimeSlice;

/// How a connection left the fast path.
pub(crate) enum End {
    /// The client disconnected, was idle for too long, or the service stops. The connection is closed
    /// when this is dropped.
    Closed(TcpStream),
    /// The client sent something else; these bytes were received and are not answered.
    Other(TcpStream, Bytes),
}

pub(crate) struct FastPath<'a> {
    stream: TcpStream,
    shared: &'a Arc<Shared>,
    permit: &'a ConnectionPermit,
    buffers: HeldBuffers,
    /// The rest of the first response, if it could not be sent at once.
    unsent: Option<Unsent>,
    /// When the connection was accepted, or its first response was sent.
    since: Instant,
    deadline: Deadline,
    /// The waker that the deadline and the stop have.
    wakes: Option<Waker>,
    /// Whether the kernel sends at once.
    is_undelayed: bool,
    slice: TimeSlice,
}

/// A connection that needs the runtime, and its permit.
pub(crate) struct Opened {
    pub(crate) arrived: Arrived,
    pub(crate) permit: ConnectionPermit,
}

/// A connection, with what was received and answered of it so far.
pub(crate) struct Arrived {
    stream: TcpStream,
    buffers: Buffers,
    unsent: Option<Unsent>,
    since: Instant,
}

impl<'a> FastPath<'a> {
    pub(crate) fn new(
        arrived: Arrived,
        permit: &'a ConnectionPermit,
        shared: &'a Arc<Shared>,
    ) -> Self {
        let Arrived { stream, buffers, unsent, since } = arrived;
        Self {
            stream,
            shared,
            permit,
            buffers: HeldBuffers::new(buffers),
            unsent,
            since,
            deadline: Deadline::new(since + shared.limits.header_time),
            wakes: None,
            is_undelayed: false,
            slice: TimeSlice::new(since),
        }
    }

    /// Answers reads until something else comes, or until `stop` completes between two of them.
    pub(crate) async fn serve(
        mut self,
        is_stopping: impl Fn() -> bool + Sync,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> io::Result<End> {
        let limits = &self.shared.limits;
        // A reserved permit is for one response.
        let is_reserved = self.permit.is_reserved();
        let is_stopping = move || is_reserved || is_stopping();
        let mut started = Instant::now();
        if let Some(Unsent { body, keeps_alive }) = self.unsent.take() {
            if !self.permit.begin() {
                return Ok(End::Closed(self.stream));
            }
            self.send(body, keeps_alive, started).await?;
            if !keeps_alive {
                return self.close().await;
            }
            started = Instant::now();
            self.since = started;
            self.deadline.move_to(started + limits.header_time);
        }
        self.slice = TimeSlice::new(started);
        loop {
            let peer = self.permit.peer();
            let moment = Moment { started, peer, is_stopping: &is_stopping, ends: is_reserved };
            let buffers = self.buffers.in_use();
            let mut step = buffers.step(self.shared, &moment);
            if let ExchangeStep::Later = step {
                if !self.permit.begin() {
                    return Ok(End::Closed(self.stream));
                }
                // Rare, and large: it must not make every connection larger.
                step = Box::pin(buffers.step_later(self.shared, &moment)).await;
            }
            match step {
                ExchangeStep::Incomplete if buffers.filled < buffers.received.len() => {
                    // Only now: a connection whose requests are not answered yet is not idle.
                    self.permit.rest(self.since);
                    let receive =
                        poll_fn(|context| self.poll_receive(context, &is_stopping, stop.as_mut()));
                    let count = receive.await?;
                    if count == 0 {
                        return Ok(End::Closed(self.stream));
                    }
                    started = Instant::now();
                    self.slice.go_on(started);
                    self.buffers.in_use().filled += count;
                }
                ExchangeStep::Answered { body, keeps_alive, .. } => {
                    if !self.permit.begin() {
                        return Ok(End::Closed(self.stream));
                    }
                    let waited = self.send(body, keeps_alive, started).await?;
                    if !keeps_alive {
                        return self.close().await;
                    }
                    if waited {
                        started = Instant::now();
                    }
                    self.since = started;
                    self.deadline.move_to(started + limits.header_time);
                    if self.slice.ends() {
                        yield_now().await;
                        self.slice = TimeSlice::new(Instant::now());
                    }
                }
                ExchangeStep::Incomplete | ExchangeStep::Later | ExchangeStep::Other => {
                    let unread = Bytes::copy_from_slice(&buffers.received[..buffers.filled]);
                    self.buffers.rest();
                    self.stream.set_nodelay(true)?;
                    return Ok(End::Other(self.stream, unread));
                }
            }
        }
    }

    /// Sends the head that was written last and the body; returns whether the client kept us
    /// waiting.
    async fn send(
        &mut self,
        body: Option<Outgoing>,
        keeps_alive: bool,
        started: Instant,
    ) -> io::Result<bool> {
        // Responses are written in one piece, so waiting for more gains nothing. A response that ends
        // the connection does not wait anyway.
        if keeps_alive && !self.is_undelayed {
            self.stream.set_nodelay(true)?;
            self.is_undelayed = true;
        }
        let buffers = self.buffers.in_use();
        let is_last = buffers.filled == 0;
        let head = buffers.exchange.head();
        let sending = Sending::new(&self.stream, &mut self.deadline, self.shared.limits.write_time);
        let idle = is_last.then_some((self.permit, started));
        sending.send(head, body, idle).await
    }

    /// Ends the connection. If the client has sent more than was answered, closing at once would
    /// reset the connection and the response with it.
    async fn close(mut self) -> io::Result<End> {
        if self.buffers.filled() == 0 {
            self.buffers.rest();
            return Ok(End::Closed(self.stream));
        }
        self.stream.shutdown().await?;
        let now = Instant::now();
        // Everything is answered: from now on another connection can use the permit.
        self.permit.rest(now);
        self.deadline.move_to(now + self.shared.limits.write_time);
        let mut rest = 0;
        while rest < MOST_UNREAD {
            let receive = poll_fn(|context| {
                let mut room = ReadBuf::new(&mut self.buffers.in_use().received);
                match Pin::new(&mut self.stream).poll_read(context, &mut room) {
                    Poll::Ready(result) => Poll::Ready(result.map(|()| room.filled().len())),
                    Poll::Pending => self.deadline.poll_reached(context).map(|()| Ok(0)),
                }
            });
            match receive.await? {
                0 => break,
                count => rest += count,
            }
        }
        Ok(End::Closed(self.stream))
    }

    /// Receives bytes; none when it is time to close.
    fn poll_receive(
        &mut self,
        context: &mut Context<'_>,
        is_stopping: impl Fn() -> bool,
        stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Poll<io::Result<usize>> {
        let Buffers { received, filled, .. } = self.buffers.in_use();
        let mut room = ReadBuf::new(&mut received[*filled..]);
        if let Poll::Ready(result) = Pin::new(&mut self.stream).poll_read(context, &mut room) {
            return Poll::Ready(result.map(|()| room.filled().len()));
        }
        // Others get their turn while this connection waits.
        self.buffers.rest();
        self.slice.interrupt();
        // Both have the waker and neither has used it. Registering it again for every read would
        // cost more than looking up the record.
        let is_registered =
            self.wakes.as_ref().is_some_and(|waker| waker.will_wake(context.waker()));
        if is_registered && !self.deadline.has_expired() && !is_stopping() {
            return Poll::Pending;
        }
        // A request that has begun to arrive is answered, even while stopping.
        if self.buffers.filled() == 0 {
            if stop.poll(context).is_ready() {
                return Poll::Ready(Ok(0));
            }
            self.wakes = Some(context.waker().clone());
        }
        self.deadline.poll_reached(context).map(|()| Ok(0))
    }
}

/// How much is read of what a client sends after its last request.
const MOST_UNREAD: usize = 256 << 10;
