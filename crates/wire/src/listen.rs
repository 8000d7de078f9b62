//! Listeners that hold a burst of new connections.

use std::{
    io,
    net::{SocketAddr, TcpListener},
};

use tokio::net::TcpSocket;

/// How many connections may wait to be accepted. The system reduces it to its own limit, which is
/// 4096 on Linux (`net.core.somaxconn`).
const BACKLOG: u32 = 65_535;

/// Listens on an address.
///
/// Fails if the address cannot be used, for example because the port is in use.
pub fn listen(address: SocketAddr) -> io::Result<tokio::net::TcpListener> {
    let socket = socket_for(address)?;
    // Connections of a process that has just ended do not block the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// As many listeners at the same address: the first one and others beside it. The system spreads new
/// connections over them.
///
/// The first one was bound alone. So a second server still finds the port in use, although several
/// sockets have it now.
#[cfg(target_os = "linux")]
pub(crate) fn listeners(first: TcpListener, count: usize) -> io::Result<Vec<TcpListener>> {
    let mut all = Vec::with_capacity(count);
    for _ in 1..count {
        all.push(beside(&first).or_else(|error| {
            tracing::warn!(%error, "cannot listen a second time; threads share a listener");
            first.try_clone()
        })?);
    }
    all.push(first);
    Ok(all)
}

#[cfg(target_os = "linux")]
fn beside(first: &TcpListener) -> io::Result<TcpListener> {
    rustix::net::sockopt::set_socket_reuseport(first, true)?;
    let address = first.local_addr()?;
    let socket = socket_for(address)?;
    // A client may be connected already, or was connected to the previous process.
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)?.into_std()
}

/// The same listener several times: other systems do not spread connections over sockets.
#[cfg(not(target_os = "linux"))]
pub(crate) fn listeners(first: TcpListener, count: usize) -> io::Result<Vec<TcpListener>> {
    let mut all = Vec::with_capacity(count);
    for _ in 1..count {
        all.push(first.try_clone()?);
    }
    all.push(first);
    Ok(all)
}

fn socket_for(address: SocketAddr) -> io::Result<TcpSocket> {
    if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_second_server_finds_the_port_in_use() {
        let first = listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.local_addr().unwrap();
        let all = listeners(first.into_std().unwrap(), 3).unwrap();
        assert_eq!(all.len(), 3);
        assert!(all.iter().all(|listener| listener.local_addr().unwrap() == address));
        assert_eq!(listen(address).unwrap_err().kind(), io::ErrorKind::AddrInUse);
    }

    #[tokio::test]
    async fn a_client_that_is_connected_already_does_not_stop_the_others() {
        let first = listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let _early = std::net::TcpStream::connect(first.local_addr().unwrap()).unwrap();
        let (_accepted, _) = first.accept().await.unwrap();
        let _waiting = std::net::TcpStream::connect(first.local_addr().unwrap()).unwrap();
        assert_eq!(listeners(first.into_std().unwrap(), 2).unwrap().len(), 2);
    }
}
