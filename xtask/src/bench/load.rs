//! Load on a server from a separate core, measured by the load generator and the kernel.

use std::time::Duration;

use appstitch_load::{Measurement, Plan};

use super::{effort::LOADING, figures::median, http::Request, process::Process};
use crate::run::Failure;

/// The number of connections, unless another one is asked for.
const CONNECTIONS: usize = 32;

/// The server, and the process whose CPU time is measured.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) address: &'a str,
    pub(super) process: &'a Process,
}

#[derive(Clone)]
pub(super) struct Workload {
    request: Request,
    /// Requested in turn instead of the request's own path.
    paths: Vec<String>,
    pause: Option<Duration>,
    fresh_connections: bool,
    expects_missing: bool,
    connections: usize,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    pub(super) requests_a_second: f64,
    /// The server's CPU time per request, in microseconds.
    pub(super) cpu: f64,
    /// The same of its busiest thread.
    pub(super) busiest: f64,
    /// The share of the time that the server was busy.
    pub(super) busy: f64,
    /// Latencies in microseconds.
    pub(super) percentile_50: f64,
    pub(super) percentile_99: f64,
}

impl Load {
    pub(super) fn median(runs: &[Self]) -> Self {
        let middle = |figure: &dyn Fn(&Self) -> f64| median(runs.iter().map(figure));
        Self {
            requests_a_second: middle(&|load| load.requests_a_second),
            cpu: middle(&|load| load.cpu),
            busiest: middle(&|load| load.busiest),
            busy: middle(&|load| load.busy),
            percentile_50: middle(&|load| load.percentile_50),
            percentile_99: middle(&|load| load.percentile_99),
        }
    }
}

impl Workload {
    pub(super) fn of(request: Request) -> Self {
        Self {
            request,
            paths: Vec::new(),
            pause: None,
            fresh_connections: false,
            expects_missing: false,
            connections: CONNECTIONS,
        }
    }

    /// Requests many paths in turn, so that no CPU cache holds all of them.
    pub(super) fn in_turn(paths: Vec<String>) -> Self {
        Self { paths, ..Self::of(Request::get("/")) }
    }

    pub(super) fn with_pauses(self, average: Duration) -> Self {
        Self { pause: Some(average), ..self }
    }

    pub(super) fn with_fresh_connections(self) -> Self {
        let request = self.request.with("connection", "close");
        Self { request, fresh_connections: true, ..self }
    }

    pub(super) fn over(self, connections: usize) -> Self {
        Self { connections, ..self }
    }

    pub(super) fn expecting_missing(self) -> Self {
        Self { expects_missing: true, ..self }
    }

    pub(super) fn run(&self, target: Target<'_>, duration: Duration) -> Result<Load, Failure> {
        let failed = |why: &dyn std::fmt::Display| {
            Failure(format!("{}{}: {why}", target.address, self.request.path))
        };
        let plan = Plan {
            address: target.address.parse().map_err(|error| failed(&error))?,
            requests: self.requests(),
            connections: self.connections,
            fresh_connections: self.fresh_connections,
            expects_missing: self.expects_missing,
            pause: self.pause,
            duration,
            core: LOADING,
        };
        let ran = appstitch_load::run(&plan, || target.process.threads());
        let (measurement, [before, after]) = ran.map_err(|error| failed(&error))?;
        let (before, after) = (before?, after?);
        let spent = [after.nanoseconds_since(&before), after.busiest_since(&before)];
        if measurement.responses == 0 {
            return Err(failed(&"no responses"));
        }
        Ok(load(&measurement, spent.map(Duration::from_nanos)))
    }

    fn requests(&self) -> Vec<Vec<u8>> {
        if self.paths.is_empty() {
            return vec![self.request.text().into_bytes()];
        }
        let requests = self.paths.iter().map(|path| Request::get(path).text().into_bytes());
        requests.collect()
    }
}

fn load(measurement: &Measurement, [spent, busiest]: [Duration; 2]) -> Load {
    #[expect(clippy::cast_precision_loss, reason = "a run has far fewer responses")]
    let responses = measurement.responses as f64;
    let microseconds = |duration: Duration| duration.as_secs_f64() * 1e6;
    Load {
        requests_a_second: responses / measurement.elapsed.as_secs_f64(),
        cpu: microseconds(spent) / responses,
        busiest: microseconds(busiest) / responses,
        busy: spent.as_secs_f64() / measurement.elapsed.as_secs_f64(),
        percentile_50: microseconds(measurement.percentile(50.0)),
        percentile_99: microseconds(measurement.percentile(99.0)),
    }
}
