//! One connection: sends a request and waits for its response.

use std::{
    io::{self, Write as _},
    net::{SocketAddr, TcpStream},
    os::fd::{AsFd, BorrowedFd},
    time::Instant,
};

use rustix::{
    io::Errno,
    net::{RecvFlags, recv},
};

use crate::response::whole_length;

/// How many bytes are read first: a whole short response, and the head of any other.
const LOOKED_AT: usize = 4096;

/// The size of the receive buffer. Most of it is never touched.
pub(crate) const ROOM: usize = 1 << 20;

pub(crate) struct Connection {
    stream: TcpStream,
    /// When the pending request was sent; `None` if there is none.
    pub(crate) asked_at: Option<Instant>,
    /// An incomplete head.
    begun: Vec<u8>,
    /// The number of bytes still to come; `None` until the head is complete.
    missing: Option<usize>,
    expects_missing: bool,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr, expects_missing: bool) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self { stream, asked_at: None, begun: Vec::new(), missing: None, expects_missing })
    }

    /// Sends a request. It is short and the only one in flight, so the kernel accepts it whole.
    pub(crate) fn ask(&mut self, request: &[u8], now: Instant) -> io::Result<()> {
        self.asked_at = Some(now);
        self.stream.write_all(request)
    }

    /// Receives available bytes. At the end of a response, returns when its request was sent.
    pub(crate) fn receive(&mut self, room: &mut [u8]) -> io::Result<Option<Instant>> {
        // No pending request: the server only closed the connection.
        if self.asked_at.is_none() {
            return Ok(None);
        }
        if self.missing.is_none() {
            let count = self.receive_into(&mut room[..LOOKED_AT], RecvFlags::empty())?;
            self.begin(&room[..count])?;
        }
        if let Some(missing @ 1..) = self.missing {
            // With this flag the kernel drops the bytes without copying them.
            let longest = missing.min(room.len());
            let count = self.receive_into(&mut room[..longest], RecvFlags::TRUNC)?;
            self.missing = Some(missing - count);
        }
        if self.missing != Some(0) {
            return Ok(None);
        }
        self.missing = None;
        Ok(self.asked_at.take())
    }

    /// Adds to the head of a response; once it is complete, determines what is missing.
    fn begin(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.begun.extend_from_slice(bytes);
        let Some(length) = whole_length(&self.begun, self.expects_missing)? else { return Ok(()) };
        let Some(missing) = length.checked_sub(self.begun.len()) else {
            return Err(io::Error::other("response longer than its content-length"));
        };
        self.begun.clear();
        self.missing = Some(missing);
        Ok(())
    }

    /// The number of bytes received; 0 if none are available yet.
    fn receive_into(&self, room: &mut [u8], flags: RecvFlags) -> io::Result<usize> {
        match recv(&self.stream, room, flags) {
            Ok((_, 0)) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok((_, count)) => Ok(count),
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
