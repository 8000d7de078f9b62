//! What one client can take from the service.

use std::time::Duration;

/// Bounds on connections, requests and uploads.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections served at once; further ones wait to be accepted.
    pub connections: usize,
    /// How long a client may take to send a request's head, or stay silent between requests.
    pub header_time: Duration,
    /// How large a request's head may be, in bytes; at least 8192.
    pub header_bytes: usize,
    /// How many header fields a request may have.
    pub header_fields: usize,
    /// How long a client may take nothing of an answer that is being sent.
    pub write_time: Duration,
    /// How long a request may take to be answered.
    pub request_time: Duration,
    /// How long an upload may take to arrive.
    pub upload_time: Duration,
    /// How large an upload may be as it is sent, in bytes.
    pub upload_bytes: usize,
    /// How large an upload may be once it is unpacked, in bytes.
    pub unpacked_bytes: usize,
    /// How much JSON a tool may return, in bytes: more than this helps no model.
    pub tool_bytes: usize,
    /// How long requests in flight may take to finish when the service stops.
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
            upload_time: Duration::from_mins(5),
            upload_bytes: 64 << 20,
            unpacked_bytes: 512 << 20,
            tool_bytes: 512 << 10,
            stop_time: Duration::from_secs(10),
        }
    }
}
