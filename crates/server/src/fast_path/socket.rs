//! The first request of a connection, without waiting for the runtime to report the socket ready.
//!
//! A client that opens a connection for one request has usually sent it by the time the connection
//! is accepted. Waiting for that with a time limit costs more than the request. So the first request
//! is received, and a short answer sent, straight from and to the socket. If that does not work at
//! once, the runtime takes over.

use std::io;

use appstitch_snapshot::Payload;
use tokio::net::TcpStream;

use super::send::JOINED;

/// What has arrived: `None` if there is nothing yet, nothing if the client has closed.
#[cfg(target_os = "linux")]
pub(super) fn receive(socket: &TcpStream, room: &mut [u8]) -> io::Result<Option<usize>> {
    use rustix::net::{RecvFlags, recv};
    match recv(socket, room, RecvFlags::DONTWAIT) {
        Ok((count, _)) => Ok(Some(count)),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Sends a head and a short body behind it, as far as the socket accepts them at once. Returns how
/// much was sent, and the body if it is not part of the head now.
#[cfg(target_os = "linux")]
pub(super) fn send(
    socket: &TcpStream,
    head: &mut Vec<u8>,
    payload: Option<Payload>,
) -> io::Result<(usize, Option<Payload>)> {
    use rustix::net::{SendFlags, send};
    match payload {
        None => {}
        Some(Payload::Memory(body)) if body.length() <= JOINED => {
            body.slices().iter().for_each(|slice| head.extend_from_slice(slice));
        }
        long => return Ok((0, long)),
    }
    match send(socket, head, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
        Ok(sent) => Ok((sent, None)),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok((0, None)),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn receive(_: &TcpStream, _: &mut [u8]) -> io::Result<Option<usize>> {
    Ok(None)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn send(
    _: &TcpStream,
    _: &mut Vec<u8>,
    payload: Option<Payload>,
) -> io::Result<(usize, Option<Payload>)> {
    Ok((0, payload))
}
