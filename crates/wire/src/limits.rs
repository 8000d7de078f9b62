//! Limits on what one client can use.

use std::{num::NonZero, time::Duration};

use crate::trusted_proxies::TrustedProxies;

#[derive(Debug, Clone)]
pub struct Limits {
    /// How many connections are open at once. For further ones, the longest idle are closed.
    pub connections: usize,
    /// How many of them a client address may have; by default a quarter.
    pub client_connections: Option<usize>,
    /// How many further connections are accepted for `/health` and `/admin` when none is idle.
    pub reserved_connections: usize,
    /// Connections from these addresses carry the requests of many clients.
    pub trusted_proxies: TrustedProxies,
    /// How long a client may take to send the head of a request, or stay idle between requests.
    pub header_time: Duration,
    /// The maximum size of a request's head, in bytes; at least 8192.
    pub header_bytes: usize,
    /// The maximum number of header fields of a request.
    pub header_fields: usize,
    /// How long sending a response may make no progress.
    pub write_time: Duration,
    /// How long a request may take.
    pub request_time: Duration,
    /// How long a request waits in the queue for compression. After that, the plain body is sent.
    pub compression_time: Duration,
    /// How long an upload may take to arrive.
    pub upload_time: Duration,
    /// The maximum size of an upload as it is sent, in bytes.
    pub upload_bytes: usize,
    /// The maximum size of an upload when uncompressed, in bytes.
    pub unpacked_bytes: usize,
    /// The maximum size of a tool's result, in bytes of JSON: more does not help a model.
    pub tool_bytes: usize,
    /// How long requests in flight may take when the service stops.
    pub stop_time: Duration,
    /// The memory for what clients send and for what is made for them, in bytes: the bodies of uploads
    /// and of messages to the tools, what is made of them until they are answered, and responses to reads
    /// until they are sent.
    pub memory_bytes: u64,
    /// How long a message to the tools may take to arrive.
    pub tool_body_time: Duration,
    /// How long a body may take before `body_rate` counts.
    pub body_grace: Duration,
    /// How many bytes of a body have to arrive per second on average.
    pub body_rate: u64,
    /// How many uploads wait while another one is worked on; further ones are rejected.
    pub waiting_uploads: usize,
    /// The maximum size of an inventory to check as it is sent, in bytes.
    pub inventory_bytes: usize,
    /// How many inventories are checked at once, and how many wait; further ones are rejected.
    pub inventory_checks: (usize, usize),
    /// How many inventories of one client are checked, wait or arrive; further ones are rejected.
    pub client_inventories: usize,
    /// How long an upload waits for the others, and how long reading it may take.
    pub turn_time: Duration,
    /// How many reads wait for a worker; further ones are rejected. A client address may have a quarter.
    pub waiting_reads: usize,
    /// How many threads receive requests; by default as many as there are cores.
    pub threads: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 16_384,
            client_connections: None,
            reserved_connections: 64,
            trusted_proxies: TrustedProxies::default(),
            header_time: Duration::from_secs(30),
            header_bytes: 32 << 10,
            header_fields: 100,
            write_time: Duration::from_secs(30),
            request_time: Duration::from_secs(30),
            compression_time: Duration::from_secs(2),
            upload_time: Duration::from_mins(5),
            upload_bytes: 64 << 20,
            unpacked_bytes: 512 << 20,
            tool_bytes: 512 << 10,
            stop_time: Duration::from_secs(10),
            memory_bytes: 1 << 30,
            tool_body_time: Duration::from_secs(10),
            body_grace: Duration::from_secs(5),
            body_rate: 8 << 10,
            waiting_uploads: 32,
            inventory_bytes: 16 << 20,
            inventory_checks: (2, 256),
            client_inventories: 8,
            turn_time: Duration::from_mins(5),
            waiting_reads: 1024,
            threads: None,
        }
    }
}

/// How many open files are left for the store, temporary files, and connections that were closed
/// to make room and are not gone yet.
const OTHER_FILES: usize = 256;

impl Limits {
    /// Reduces the number of connections to what a limit of open files has room for. Returns whether
    /// it had to.
    pub fn fit_open_files(&mut self, open_files: u64) -> bool {
        let open_files = usize::try_from(open_files).unwrap_or(usize::MAX);
        // With few files, half of them are for connections.
        let others = (OTHER_FILES + self.reserved_connections).min(open_files / 2);
        let room = (open_files - others).max(1);
        let has_too_many = self.connections > room;
        self.connections = self.connections.min(room);
        has_too_many
    }

    pub(crate) fn waiting_reads_per_client(&self) -> usize {
        (self.waiting_reads / 4).max(1)
    }

    /// How many threads receive requests, and how many others make answers on demand.
    pub(crate) fn thread_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.unwrap_or_else(cores).max(1)
    }

    #[must_use]
    pub fn connections_per_client(&self) -> usize {
        let share = self.client_connections.unwrap_or(self.connections / 4);
        share.clamp(1, self.connections.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_fit_into_the_open_files() {
        let fitted = |open_files| {
            let mut limits = Limits::default();
            let is_reduced = limits.fit_open_files(open_files);
            (limits.connections, limits.connections_per_client(), is_reduced)
        };
        assert_eq!(fitted(u64::MAX), (16_384, 4096, false));
        assert_eq!(fitted(20_000), (16_384, 4096, false));
        assert_eq!(fitted(4096), (3776, 944, true));
        assert_eq!(fitted(1024), (704, 176, true));
        assert_eq!(fitted(64), (32, 8, true));
        assert_eq!(fitted(0), (1, 1, true));
    }

    #[test]
    fn a_share_is_never_more_than_there_is() {
        let limits = |connections, client_connections| Limits {
            connections,
            client_connections,
            ..Limits::default()
        };
        assert_eq!(limits(10, Some(20)).connections_per_client(), 10);
        assert_eq!(limits(10, Some(0)).connections_per_client(), 1);
        assert_eq!(limits(10, None).connections_per_client(), 2);
    }
}
