//! All upstream files as one upload: a full refresh.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use super::{
    http,
    server::{Server, TOKEN},
};
use crate::run::Failure;

const BOUNDARY: &str = "appstitch-bench-boundary";

/// A multipart form with files, each named after its source.
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

    pub(super) fn send(&self, server: &Server) -> Result<String, Failure> {
        let head = format!(
            "PUT /admin/sources HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {TOKEN}\r\ncontent-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            self.0.len()
        );
        let response = http::exchange(&server.address, &[head.as_bytes(), &self.0])?;
        Ok(String::from_utf8_lossy(&response.body).into_owned())
    }

    /// Writes the upload to a file, to be sent from a given core.
    pub(super) fn store(&self, folder: &TempDir, name: &str) -> Result<StoredUpload, Failure> {
        let path = folder.path().join(name);
        std::fs::write(&path, &self.0)
            .map_err(|error| Failure(format!("{}: {error}", path.display())))?;
        Ok(StoredUpload(path))
    }
}

pub(super) struct StoredUpload(PathBuf);

impl StoredUpload {
    /// Sends the upload and returns the seconds until the response.
    ///
    /// A separate program sends it, because it can be pinned to a core where it does not disturb
    /// the server.
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
                "refresh not published: {text} {}",
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
        // Without this, curl waits for `100 Continue` before it sends the body.
        .args(["--header", "expect:"])
        .args(["--data-binary", &format!("@{}", form.display())])
        .arg(format!("http://{address}/admin/sources"));
    command
}
