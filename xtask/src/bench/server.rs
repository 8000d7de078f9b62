//! A server process for the benchmark.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

use super::{
    http::{self, Request, Response},
    process::Process,
};
use crate::run::{Failure, workspace};

pub(super) const TOKEN: &str = "bench";

/// The environment variable with an existing binary to measure.
pub(super) const BINARY: &str = "APPSTITCH_BENCH_BINARY";

pub(super) struct Server {
    child: Child,
    pub(super) process: Process,
    pub(super) address: String,
}

impl Server {
    /// Starts a server on the store in a folder, optionally pinned to a core.
    pub(super) fn start(folder: &TempDir, core: Option<usize>) -> Result<Self, Failure> {
        // Catalogs of a million apps are far above the usual limits.
        Self::start_with(folder, core, &["--memory-limit", "16GiB"])
    }

    /// The same on all cores, with the default limits.
    pub(super) fn start_with_defaults(folder: &TempDir) -> Result<Self, Failure> {
        Self::start_with(folder, None, &[])
    }

    /// A mirror of the server at an address, with a store of its own.
    pub(super) fn mirror(folder: &TempDir, origin: &str, every: &str) -> Result<Self, Failure> {
        let origin = format!("http://{origin}");
        let follow = ["--mirror", &origin, "--unsigned", "--allow-private"];
        Self::start_with(folder, None, &[&follow[..], &["--mirror-every", every]].concat())
    }

    fn start_with(
        folder: &TempDir,
        core: Option<usize>,
        arguments: &[&str],
    ) -> Result<Self, Failure> {
        let mut command = match core {
            None => Command::new(binary()),
            Some(core) => {
                let mut command = Command::new("taskset");
                command.args(["-c", &core.to_string()]).arg(binary());
                command
            }
        };
        let log_path = folder.path().join("server.log");
        let log = File::create(&log_path)
            .map_err(|error| Failure(format!("{}: {error}", log_path.display())))?;
        let mut child = command
            .args(["serve", "--no-sample", "--listen", "127.0.0.1:0", "--store"])
            .arg(format!("sqlite:{}", folder.path().join("catalog.db").display()))
            .env("APPSTITCH_DEPLOY_TOKEN", TOKEN)
            .args(arguments)
            .stdout(Stdio::piped())
            // Logging is on, as in production; the log goes to a file.
            .stderr(log)
            .spawn()
            .map_err(|error| Failure(format!("cannot start the server: {error}")))?;
        let process = Process::new(child.id());
        let stdout = child.stdout.take();
        let server = Self { child, process, address: String::new() };
        let mut line = String::new();
        let stdout = stdout.ok_or_else(|| Failure("the server has no stdout".to_owned()))?;
        BufReader::new(stdout).read_line(&mut line).map_err(|error| Failure(error.to_string()))?;
        match line.trim().strip_prefix("listening on http://") {
            Some(address) => Ok(server.at(address)),
            None => Err(Failure(format!(
                "the server did not start: {line}{}",
                fs::read_to_string(&log_path).unwrap_or_default()
            ))),
        }
    }

    fn at(mut self, address: &str) -> Self {
        address.clone_into(&mut self.address);
        self
    }

    /// Shuts the server down cleanly, so that its store is as after normal operation.
    pub(super) fn stop(mut self) -> Result<(), Failure> {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").arg(&id).status();
        let ended = asked.and_then(|_| self.child.wait());
        ended.map(drop).map_err(|error| Failure(format!("cannot stop the server: {error}")))
    }

    pub(super) fn ask(&self, request: &Request) -> Result<Response, Failure> {
        http::ask(&self.address, request)
    }

    /// Sends a request with the deploy token, and returns the body.
    pub(super) fn ask_admin(
        &self,
        method: &str,
        path: &str,
        body: &str,
    ) -> Result<String, Failure> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        let response = http::exchange(&self.address, &[request.as_bytes()])?;
        Ok(String::from_utf8_lossy(&response.body).into_owned())
    }

    /// The size of the catalog according to the server's metrics.
    pub(super) fn snapshot_bytes(&self) -> Result<SnapshotBytes, Failure> {
        let metrics = self.ask(&Request::get("/metrics"))?;
        SnapshotBytes::read(&String::from_utf8_lossy(&metrics.body))
            .ok_or_else(|| Failure("the metrics have no snapshot bytes".to_owned()))
    }

    /// Sends a request repeatedly over one connection, each after the previous response.
    pub(super) fn repeat(&self, request: &str, times: u32) -> Result<(), Failure> {
        let send = || -> std::io::Result<()> {
            let mut stream = TcpStream::connect(&self.address)?;
            stream.set_nodelay(true)?;
            let mut responses = BufReader::new(stream.try_clone()?);
            let mut body = Vec::new();
            for _ in 0..times {
                stream.write_all(request.as_bytes())?;
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    responses.read_line(&mut line)?;
                    if let Some(value) = line.strip_prefix("content-length: ") {
                        length = value.trim().parse().unwrap_or_default();
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                }
                body.resize(length, 0);
                responses.read_exact(&mut body)?;
            }
            Ok(())
        };
        send().map_err(|error| Failure(format!("no response from the server: {error}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn binary() -> PathBuf {
    if let Some(built) = std::env::var_os(BINARY) {
        return PathBuf::from(built);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace().join("target"), PathBuf::from);
    target.join("release").join("appstitch")
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SnapshotBytes {
    pub(super) served: f64,
    /// Indexes that find them.
    pub(super) indexes: f64,
}

impl SnapshotBytes {
    /// Parses the text of `GET /metrics`.
    pub(super) fn read(metrics: &str) -> Option<Self> {
        let gauge = |part: &str| {
            let name = format!("appstitch_snapshot_bytes{{part=\"{part}\"}} ");
            let value = metrics.lines().find_map(|line| line.strip_prefix(&name))?;
            value.trim().parse().ok()
        };
        Some(Self { served: gauge("served")?, indexes: gauge("indexes")? })
    }

    pub(super) fn total(self) -> f64 {
        self.served + self.indexes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_gauges_are_found_among_others() {
        let metrics = "# TYPE appstitch_snapshot_bytes gauge\n\
            appstitch_snapshot_bytes{part=\"indexes\"} 250\n\
            appstitch_snapshot_bytes{part=\"served\"} 1.5e3\n\
            appstitch_apps 5296\n";
        let expected = SnapshotBytes { served: 1_500.0, indexes: 250.0 };
        assert_eq!(SnapshotBytes::read(metrics), Some(expected));
    }
}
