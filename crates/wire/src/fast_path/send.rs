//! Sending a response with as few system calls and copies as possible.

use std::{
    future::poll_fn,
    io::{self, IoSlice},
    task::Poll,
    time::Duration,
};

use appstitch_bodies::{FileRange, Payload, Slices};
use tokio::{io::Interest, net::TcpStream, time::Instant};

use super::{deadline::Deadline, exchange::Outgoing};
use crate::{
    memory::{Held, Patience},
    permits::ConnectionPermit,
    slow_reader::SlowReader,
};

/// Up to this length a body is appended to its head: one piece costs the kernel less than two.
pub(super) const JOINED: usize = 8 << 10;

/// From this length on a body is many packets, even if they are as long as 64 KiB.
const MANY_PACKETS: usize = 256 << 10;

/// A response that is being sent.
pub(super) struct Sending<'a> {
    stream: &'a TcpStream,
    deadline: &'a mut Deadline,
    pause: Duration,
    held: Option<Held>,
    /// The permit of the connection, if it is taken for idle while the last bytes are sent.
    idle: Option<&'a ConnectionPermit>,
    /// Set when the client makes us wait for the first time.
    slow_reader: Option<SlowReader>,
}

impl<'a> Sending<'a> {
    pub(super) fn new(stream: &'a TcpStream, deadline: &'a mut Deadline, pause: Duration) -> Self {
        Self { stream, deadline, pause, held: None, idle: None, slow_reader: None }
    }

    /// Sends a head and its body; returns whether it had to wait for the client. A client that reads
    /// nothing for too long is disconnected. If the connection has been idle since a time when that is
    /// done, it counts as idle before the client has a short response: with it, the client may open
    /// another connection, which needs a permit.
    pub(super) async fn send(
        mut self,
        head: &mut Vec<u8>,
        body: Option<Outgoing>,
        idle: Option<(&'a ConnectionPermit, Instant)>,
    ) -> io::Result<bool> {
        let payload = body.map(|body| {
            self.held = body.held;
            body.payload
        });
        match payload {
            Some(Payload::Memory(body) | Payload::Made(body)) if body.length() > JOINED => {
                self.send_parts(head, &body).await?;
            }
            Some(Payload::File(range)) => self.send_file(head, &range).await?,
            short => {
                if let Some(Payload::Memory(body) | Payload::Made(body)) = short {
                    body.slices().iter().for_each(|part| head.extend_from_slice(part));
                }
                if let Some((permit, since)) = idle {
                    permit.rest(since);
                    self.idle = Some(permit);
                }
                self.send_bytes(head).await?;
            }
        }
        Ok(self.slow_reader.is_some())
    }

    async fn send_bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let stream = self.stream;
        while !bytes.is_empty() {
            let sent = self.progress(|| try_send(stream, bytes, false)).await?;
            bytes = &bytes[sent..];
        }
        Ok(())
    }

    async fn send_parts(&mut self, head: &[u8], body: &Slices) -> io::Result<()> {
        let stream = self.stream;
        let [first, second, third] = body.slices();
        let mut pieces = [head, first, second, third].map(IoSlice::new);
        let mut rest = &mut pieces[..];
        while !rest.is_empty() {
            let sent = self.progress(|| stream.try_write_vectored(rest)).await?;
            IoSlice::advance_slices(&mut rest, sent);
        }
        Ok(())
    }

    async fn send_file(&mut self, mut head: &[u8], range: &FileRange) -> io::Result<()> {
        let stream = self.stream;
        let is_held = range.length() >= MANY_PACKETS;
        if is_held {
            hold_back(stream, true)?;
        }
        while !head.is_empty() {
            let sent = self.progress(|| try_send(stream, head, true)).await?;
            head = &head[sent..];
        }
        let mut already = 0;
        while already < range.length() {
            already += self
                .progress(|| stream.try_io(Interest::WRITABLE, || range.send(stream, already)))
                .await?;
        }
        if is_held {
            hold_back(stream, false)?;
        }
        Ok(())
    }

    /// Tries until something is sent, and waits for the client in between.
    async fn progress(&mut self, attempt: impl Fn() -> io::Result<usize>) -> io::Result<usize> {
        loop {
            match attempt() {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait().await?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => {
                    if let (Some(reader), Ok(sent)) = (&mut self.slow_reader, &result) {
                        reader.took(*sent);
                    }
                    return result;
                }
            }
        }
    }

    async fn wait(&mut self) -> io::Result<()> {
        // It is not idle as long as something is left to send.
        if self.idle.take().is_some_and(|permit| !permit.begin()) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let started = Instant::now();
        let reader = self.slow_reader.get_or_insert_with(|| SlowReader::new(started));
        loop {
            let patience = match &self.held {
                Some(held) => held.patience(self.pause),
                None => Patience::usual(self.pause),
            };
            let end = reader.deadline(started, patience);
            // Others may need the memory meanwhile.
            let look = if self.held.is_some() { Instant::now() + Patience::LOOK } else { end };
            self.deadline.move_to(look.min(end));
            let is_writable = poll_fn(|context| match self.stream.poll_write_ready(context) {
                Poll::Ready(ready) => Poll::Ready(ready.map(|()| true)),
                Poll::Pending => self.deadline.poll_reached(context).map(|()| Ok(false)),
            });
            if is_writable.await? {
                return Ok(());
            }
            if end <= Instant::now() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }
}

/// Makes the kernel send full packets only, or ends that. Otherwise every acknowledgment that
/// arrives while a body is handed over makes it send a partial packet: on one machine a page of a
/// thousand rows took a quarter more packets and a tenth more time.
#[cfg(target_os = "linux")]
fn hold_back(stream: &TcpStream, hold: bool) -> io::Result<()> {
    Ok(rustix::net::sockopt::set_tcp_cork(stream, hold)?)
}

#[cfg(not(target_os = "linux"))]
fn hold_back(_: &TcpStream, _: bool) -> io::Result<()> {
    Ok(())
}

/// Hands bytes to the kernel and says whether more will follow. Through the C library this costs a
/// few percent more per read.
#[cfg(target_os = "linux")]
fn try_send(stream: &TcpStream, bytes: &[u8], more: bool) -> io::Result<usize> {
    use rustix::net::{SendFlags, send};
    let flags = SendFlags::NOSIGNAL | if more { SendFlags::MORE } else { SendFlags::empty() };
    stream.try_io(Interest::WRITABLE, || Ok(send(stream, bytes, flags)?))
}

#[cfg(not(target_os = "linux"))]
fn try_send(stream: &TcpStream, bytes: &[u8], _: bool) -> io::Result<usize> {
    stream.try_write(bytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::Arc;

    use appstitch_bodies::BodyFile;
    use tokio::{io::AsyncReadExt, net::TcpListener};

    use super::*;

    #[tokio::test]
    async fn a_long_body_leaves_nothing_held_back() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let file = Arc::new(BodyFile::create().unwrap());
        for length in [MANY_PACKETS - 1, MANY_PACKETS] {
            let range = file.append(&[vec![b'x'; length].into()]).unwrap();
            let patience = Duration::from_secs(5);
            let mut deadline = Deadline::new(Instant::now() + patience);
            let mut head = b"head".to_vec();
            let mut received = vec![0; head.len() + length];
            let body = Some(Outgoing { payload: Payload::File(range), held: None });
            let sending = Sending::new(&stream, &mut deadline, patience);
            let sent = sending.send(&mut head, body, None);
            let (sent, _) = tokio::join!(sent, client.read_exact(&mut received));
            sent.unwrap();
            assert!(received.starts_with(b"headx") && received.ends_with(b"x"));
            assert!(!rustix::net::sockopt::tcp_cork(&stream).unwrap(), "{length}");
        }
    }
}
