//! Receiving a request and sending a short response without waiting.

use std::{io, net::TcpStream};

use appstitch_bodies::Payload;
use rustix::{
    io::Errno,
    net::{RecvFlags, SendFlags},
};

use super::{exchange::Outgoing, send::JOINED};

/// What has arrived: `None` if there is nothing yet, nothing if the client has closed.
pub(super) fn receive(socket: &TcpStream, room: &mut [u8]) -> io::Result<Option<usize>> {
    match rustix::net::recv(socket, room, RecvFlags::DONTWAIT) {
        Ok((count, _)) => Ok(Some(count)),
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Sends a head and a short body behind it, as far as the socket accepts them at once. Returns how
/// much was sent, and the body if it is not part of the head now.
pub(super) fn send(
    socket: &TcpStream,
    head: &mut Vec<u8>,
    body: Option<Outgoing>,
) -> io::Result<(usize, Option<Outgoing>)> {
    match body {
        None => {}
        Some(Outgoing { payload: Payload::Memory(body) | Payload::Made(body), .. })
            if body.length() <= JOINED =>
        {
            body.slices().iter().for_each(|slice| head.extend_from_slice(slice));
        }
        long => return Ok((0, long)),
    }
    match rustix::net::send(socket, head, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
        Ok(sent) => Ok((sent, None)),
        Err(Errno::AGAIN | Errno::INTR) => Ok((0, None)),
        Err(error) => Err(error.into()),
    }
}
