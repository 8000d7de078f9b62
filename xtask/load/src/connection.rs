//! One connection that asks, and waits for its answer.

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

use crate::answer::whole_length;

/// How much is looked at: the whole of a short answer, and the head of any.
const LOOKED_AT: usize = 4096;

/// Room for what is received. Most of it is never touched.
pub(crate) const ROOM: usize = 1 << 20;

pub(crate) struct Connection {
    stream: TcpStream,
    /// When the request was sent that is not answered yet.
    pub(crate) asked_at: Option<Instant>,
    /// A head that is not complete yet.
    begun: Vec<u8>,
    /// How many bytes are still to come; `None` before there is a head.
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

    /// Sends a request. It is short, and nothing is on its way: the kernel takes it whole.
    pub(crate) fn ask(&mut self, request: &[u8], now: Instant) -> io::Result<()> {
        self.asked_at = Some(now);
        self.stream.write_all(request)
    }

    /// Receives what there is; where that is the end of an answer, returns when it was asked for.
    pub(crate) fn receive(&mut self, room: &mut [u8]) -> io::Result<Option<Instant>> {
        // Answered, and closed by the server since: there is nothing to wait for.
        if self.asked_at.is_none() {
            return Ok(None);
        }
        if self.missing.is_none() {
            let count = self.receive_into(&mut room[..LOOKED_AT], RecvFlags::empty())?;
            self.begin(&room[..count])?;
        }
        if let Some(missing @ 1..) = self.missing {
            // What it is told to cut off, the kernel drops without copying it.
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

    /// Takes the first bytes of an answer.
    fn begin(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.begun.extend_from_slice(bytes);
        let Some(length) = whole_length(&self.begun, self.expects_missing)? else { return Ok(()) };
        let Some(missing) = length.checked_sub(self.begun.len()) else {
            return Err(io::Error::other("an answer is longer than it says"));
        };
        self.begun.clear();
        self.missing = Some(missing);
        Ok(())
    }

    /// How much was received; nothing if there is nothing yet.
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
