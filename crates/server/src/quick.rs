//! The short way: reads answered straight from and to a connection's bytes.
//!
//! Nearly everything this service is asked is a plain GET below `/apps` whose answer is ready. A
//! general HTTP library spends more on such a request than the kernel does on sending the
//! answer. So each connection starts here: a request that is a plain read is parsed in place,
//! looked up, and answered with one call to the kernel. The first request that is anything else
//! (another method or path, a body, an unknown slug, a malformed head) ends the short way: the
//! connection, with every byte that was not answered, goes to the HTTP library for good.
//!
//! What is asked and what is answered is decided where it is decided for the library as well
//! ([`crate::http`]); here is only how it is read and written. A test holds the two ways against
//! each other.

mod answer;
mod head;
mod in_memory;
mod request;
mod send;

pub use in_memory::InMemoryReads;

pub(crate) use head::common_lines;

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use tokio::{
    io::{AsyncRead, ReadBuf},
    net::TcpStream,
    task::coop::consume_budget,
    time::Instant,
};

use crate::{
    deadline::Deadline,
    http::{Payload, ready},
    service::Service,
};
use answer::Found;
use head::HeadWriter;
use request::{Reading, read_request, slots};

/// A head that does not fit is left to the library; few are a tenth of this.
const READ_BYTES: usize = 4096;

/// How a connection left the short way.
pub(crate) enum End {
    /// The client is gone, was silent for too long, or is asked to go.
    Closed,
    /// It asked for something else; these bytes are read and not answered.
    Other(Bytes),
}

/// A connection on the short way.
pub(crate) struct QuickReads<'a> {
    stream: &'a mut TcpStream,
    service: &'a Service,
    /// What was received, and how much of it is filled.
    received: Box<[u8]>,
    filled: usize,
    head: HeadWriter,
    deadline: Deadline,
    /// Whom the deadline and the stop were told to wake.
    wakes: Option<Waker>,
}

impl<'a> QuickReads<'a> {
    pub(crate) fn new(stream: &'a mut TcpStream, service: &'a Service) -> Self {
        Self {
            stream,
            service,
            received: vec![0; READ_BYTES].into(),
            filled: 0,
            head: HeadWriter::new(),
            deadline: Deadline::new(Instant::now() + service.limits().header_time),
            wakes: None,
        }
    }

    /// Answers reads until something else comes, or until `stop` completes between two of them.
    pub(crate) async fn serve(
        mut self,
        is_stopping: impl Fn() -> bool,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> io::Result<End> {
        let limits = self.service.limits();
        let mut started = Instant::now();
        loop {
            let mut slots = slots();
            match read_request(&self.received[..self.filled], &mut slots) {
                Reading::Incomplete if self.filled < self.received.len() => {
                    let receive =
                        poll_fn(|context| self.poll_receive(context, &is_stopping, stop.as_mut()));
                    let count = receive.await?;
                    if count == 0 {
                        return Ok(End::Closed);
                    }
                    started = Instant::now();
                    self.filled += count;
                }
                Reading::Read(request) if request.field_count() <= limits.header_fields => {
                    let (length, asked) = (request.length, request.asked());
                    let Some(found) = Found::lookup(self.service, &asked) else {
                        return Ok(self.hand_over());
                    };
                    let ready = ready(&found.snapshot, found.resource, &asked).await;
                    // The last answer before a stop says so; what was received before is answered.
                    let is_last = length == self.filled && is_stopping();
                    let payload =
                        found.complete(self.service, &asked, ready, started, &mut self.head);
                    if is_last {
                        self.head.close();
                    }
                    // A client that takes its time must not hold on to a whole revision.
                    drop(found);
                    self.received.copy_within(length..self.filled, 0);
                    self.filled -= length;
                    if self.send(payload).await? {
                        started = Instant::now();
                    }
                    if is_last {
                        return Ok(End::Closed);
                    }
                    self.deadline.move_to(started + limits.header_time);
                    // However fast a client asks and takes, others get their turn.
                    consume_budget().await;
                }
                Reading::Read(_) | Reading::Incomplete | Reading::Other => {
                    return Ok(self.hand_over());
                }
            }
        }
    }

    fn hand_over(&self) -> End {
        End::Other(Bytes::copy_from_slice(&self.received[..self.filled]))
    }

    /// Receives bytes; none when it is time to close.
    fn poll_receive(
        &mut self,
        context: &mut Context<'_>,
        is_stopping: impl Fn() -> bool,
        stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Poll<io::Result<usize>> {
        let mut room = ReadBuf::new(&mut self.received[self.filled..]);
        if let Poll::Ready(result) = Pin::new(&mut *self.stream).poll_read(context, &mut room) {
            return Poll::Ready(result.map(|()| room.filled().len()));
        }
        // Both know whom to wake, and neither has: telling them again at every read would cost more
        // than looking the record up.
        let knows = self.wakes.as_ref().is_some_and(|waker| waker.will_wake(context.waker()));
        if knows && !self.deadline.has_rung() && !is_stopping() {
            return Poll::Pending;
        }
        // Who has begun to ask gets an answer.
        if self.filled == 0 {
            if stop.poll(context).is_ready() {
                return Poll::Ready(Ok(0));
            }
            self.wakes = Some(context.waker().clone());
        }
        self.deadline.poll_reached(context).map(|()| Ok(0))
    }

    /// Sends what was written and what belongs behind it; returns whether the client kept us
    /// waiting.
    async fn send(&mut self, payload: Option<Payload>) -> io::Result<bool> {
        let patience = self.service.limits().write_time;
        send::send(self.stream, self.head.bytes(), payload, &mut self.deadline, patience).await
    }
}
