//! How much of a response the system may keep for a client that does not read.
//!
//! The system keeps up to some megabytes for a connection, in memory that all connections share and
//! that belongs to no process. A client that opens thousands of connections and reads from none
//! could use it up; then the system resets the connections of others.

use rustix::fd::AsFd;

/// How many bytes it keeps for a connection that is one of many. The system doubles it, to have room
/// for its own bookkeeping.
const UNSENT: usize = 32 << 10;

/// Bounds what the system keeps for a connection.
pub(super) fn bound_unsent(socket: impl AsFd) {
    if let Err(error) = rustix::net::sockopt::set_socket_send_buffer_size(socket, UNSENT) {
        tracing::debug!(%error, "cannot bound what is kept for a connection");
    }
}
