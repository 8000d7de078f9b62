//! Load on a server, from one thread that costs less than what it measures.
//!
//! A figure is the server's own only while the server is the busy one. The usual generators make
//! more calls to the kernel for each answer than a good server does, and copy every body only to
//! drop it; on a core as fast as the server's they are the limit, and two servers look alike. This
//! one makes two calls for a short answer and three for a long one, looks at its head alone, and
//! has the kernel drop the rest.

#![cfg(target_os = "linux")]

mod answer;
mod connection;
mod generator;
mod pauses;

use std::{io, net::SocketAddr, time::Duration};

use generator::Generator;

/// What is asked, by how many, and for how long.
pub struct Plan {
    /// Whom to ask.
    pub address: SocketAddr,
    /// The bytes of the requests, asked in turn.
    pub requests: Vec<Vec<u8>>,
    /// How many connections are kept busy.
    pub connections: usize,
    /// Whether each request has a connection of its own, closed by the server after the answer.
    pub fresh_connections: bool,
    /// Whether "not found" is an answer like any other.
    pub expects_missing: bool,
    /// How long a connection waits before it asks again, on average; without it asks at once.
    pub pause: Option<Duration>,
    /// How long to ask.
    pub duration: Duration,
    /// The core to ask from.
    pub core: usize,
}

/// What a run showed.
#[derive(Debug)]
pub struct Outcome {
    /// How long it took.
    pub elapsed: Duration,
    /// How many answers came in that time.
    pub answers: usize,
    /// How long each answer took, from the shortest to the longest, with those that came later.
    latencies: Vec<Duration>,
}

/// Asks as planned, on a thread of its own, and looks at something else when it begins to ask and
/// when it stops. A failure in an answer, or a missing answer, fails the run.
pub fn run<T: Send>(plan: &Plan, look: impl Fn() -> T + Send) -> io::Result<(Outcome, [T; 2])> {
    let ended = std::thread::scope(|scope| scope.spawn(|| Generator::new(plan)?.run(look)).join());
    ended.unwrap_or_else(|_| Err(io::Error::other("the load generator broke")))
}

impl Outcome {
    /// The time that this percentage of the answers stayed within.
    #[must_use]
    pub fn percentile(&self, percentage: f64) -> Duration {
        #[expect(clippy::cast_precision_loss, reason = "runs have far fewer answers")]
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
        let outcome = |latencies| Outcome { elapsed: Duration::ZERO, answers: 0, latencies };
        let answers = outcome((1..=200).map(Duration::from_nanos).collect());
        for (percentage, nanoseconds) in [(0.0, 1), (50.0, 100), (99.0, 198), (99.9, 200)] {
            assert_eq!(answers.percentile(percentage), Duration::from_nanos(nanoseconds));
        }
        assert_eq!(outcome(Vec::new()).percentile(99.0), Duration::ZERO);
    }
}
