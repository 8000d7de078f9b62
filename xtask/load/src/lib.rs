//! A load generator in one thread, cheaper than the servers it measures.
//!
//! A measurement is about the server only if the server is the bottleneck. The usual generators
//! make more system calls per response than a good server does, and copy every body only to drop
//! it. On a core as fast as the server's, they are the bottleneck, and all servers look alike. This
//! one makes two system calls for a short response and three for a long one, reads only the head,
//! and has the kernel drop the rest.

#![cfg(target_os = "linux")]

mod connection;
mod generator;
mod pauses;
mod response;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpStream},
    time::Duration,
};

use rustix::net::{AddressFamily, SocketType};

use generator::Generator;

/// The requests to send, on how many connections, and for how long.
pub struct Plan {
    pub address: SocketAddr,
    /// The bytes of the requests, sent in turn.
    pub requests: Vec<Vec<u8>>,
    pub connections: usize,
    /// Whether each request uses a new connection, which the server closes after the response.
    pub fresh_connections: bool,
    pub expects_missing: bool,
    /// The average pause of a connection between requests; `None` for no pause.
    pub pause: Option<Duration>,
    /// How long to send requests.
    pub duration: Duration,
    pub core: usize,
}

#[derive(Debug)]
pub struct Measurement {
    pub elapsed: Duration,
    pub responses: usize,
    /// The latency of each response in ascending order, including those that came later.
    latencies: Vec<Duration>,
}

/// Sends the planned requests from a new thread, and calls `look` at the start and at the end. An
/// error response or a missing one fails the run.
pub fn run<T: Send>(plan: &Plan, look: impl Fn() -> T + Send) -> io::Result<(Measurement, [T; 2])> {
    let ended = std::thread::scope(|scope| scope.spawn(|| Generator::new(plan)?.run(look)).join());
    ended.unwrap_or_else(|_| Err(io::Error::other("the load generator panicked")))
}

/// Connects from an address of this machine: to a server, another address is another client.
pub fn connect_from(from: Ipv4Addr, to: SocketAddr) -> io::Result<TcpStream> {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None)?;
    rustix::net::bind(&socket, &SocketAddr::from((from, 0)))?;
    rustix::net::connect(&socket, &to)?;
    Ok(socket.into())
}

impl Measurement {
    /// The latency that this percentage of the responses did not exceed.
    pub fn percentile(&self, percentage: f64) -> Duration {
        #[expect(clippy::cast_precision_loss, reason = "runs have far fewer responses")]
        let rank = percentage / 100.0 * self.latencies.len() as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank is a small positive number"
        )]
        let index = (rank.ceil() as usize).clamp(1, self.latencies.len().max(1)) - 1;
        self.latencies.get(index).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_time_of_an_answer() {
        let measurement =
            |latencies| Measurement { elapsed: Duration::ZERO, responses: 0, latencies };
        let responses = measurement((1..=200).map(Duration::from_nanos).collect());
        for (percentage, nanoseconds) in [(0.0, 1), (50.0, 100), (99.0, 198), (99.9, 200)] {
            assert_eq!(responses.percentile(percentage), Duration::from_nanos(nanoseconds));
        }
        assert_eq!(measurement(Vec::new()).percentile(99.0), Duration::ZERO);
    }
}
