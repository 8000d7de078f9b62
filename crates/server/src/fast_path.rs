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

mod date;
mod deadline;
mod exchange;
mod framing;
mod head;
mod request;
mod send;

pub(crate) use exchange::{Exchange, Step};

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use tokio::{
    io::{AsyncRead, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    task::coop::consume_budget,
    time::Instant,
};

use crate::service::Service;
use deadline::Deadline;

/// A head that does not fit is left to the library; few are a tenth of this.
const READ_BYTES: usize = 4096;

/// How a connection left the fast path.
pub(crate) enum End {
    /// The client is gone, was silent for too long, or is asked to go.
    Closed,
    /// It asked for something else; these bytes are read and not answered.
    Other(Bytes),
}

/// A connection on the fast path.
pub(crate) struct FastPath<'a> {
    stream: &'a mut TcpStream,
    service: &'a Service,
    /// What was received, and how much of it is filled.
    received: Box<[u8]>,
    filled: usize,
    exchange: Exchange,
    deadline: Deadline,
    /// Whom the deadline and the stop were told to wake.
    wakes: Option<Waker>,
}

impl<'a> FastPath<'a> {
    pub(crate) fn new(stream: &'a mut TcpStream, service: &'a Service) -> Self {
        Self {
            stream,
            service,
            received: vec![0; READ_BYTES].into(),
            filled: 0,
            exchange: Exchange::default(),
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
            let received = &self.received[..self.filled];
            match self.exchange.step(self.service, received, started, &is_stopping).await {
                Step::Incomplete if self.filled < self.received.len() => {
                    let receive =
                        poll_fn(|context| self.poll_receive(context, &is_stopping, stop.as_mut()));
                    let count = receive.await?;
                    if count == 0 {
                        return Ok(End::Closed);
                    }
                    started = Instant::now();
                    self.filled += count;
                }
                Step::Answered { length, payload, keeps_alive } => {
                    self.received.copy_within(length..self.filled, 0);
                    self.filled -= length;
                    let (head, patience) = (self.exchange.head(), limits.write_time);
                    let waited =
                        send::send(self.stream, head, payload, &mut self.deadline, patience)
                            .await?;
                    if !keeps_alive {
                        self.close().await?;
                        return Ok(End::Closed);
                    }
                    if waited {
                        started = Instant::now();
                    }
                    self.deadline.move_to(started + limits.header_time);
                    // However fast a client asks and takes, others get their turn.
                    consume_budget().await;
                }
                Step::Incomplete | Step::Other => {
                    let unread = Bytes::copy_from_slice(&self.received[..self.filled]);
                    return Ok(End::Other(unread));
                }
            }
        }
    }

    /// Closing on a client that sent more than it was to be answered would reset its connection,
    /// and with it the answer.
    async fn close(&mut self) -> io::Result<()> {
        if self.filled == 0 {
            return Ok(());
        }
        self.stream.shutdown().await?;
        let patience = self.service.limits().write_time;
        self.deadline.move_to(Instant::now() + patience);
        let mut rest = 0;
        while rest < MOST_UNREAD {
            self.filled = 0;
            let receive = poll_fn(|context| {
                let mut room = ReadBuf::new(&mut self.received);
                match Pin::new(&mut *self.stream).poll_read(context, &mut room) {
                    Poll::Ready(result) => Poll::Ready(result.map(|()| room.filled().len())),
                    Poll::Pending => self.deadline.poll_reached(context).map(|()| Ok(0)),
                }
            });
            match receive.await? {
                0 => break,
                count => rest += count,
            }
        }
        Ok(())
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
}

/// How much is read of what a client sends behind its last request.
const MOST_UNREAD: usize = 256 << 10;
