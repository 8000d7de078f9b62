//! Limits on what one client can use.

use std::time::Duration;

/// Limits on connections, requests and uploads.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How many connections are served at once; further ones wait to be accepted.
    pub connections: usize,
    /// How long a client may take to send the head of a request, or stay idle between requests.
    pub header_time: Duration,
    /// The maximum size of a request's head, in bytes; at least 8192.
    pub header_bytes: usize,
    /// The maximum number of header fields of a request.
    pub header_fields: usize,
    /// How long sending an answer may make no progress.
    pub write_time: Duration,
    /// How long a request may take.
    pub request_time: Duration,
    /// How long a request waits until it is its turn to compress a body. After that, the plain body
    /// is sent.
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
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
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
        }
    }
}
