//! Upstreams' files as one upload: a refresh of everything.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    http,
    scratch::Scratch,
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

    /// Keeps it as a file, to be sent from a core of one's choice.
    pub(super) fn store(&self, folder: &Scratch, name: &str) -> Result<StoredUpload, Failure> {
        Ok(StoredUpload(folder.write(name, &self.0)?))
    }
}

/// An upload in a file.
pub(super) struct StoredUpload(PathBuf);

impl StoredUpload {
    /// Sends it and returns how many seconds passed until it was answered.
    ///
    /// Another program sends it because it is easily pinned to a core: the sending would disturb
    /// whoever serves.
    pub(super) fn send_from(&self, core: usize, server: &Server) -> Result<f64, Failure> {
        let output = curl(core, &self.0, &server.address)
            .output()
            .map_err(|error| Failure(format!("curl: {error}")))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let (body, seconds) = text.rsplit_once('\n').unwrap_or_default();
        match seconds.parse() {
            Ok(seconds) if output.status.success() && body.contains("\"changed\":true") => {
                Ok(seconds)
            }
            _ => Err(Failure(format!(
                "a refresh was not published: {text} {}",
                String::from_utf8_lossy(&output.stderr)
            ))),
        }
    }
}

fn curl(core: usize, form: &Path, address: &str) -> Command {
    let mut command = Command::new("taskset");
    command
        .args(["-c", &core.to_string(), "curl", "--silent", "--show-error", "--fail-with-body"])
        .args(["--request", "PUT", "--write-out", "\n%{time_total}"])
        .args(["--header", &format!("authorization: Bearer {TOKEN}")])
        .args(["--header", &format!("content-type: multipart/form-data; boundary={BOUNDARY}")])
        // Else it waits for a word from the server before it sends the body.
        .args(["--header", "expect:"])
        .args(["--data-binary", &format!("@{}", form.display())])
        .arg(format!("http://{address}/admin/sources"));
    command
}
