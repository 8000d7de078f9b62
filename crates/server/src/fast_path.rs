//! The fast path: reads answered straight from and to a connection's bytes.
//!
//! Nearly everything this service is asked is a read whose answer is ready. A general HTTP library
//! spends more on such a request than the kernel does on sending the answer. So each connection
//! starts here: a request without a body is parsed in place, looked up, and answered with one call
//! to the kernel. The first request that is anything else (an upload, a tool call, a documentation
//! page, a field nobody knows) ends the fast path: the connection, with every byte that was not
//! answered, goes to the HTTP library for good.
//!
//! What is answered is decided where it is decided for the library as well ([`crate::reads`]);
//! here is only how it is read and written. A test compares the two on the wire.

#[cfg(target_os = "linux")]
mod arrivals;
#[cfg(not(target_os = "linux"))]
#[path = "fast_path/arrivals_elsewhere.rs"]
mod arrivals;
mod buffers;
mod date;
mod deadline;
pub(crate) mod exchange;
#[cfg(target_os = "linux")]
mod first_read;
mod framing;
mod head;
pub(crate) mod inspect;
mod request;
mod send;
#[cfg(target_os = "linux")]
mod socket;

pub(crate) use arrivals::Arrivals;

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use appstitch_snapshot::Payload;
use bytes::Bytes;
use tokio::{
    io::{AsyncRead, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    task::coop::consume_budget,
    time::Instant,
};

use crate::service::Service;
use buffers::{Buffers, Unsent};
use deadline::Deadline;
use exchange::{ExchangeStep, Moment};

/// How a connection left the fast path.
pub(crate) enum End {
    /// The client disconnected, was idle for too long, or the service stops.
    Closed,
    /// The client sent something else; these bytes were received and are not answered.
    Other(TcpStream, Bytes),
}

/// A connection on the fast path.
pub(crate) struct FastPath<'a> {
    stream: TcpStream,
    service: &'a Service,
    buffers: Buffers,
    /// The rest of the first answer, if it could not be sent at once.
    unsent: Option<Unsent>,
    deadline: Deadline,
    /// The waker that the deadline and the stop have.
    wakes: Option<Waker>,
    /// Whether the kernel sends at once.
    is_undelayed: bool,
}

/// A connection that needs the runtime, with what was received and answered of it so far.
pub(crate) struct Opened {
    stream: TcpStream,
    buffers: Buffers,
    unsent: Option<Unsent>,
    since: Instant,
}

impl<'a> FastPath<'a> {
    pub(crate) fn new(opened: Opened, service: &'a Service) -> Self {
        let Opened { stream, buffers, unsent, since } = opened;
        Self {
            stream,
            service,
            buffers,
            unsent,
            deadline: Deadline::new(since + service.limits().header_time),
            wakes: None,
            is_undelayed: false,
        }
    }

    /// Answers reads until something else comes, or until `stop` completes between two of them.
    pub(crate) async fn serve(
        mut self,
        is_stopping: impl Fn() -> bool + Sync,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> io::Result<End> {
        let limits = self.service.limits();
        let mut started = Instant::now();
        if let Some(Unsent { payload, keeps_alive }) = self.unsent.take() {
            self.send(payload, keeps_alive).await?;
            if !keeps_alive {
                return self.close().await;
            }
        }
        loop {
            let moment = Moment { started, is_stopping: &is_stopping };
            match self.buffers.step_and_compress(self.service, &moment).await {
                ExchangeStep::Incomplete if self.buffers.filled < self.buffers.received.len() => {
                    let receive =
                        poll_fn(|context| self.poll_receive(context, &is_stopping, stop.as_mut()));
                    let count = receive.await?;
                    if count == 0 {
                        return Ok(End::Closed);
                    }
                    started = Instant::now();
                    self.buffers.filled += count;
                }
                ExchangeStep::Answered { payload, keeps_alive, .. } => {
                    let waited = self.send(payload, keeps_alive).await?;
                    if !keeps_alive {
                        return self.close().await;
                    }
                    if waited {
                        started = Instant::now();
                    }
                    self.deadline.move_to(started + limits.header_time);
                    // However fast a client is, others get their turn.
                    consume_budget().await;
                }
                ExchangeStep::Incomplete | ExchangeStep::Compress | ExchangeStep::Other => {
                    let Buffers { received, filled, .. } = &self.buffers;
                    let unread = Bytes::copy_from_slice(&received[..*filled]);
                    self.stream.set_nodelay(true)?;
                    return Ok(End::Other(self.stream, unread));
                }
            }
        }
    }

    /// Sends the head that was written last and the body; returns whether the client kept us
    /// waiting.
    async fn send(&mut self, payload: Option<Payload>, keeps_alive: bool) -> io::Result<bool> {
        // Answers are written in one piece, so waiting for more gains nothing. An answer that ends
        // the connection does not wait anyway.
        if keeps_alive && !self.is_undelayed {
            self.stream.set_nodelay(true)?;
            self.is_undelayed = true;
        }
        let (head, patience) = (self.buffers.exchange.head(), self.service.limits().write_time);
        send::send(&self.stream, head, payload, &mut self.deadline, patience).await
    }

    /// Ends the connection. If the client has sent more than was answered, closing at once would
    /// reset the connection and the answer with it.
    async fn close(mut self) -> io::Result<End> {
        if self.buffers.filled == 0 {
            return Ok(End::Closed);
        }
        self.stream.shutdown().await?;
        self.deadline.move_to(Instant::now() + self.service.limits().write_time);
        let mut rest = 0;
        while rest < MOST_UNREAD {
            let receive = poll_fn(|context| {
                let mut room = ReadBuf::new(&mut self.buffers.received);
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
        Ok(End::Closed)
    }

    /// Receives bytes; none when it is time to close.
    fn poll_receive(
        &mut self,
        context: &mut Context<'_>,
        is_stopping: impl Fn() -> bool,
        stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Poll<io::Result<usize>> {
        let Buffers { received, filled, .. } = &mut self.buffers;
        let mut room = ReadBuf::new(&mut received[*filled..]);
        if let Poll::Ready(result) = Pin::new(&mut self.stream).poll_read(context, &mut room) {
            return Poll::Ready(result.map(|()| room.filled().len()));
        }
        // Both have the waker and neither has used it. Registering it again for every read would
        // cost more than looking up the record.
        let is_registered =
            self.wakes.as_ref().is_some_and(|waker| waker.will_wake(context.waker()));
        if is_registered && !self.deadline.has_expired() && !is_stopping() {
            return Poll::Pending;
        }
        // A request that has begun to arrive is answered, even while stopping.
        if self.buffers.filled == 0 {
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
