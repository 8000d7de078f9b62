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
    /// The memory for work on what clients send, in bytes: the bodies of uploads and of messages to
    /// the tools, and what is made of them until they are answered.
    pub memory_bytes: u64,
    /// How long a message to the tools may take to arrive.
    pub tool_body_time: Duration,
    /// How long a body may take before `body_rate` counts.
    pub body_grace: Duration,
    /// How many bytes of a body have to arrive per second on average.
    pub body_rate: u64,
    /// How many uploads wait while another one is worked on; further ones are rejected.
    pub waiting_uploads: usize,
    /// How long an upload waits for the others, and how long reading it may take.
    pub turn_time: Duration,
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
            memory_bytes: 1 << 30,
            tool_body_time: Duration::from_secs(10),
            body_grace: Duration::from_secs(5),
            body_rate: 8 << 10,
            waiting_uploads: 32,
            turn_time: Duration::from_mins(5),
        }
    }
}
