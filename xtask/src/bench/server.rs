//! A server of the benchmark's own, and what the operating system says about it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use super::load::Request;
use crate::run::Failure;

const TOKEN: &str = "bench";
const BOUNDARY: &str = "appstitch-bench-boundary";

/// Ticks of the processor's clock in a second, as the kernel reports times.
const TICKS: f64 = 100.0;

pub(super) struct Server {
    process: Child,
    pub(super) address: String,
    store: PathBuf,
}

/// What came back.
pub(super) struct Answer {
    pub(super) etag: String,
    pub(super) body: Vec<u8>,
}

impl Server {
    /// Starts a server on a store of its own.
    pub(super) fn start() -> Result<Self, Failure> {
        Self::start_on(None)
    }

    /// The same, pinned to a core.
    pub(super) fn start_on(core: Option<usize>) -> Result<Self, Failure> {
        let folder = std::env::temp_dir().join(format!("appstitch-bench-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| Failure(error.to_string()))?;
        Self::start_in(folder, core)
    }

    /// Starts a server on the store of a folder.
    pub(super) fn start_in(folder: PathBuf, core: Option<usize>) -> Result<Self, Failure> {
        let mut command = match core {
            None => Command::new(super::binary()),
            Some(core) => {
                let mut command = Command::new("taskset");
                command.args(["-c", &core.to_string()]).arg(super::binary());
                command
            }
        };
        let mut process = command
            .args(["serve", "--no-sample", "--listen", "127.0.0.1:0", "--store"])
            .arg(format!("sqlite:{}", folder.join("catalog.db").display()))
            .env("APPSTITCH_DEPLOY_TOKEN", TOKEN)
            .env("APPSTITCH_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Failure(format!("the server does not start: {error}")))?;
        let stdout = process.stdout.take().ok_or_else(|| Failure("no stdout".to_owned()))?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(|error| Failure(error.to_string()))?;
        let address =
            line.trim().strip_prefix("listening on http://").unwrap_or_default().to_owned();
        Ok(Self { process, address, store: folder })
    }

    /// Asks once.
    pub(super) fn ask(&self, request: &Request) -> Result<Answer, Failure> {
        ask(&self.address, request)
    }

    /// Asks for something behind the deploy token, and returns the body.
    pub(super) fn ask_admin(
        &self,
        method: &str,
        path: &str,
        body: &str,
    ) -> Result<String, Failure> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        let answer = exchange(&self.address, head.as_bytes())?;
        Ok(String::from_utf8_lossy(&answer.body).into_owned())
    }

    /// Sends files as one change and returns the summary.
    pub(super) fn put_form(&self, parts: &[(&str, Vec<u8>)]) -> Result<String, Failure> {
        let mut body = Vec::new();
        for (name, bytes) in parts {
            let head = format!(
                "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"{name}\"\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        let head = format!(
            "PUT /admin/sources HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {TOKEN}\r\ncontent-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        let send = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(&self.address)?;
            stream.write_all(head.as_bytes())?;
            stream.write_all(&body)?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        let answer =
            send().map_err(|error| Failure(format!("the server does not answer: {error}")))?;
        if !answer.starts_with("HTTP/1.1 200") {
            return Err(Failure(format!("the server answered {answer}")));
        }
        Ok(answer)
    }

    /// Sends a request again and again over one connection, each when the last is answered.
    pub(super) fn repeat(&self, request: &str, times: u32) -> Result<(), Failure> {
        let send = || -> std::io::Result<()> {
            let mut stream = TcpStream::connect(&self.address)?;
            stream.set_nodelay(true)?;
            let mut answers = BufReader::new(stream.try_clone()?);
            let mut body = Vec::new();
            for _ in 0..times {
                stream.write_all(request.as_bytes())?;
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    answers.read_line(&mut line)?;
                    if let Some(value) = line.strip_prefix("content-length: ") {
                        length = value.trim().parse().unwrap_or_default();
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                }
                body.resize(length, 0);
                answers.read_exact(&mut body)?;
            }
            Ok(())
        };
        send().map_err(|error| Failure(format!("the server does not answer: {error}")))
    }

    /// The processor time the server has used so far.
    pub(super) fn cpu_seconds(&self) -> Result<f64, Failure> {
        let stat = self.proc("stat")?;
        let fields: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        // The 14th and 15th fields of the line; the first two are in front of the bracket.
        let ticks = |index: usize| {
            fields.get(index).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default()
        };
        Ok((ticks(11) + ticks(12)) / TICKS)
    }

    /// The most memory the server has held at one time.
    pub(super) fn peak_megabytes(&self) -> Result<u64, Failure> {
        let status = self.proc("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line
            .and_then(|line| line.split_whitespace().next())
            .and_then(|text| text.parse::<u64>().ok());
        Ok(kilobytes.unwrap_or_default() / 1024)
    }

    fn proc(&self, file: &str) -> Result<String, Failure> {
        let path = format!("/proc/{}/{file}", self.process.id());
        fs::read_to_string(&path).map_err(|error| Failure(format!("{path}: {error}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.store);
    }
}

/// Asks once.
pub(super) fn ask(address: &str, request: &Request) -> Result<Answer, Failure> {
    let body = request.body.as_deref().unwrap_or_default();
    let method = if request.body.is_some() { "POST" } else { "GET" };
    let mut text = format!("{method} {} HTTP/1.1\r\nhost: 127.0.0.1\r\n", request.path);
    for (name, value) in &request.headers {
        text.extend([format!("{name}: {value}\r\n")]);
    }
    text.extend([format!("content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())]);
    exchange(address, text.as_bytes())
}

/// Sends bytes and reads the answer to its end.
fn exchange(address: &str, request: &[u8]) -> Result<Answer, Failure> {
    let send = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(request)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    };
    let answer = send().map_err(|error| Failure(format!("{address} does not answer: {error}")))?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    if !head.starts_with("HTTP/1.1 2") {
        return Err(Failure(format!("{address} answered {head}")));
    }
    let etag = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("etag").then(|| value.to_owned())
    });
    let body = answer.get(end + 4..).unwrap_or_default().to_vec();
    Ok(Answer { etag: etag.unwrap_or_default(), body })
}
