//! Load from wrk, on a core of its own, and what it reports.

use std::{fs, path::PathBuf, process::Command};

use crate::run::Failure;

/// A request that is sent again and again.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) headers: Vec<(&'static str, String)>,
    /// For a POST.
    pub(super) body: Option<String>,
}

impl Request {
    pub(super) fn get(path: &str) -> Self {
        Self { path: path.to_owned(), headers: Vec::new(), body: None }
    }

    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// What a run of load showed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    pub(super) requests_a_second: f64,
    /// In microseconds.
    pub(super) median: f64,
    pub(super) percentile_99: f64,
    /// Answers that were neither 2xx nor 3xx, and connections that failed.
    pub(super) failures: u64,
}

/// Connections that are kept busy.
const CONNECTIONS: &str = "32";

/// Sends a request for some seconds from a core.
pub(super) fn run(
    core: usize,
    address: &str,
    request: &Request,
    seconds: u32,
) -> Result<Load, Failure> {
    let script = script(request)?;
    let output = Command::new("taskset")
        .args(["-c", &core.to_string(), "wrk", "-t1", "-c", CONNECTIONS, "--latency"])
        .args(["-d", &format!("{seconds}s"), "-s"])
        .arg(&script)
        .arg(format!("http://{address}{}", request.path))
        .output()
        .map_err(|error| Failure(format!("wrk: {error}")))?;
    let _ = fs::remove_file(&script);
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("FIGURES "));
    let figures: Vec<f64> =
        line.unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
    let [requests, microseconds, median, percentile_99, failures] = figures[..] else {
        return Err(Failure(format!("wrk said nothing of use: {text}")));
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
    Ok(Load {
        requests_a_second: requests / microseconds * 1e6,
        median,
        percentile_99,
        failures: failures as u64,
    })
}

/// The script that makes the request and prints the figures in one line.
fn script(request: &Request) -> Result<PathBuf, Failure> {
    let mut text = String::new();
    if let Some(body) = &request.body {
        text.extend([format!("wrk.method = \"POST\"\nwrk.body = [==[{body}]==]\n")]);
    }
    for (name, value) in &request.headers {
        text.extend([format!("wrk.headers[\"{name}\"] = [==[{value}]==]\n")]);
    }
    text.push_str(
        "done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(\"FIGURES %d %d %d %d %d\\n\", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
",
    );
    let path = std::env::temp_dir().join(format!("appstitch-load-{}.lua", std::process::id()));
    fs::write(&path, text).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    Ok(path)
}
