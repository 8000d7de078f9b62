//! A listener that holds a burst of new connections.

use std::{io, net::SocketAddr};

use tokio::net::{TcpListener, TcpSocket};

/// How many connections may wait to be accepted. The system reduces it to its own limit, which is
/// 4096 on Linux (`net.core.somaxconn`).
const BACKLOG: u32 = 65_535;

/// Listens on an address.
///
/// Fails if the address cannot be used, for example because the port is in use.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Connections of a process that has just ended do not block the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}
