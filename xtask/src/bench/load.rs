//! Load from wrk, on a core of its own, and what it and the kernel report.

use std::process::Command;

use super::{effort::LOADING, figures::median, http::Request, process::Process, scratch::Scratch};
use crate::run::Failure;

/// The percentiles of the latency that are kept.
pub(super) const PERCENTILES: [f64; 8] = [50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99];

/// Connections that are kept busy.
const CONNECTIONS: &str = "32";

/// Who is asked, and whose processor time counts.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) address: &'a str,
    pub(super) process: &'a Process,
}

/// What is asked.
#[derive(Clone)]
pub(super) struct Asking {
    request: Request,
    /// Asked one after another instead of the request's own path.
    paths: Vec<String>,
    /// How long a connection waits before it asks again, on average.
    pause_milliseconds: Option<u32>,
}

/// What a run of load showed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    pub(super) requests_a_second: f64,
    /// The processor time that the server spent on each, in microseconds.
    pub(super) cpu: f64,
    /// The latency in microseconds, as `PERCENTILES` says.
    pub(super) latency: [f64; PERCENTILES.len()],
}

impl Load {
    pub(super) fn percentile_50(&self) -> f64 {
        self.latency[0]
    }

    pub(super) fn percentile_99(&self) -> f64 {
        self.latency[4]
    }

    /// The median of each figure.
    pub(super) fn median(runs: &[Self]) -> Self {
        let middle = |figure: &dyn Fn(&Self) -> f64| median(runs.iter().map(figure));
        Self {
            requests_a_second: middle(&|load| load.requests_a_second),
            cpu: middle(&|load| load.cpu),
            latency: std::array::from_fn(|index| middle(&|load| load.latency[index])),
        }
    }
}

impl Asking {
    pub(super) fn of(request: Request) -> Self {
        Self { request, paths: Vec::new(), pause_milliseconds: None }
    }

    /// Many paths in turn, so that no cache of the processor holds them all.
    pub(super) fn in_turn(paths: Vec<String>) -> Self {
        Self { paths, ..Self::of(Request::get("/")) }
    }

    pub(super) fn with_pauses(self, milliseconds: u32) -> Self {
        Self { pause_milliseconds: Some(milliseconds), ..self }
    }

    /// Asks for some seconds.
    pub(super) fn run(&self, target: Target<'_>, seconds: u32) -> Result<Load, Failure> {
        let folder = Scratch::new()?;
        let script = folder.write("load.lua", self.script().as_bytes())?;
        let before = target.process.threads()?;
        let output = Command::new("taskset")
            .args(["-c", &LOADING.to_string(), "wrk", "-t1", "-c", CONNECTIONS, "--latency"])
            // A slow answer is a slow answer, and no failure.
            .args(["--timeout", "10s"])
            .args(["-d", &format!("{seconds}s"), "-s"])
            .arg(&script)
            .arg(format!("http://{}{}", target.address, self.request.path))
            .output()
            .map_err(|error| Failure(format!("wrk: {error}")))?;
        let spent = target.process.threads()?.nanoseconds_since(&before);
        let text = String::from_utf8_lossy(&output.stdout);
        let report = Report::read(&text)
            .ok_or_else(|| Failure(format!("wrk said nothing of use: {text}")))?;
        if report.failures > 0.0 {
            return Err(Failure(format!(
                "{} requests failed at {}{}",
                report.failures, target.address, self.request.path
            )));
        }
        #[expect(clippy::cast_precision_loss, reason = "a run has few nanoseconds")]
        let spent = spent as f64;
        Ok(Load {
            requests_a_second: report.requests / report.microseconds * 1e6,
            cpu: spent / report.requests / 1e3,
            latency: report.latency,
        })
    }

    /// The script that makes the requests and prints the figures in one line.
    fn script(&self) -> String {
        let mut lines = Vec::new();
        if let Some(body) = &self.request.body {
            lines.push(format!("wrk.method = \"POST\"\nwrk.body = [==[{body}]==]"));
        }
        for (name, value) in &self.request.headers {
            lines.push(format!("wrk.headers[\"{name}\"] = [==[{value}]==]"));
        }
        if !self.paths.is_empty() {
            lines.push(format!("local paths = {{ [==[{}]==] }}", self.paths.join("]==], [==[")));
            lines.push(IN_TURN.to_owned());
        }
        if let Some(pause) = self.pause_milliseconds {
            // Equal pauses would let all connections ask at the same moment, and wait for each
            // other.
            lines.push(format!("delay = function() return math.random(1, {}) end", 2 * pause - 1));
        }
        let percentiles = PERCENTILES.map(|percentile| format!("latency:percentile({percentile})"));
        lines.push(REPORT.replace("PERCENTILES", &percentiles.join(", ")));
        lines.join("\n")
    }
}

const IN_TURN: &str = "\
local requests, turn = {}, 0
init = function()
  for index, path in ipairs(paths) do requests[index] = wrk.format(nil, path) end
end
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end";

const REPORT: &str = "\
done = function(summary, latency)
  local errors = summary.errors
  io.write(\"FIGURES \", table.concat({summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    PERCENTILES}, \" \"), \"\\n\")
end";

/// The line that the script prints.
#[derive(Debug, PartialEq)]
struct Report {
    requests: f64,
    microseconds: f64,
    /// Answers that were neither 2xx nor 3xx, and connections that failed.
    failures: f64,
    latency: [f64; PERCENTILES.len()],
}

impl Report {
    fn read(text: &str) -> Option<Self> {
        let line = text.lines().find_map(|line| line.strip_prefix("FIGURES "))?;
        let figures: Vec<f64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
        let [requests, microseconds, failures, ref latency @ ..] = figures[..] else {
            return None;
        };
        // Without a single answer there is nothing to divide by.
        let latency = latency.try_into().ok().filter(|_| requests > 0.0)?;
        Some(Self { requests, microseconds, failures, latency })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_figures_is_found() {
        let text = "Running 2s test\nFIGURES 100 2000000 0 1 2 3 4 5 6 7 8\n";
        let report = Report::read(text).unwrap();
        assert_eq!(
            report.latency.map(f64::to_bits),
            [1., 2., 3., 4., 5., 6., 7., 8.].map(f64::to_bits)
        );
    }

    #[test]
    fn a_run_without_answers_has_no_figures() {
        assert_eq!(Report::read("FIGURES 0 2000000 0 0 0 0 0 0 0 0 0\n"), None);
        assert_eq!(Report::read("unable to connect\n"), None);
    }
}
