//! Counters and timings in Prometheus text.
//!
//! Every handle is made once and then only incremented: building labels per request would
//! cost more than answering.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use axum::http::StatusCode;
use jiff::Timestamp;
use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{
    Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};

use crate::{http::Route, snapshot::Snapshot};

/// Upper bounds of the latency buckets, in seconds.
const LATENCY_BUCKETS: [f64; 12] =
    [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1.0, 5.0];

const REQUESTS: &str = "appstitch_requests_total";
const LATENCY: &str = "appstitch_request_duration_seconds";
const SNAPSHOT_BYTES: &str = "appstitch_snapshot_bytes";
const UPLOADS: &str = "appstitch_uploads_total";

/// The statuses we answer with; anything else is counted as `other`.
const STATUSES: [(u16, &str); 15] = [
    (200, "200"),
    (204, "204"),
    (304, "304"),
    (307, "307"),
    (401, "401"),
    (404, "404"),
    (405, "405"),
    (408, "408"),
    (409, "409"),
    (413, "413"),
    (415, "415"),
    (422, "422"),
    (500, "500"),
    (503, "503"),
    (0, "other"),
];

pub(crate) struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    routes: Vec<RouteMetrics>,
    changed: Counter,
    unchanged: Counter,
    refused: Counter,
    apps: Gauge,
    served_bytes: Gauge,
    index_bytes: Gauge,
    snapshot_age: Gauge,
    last_upload: AtomicI64,
    last_upload_gauge: Gauge,
}

/// The handles of one route.
struct RouteMetrics {
    latency: Histogram,
    requests: [OnceLock<Counter>; STATUSES.len()],
}

/// How an upload ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum UploadResult {
    Changed,
    Unchanged,
    Refused,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let builder = PrometheusBuilder::new();
        let recorder = builder
            .set_buckets_for_metric(Matcher::Full(LATENCY.to_owned()), &LATENCY_BUCKETS)
            .unwrap_or_default()
            .build_recorder();
        let describe = |name: &'static str, text: &'static str| {
            recorder.describe_counter(name.into(), None, text.into());
        };
        describe(REQUESTS, "Requests answered, by route and status");
        describe(UPLOADS, "Uploads, by how they ended");
        recorder.describe_histogram(LATENCY.into(), None, "Time to answer, by route".into());
        let routes = Route::ALL.map(|route| RouteMetrics {
            latency: recorder.register_histogram(&route_key(LATENCY, route, None), &METADATA),
            requests: std::array::from_fn(|_| OnceLock::new()),
        });
        let upload = |result| {
            let key = Key::from_parts(UPLOADS, vec![Label::from_static_parts("result", result)]);
            recorder.register_counter(&key, &METADATA)
        };
        recorder.describe_gauge(
            SNAPSHOT_BYTES.into(),
            None,
            "Memory of the served catalog: what is sent, and what it is found by".into(),
        );
        let bytes = |part| {
            let labels = vec![Label::from_static_parts("part", part)];
            recorder.register_gauge(&Key::from_parts(SNAPSHOT_BYTES, labels), &METADATA)
        };
        let gauge = |name, text: &'static str| {
            recorder.describe_gauge(metrics::KeyName::from_const_str(name), None, text.into());
            recorder.register_gauge(&Key::from_static_name(name), &METADATA)
        };
        Self {
            routes: routes.into(),
            changed: upload("changed"),
            unchanged: upload("unchanged"),
            refused: upload("refused"),
            served_bytes: bytes("served"),
            index_bytes: bytes("indexes"),
            apps: gauge("appstitch_apps", "Apps in the served catalog"),
            snapshot_age: gauge(
                "appstitch_snapshot_age_seconds",
                "Time since the served catalog last changed",
            ),
            last_upload: AtomicI64::new(0),
            last_upload_gauge: gauge(
                "appstitch_last_upload_timestamp_seconds",
                "When the last upload was taken since the start, changed or not; 0 if none was",
            ),
            handle: recorder.handle(),
            recorder,
        }
    }

    /// Counts one answer.
    pub(crate) fn count(&self, route: Route, status: StatusCode, elapsed: Duration) {
        let Some(metrics) = self.routes.get(route as usize) else {
            return;
        };
        metrics.latency.record(elapsed.as_secs_f64());
        let index = STATUSES
            .iter()
            .position(|(code, _)| *code == status.as_u16())
            .unwrap_or(STATUSES.len() - 1);
        let (_, name) = STATUSES[index];
        metrics.requests[index]
            .get_or_init(|| {
                let key = route_key(REQUESTS, route, Some(name));
                self.recorder.register_counter(&key, &METADATA)
            })
            .increment(1);
    }

    /// Counts one upload.
    pub(crate) fn count_upload(&self, result: UploadResult) {
        let counter = match result {
            UploadResult::Changed => &self.changed,
            UploadResult::Unchanged => &self.unchanged,
            UploadResult::Refused => &self.refused,
        };
        counter.increment(1);
        if !matches!(result, UploadResult::Refused) {
            self.last_upload.store(Timestamp::now().as_second(), Ordering::Relaxed);
        }
    }

    /// Moves recorded timings into their buckets; without it they would pile up between
    /// scrapes.
    pub(crate) fn tidy(&self) {
        self.handle.run_upkeep();
    }

    /// Everything as Prometheus text.
    #[expect(clippy::cast_precision_loss, reason = "gauges are floats, and 52 bits are plenty")]
    pub(crate) fn render(&self, snapshot: &Snapshot) -> String {
        let stats = snapshot.stats();
        self.apps.set(stats.total_apps as f64);
        let sizes = snapshot.sizes();
        self.served_bytes.set(sizes.served as f64);
        self.index_bytes.set(sizes.indexes as f64);
        let age =
            stats.last_refresh.map_or(0, |time| Timestamp::now().as_second() - time.as_second());
        self.snapshot_age.set(age.max(0) as f64);
        self.last_upload_gauge.set(self.last_upload.load(Ordering::Relaxed) as f64);
        self.handle.render()
    }
}

const METADATA: Metadata<'static> =
    Metadata::new(module_path!(), Level::INFO, Some(module_path!()));

fn route_key(name: &'static str, route: Route, status: Option<&'static str>) -> Key {
    let mut labels = vec![Label::from_static_parts("route", route.pattern())];
    labels.extend(status.map(|status| Label::from_static_parts("status", status)));
    Key::from_parts(name, labels)
}
