//! Upstreams' files as one upload: a refresh of everything.

use super::{
    http,
    server::{Server, TOKEN},
};
use crate::run::Failure;

const BOUNDARY: &str = "appstitch-bench-boundary";

/// A multipart form with files, each under the name of its source.
pub(super) struct Upload(Vec<u8>);

impl Upload {
    pub(super) fn new(parts: &[(&str, Vec<u8>)]) -> Self {
        let mut form = Vec::new();
        for (name, bytes) in parts {
            let head = format!(
                "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"{name}\"\r\n\r\n"
            );
            form.extend_from_slice(head.as_bytes());
            form.extend_from_slice(bytes);
            form.extend_from_slice(b"\r\n");
        }
        form.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        Self(form)
    }

    /// Sends it and returns the summary.
    pub(super) fn send(&self, server: &Server) -> Result<String, Failure> {
        let head = format!(
            "PUT /admin/sources HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {TOKEN}\r\ncontent-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            self.0.len()
        );
        let answer = http::exchange(&server.address, &[head.as_bytes(), &self.0])?;
        Ok(String::from_utf8_lossy(&answer.body).into_owned())
    }
}
