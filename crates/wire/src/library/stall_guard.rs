//! Disconnecting clients that stop reading, or read too slowly.
//!
//! A client that requests a large answer and never reads it would keep its connection, and the
//! memory of a revision, forever. The timer runs only while a write waits, so the guard costs
//! nothing while clients read.
//!
//! The average counts for the whole connection: otherwise many small responses would each restart the
//! time. A client that did not make us wait for a while starts again.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

use super::HeldNow;
use crate::{memory::Patience, permits::ConnectionPermit, slow_reader::SlowReader};

/// A connection whose writes fail if they make too little progress, and which is idle when a response
/// has been written.
pub(crate) struct StallGuard<'a, Stream = TcpStream> {
    permit: &'a ConnectionPermit,
    stream: Stream,
    /// Bytes that were received before and are to be read first.
    unread: Bytes,
    pause: Duration,
    /// The memory of the response that is being sent.
    held: &'a HeldNow,
    /// Set while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
    since: Instant,
    /// Set from the first wait on, with the end of the last one.
    slow_reader: Option<(SlowReader, Instant)>,
}

impl<'a, Stream> StallGuard<'a, Stream> {
    pub(crate) fn new(
        permit: &'a ConnectionPermit,
        stream: Stream,
        unread: Bytes,
        pause: Duration,
        held: &'a HeldNow,
    ) -> Self {
        let since = Instant::now();
        Self { permit, stream, unread, pause, held, waiting: None, since, slow_reader: None }
    }

    /// Passes on the result of a write; a wait that takes too long becomes an error.
    fn check_progress(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(result) = result {
            let has_waited = self.waiting.take().is_some();
            if let (Some((reader, last_wait)), Ok(sent)) = (&mut self.slow_reader, &result) {
                reader.took(*sent);
                if has_waited {
                    *last_wait = Instant::now();
                }
            }
            return Poll::Ready(result);
        }
        if self.waiting.is_none() {
            self.since = Instant::now();
        }
        loop {
            let (now, end) = (Instant::now(), self.deadline());
            // Others may need the memory meanwhile.
            let look = end.min(now + Patience::LOOK);
            let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep_until(look)));
            ready!(waiting.as_mut().poll(context));
            if end <= now {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            waiting.as_mut().reset(look);
        }
    }

    /// Until when the wait that has begun may take.
    fn deadline(&mut self) -> Instant {
        let (since, pause) = (self.since, self.pause);
        self.slow_reader.take_if(|(_, last_wait)| since >= *last_wait + pause);
        let (reader, _) = self.slow_reader.get_or_insert_with(|| (SlowReader::new(since), since));
        let patience = self.held.patience(pause).unwrap_or_else(|| Patience::usual(pause));
        reader.deadline(since, patience)
    }
}

impl<Stream: AsyncRead + Unpin> AsyncRead for StallGuard<'_, Stream> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.unread.is_empty() {
            let count = self.unread.len().min(buffer.remaining());
            buffer.put_slice(&self.unread.split_to(count));
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<Stream: AsyncWrite + Unpin> AsyncWrite for StallGuard<'_, Stream> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check_progress(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.check_progress(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The library flushes when everything that it holds has been written.
        self.permit.rest_if_answered();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::sleep,
    };

    use super::*;
    use crate::{
        connection_counts::ConnectionCounts,
        limits::Limits,
        permits::{ConnectionPermits, Home},
    };

    /// Sends 64 KiB to a client that reads `bytes_at_once` and then pauses.
    async fn send_to(bytes_at_once: usize, pause: Duration, longest: Duration) -> io::Result<()> {
        let permits = Arc::new(ConnectionPermits::new(
            &Limits::default(),
            Arc::new(ConnectionCounts::default()),
        ));
        let (permit, _) =
            permits.admit(None, Home { thread: 0, descriptor: 0 }, Instant::now()).unwrap();
        let (stream, mut client) = duplex(1024);
        let held = HeldNow::default();
        let mut guard = StallGuard::new(&permit, stream, Bytes::new(), longest, &held);
        let reading = async {
            let mut bytes = vec![0; bytes_at_once];
            loop {
                sleep(pause).await;
                client.read_exact(&mut bytes).await.unwrap();
            }
        };
        let bytes = vec![7; 64 << 10];
        tokio::select! {
            sent = guard.write_all(&bytes) => sent,
            () = reading => Ok(()),
        }
    }

    #[tokio::test]
    async fn a_client_that_reads_a_few_bytes_now_and_then_is_disconnected() {
        let sent = send_to(64, Duration::from_millis(20), Duration::from_millis(500)).await;
        assert_eq!(sent.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_client_that_reads_fast_enough_gets_everything() {
        // A busy machine may pause for longer than the client.
        send_to(1024, Duration::from_millis(1), Duration::from_secs(5)).await.unwrap();
    }
}
