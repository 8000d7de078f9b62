//! Counters and timings in Prometheus text.
//!
//! Every response is counted, so counting is three additions to numbers that exist from the start.
//! A registry that looks up names, or collects timings, costs as much as finding the record.

mod connections;
mod process;
mod refresh;
mod sources;
mod text;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use appstitch_hooks::HookCounters;
use appstitch_refresh::ScheduleState;
use appstitch_snapshot::Snapshot;
use appstitch_wire::{ConnectionCounts, Memory};
use axum::http::StatusCode;
use jiff::Timestamp;

use crate::upload_queue::UploadQueue;
use text::MetricsText;

/// Upper bounds of the latency buckets: nanoseconds, and how they are written in seconds.
const BUCKETS: [(u64, &str); 12] = [
    (50_000, "0.00005"),
    (100_000, "0.0001"),
    (250_000, "0.00025"),
    (500_000, "0.0005"),
    (1_000_000, "0.001"),
    (2_500_000, "0.0025"),
    (5_000_000, "0.005"),
    (10_000_000, "0.01"),
    (50_000_000, "0.05"),
    (250_000_000, "0.25"),
    (1_000_000_000, "1"),
    (5_000_000_000, "5"),
];

/// The statuses that HTTP has.
const FIRST_STATUS: u16 = 100;
const STATUSES: usize = 500;

pub(crate) struct Metrics {
    /// A name and its numbers for each route, and for paths that are none at the end.
    routes: Vec<(&'static str, RouteMetrics)>,
    changed: AtomicU64,
    unchanged: AtomicU64,
    refused: AtomicU64,
    last_upload: AtomicI64,
    /// In seconds since 1970.
    started_at: i64,
    pub(crate) connections: Arc<ConnectionCounts>,
}

struct RouteMetrics {
    responses: Box<[AtomicU64]>,
    /// One more than there are bounds: the last is for everything slower.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    nanoseconds: AtomicU64,
}

impl Default for RouteMetrics {
    fn default() -> Self {
        Self {
            responses: (0..STATUSES).map(|_| AtomicU64::new(0)).collect(),
            buckets: Default::default(),
            nanoseconds: AtomicU64::new(0),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum UploadResult {
    Changed,
    Unchanged,
    Rejected,
}

/// Values that are read from other parts of the service at each scrape.
pub(crate) struct Gauges<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) memory: &'a Memory,
    pub(crate) uploads: &'a UploadQueue,
    pub(crate) store_answers: bool,
    /// How often the store lost what a process served.
    pub(crate) store_losses: u64,
    /// What `GET /sources` answers.
    pub(crate) sources: &'a [u8],
    /// `None` if the service sends no webhooks.
    pub(crate) hooks: Option<&'a HookCounters>,
    /// `None` without a refresh schedule.
    pub(crate) refresh: Option<ScheduleState>,
}

impl Metrics {
    /// Counts from zero, for routes with these names.
    pub(crate) fn new(routes: impl Iterator<Item = &'static str>) -> Self {
        Self {
            routes: routes.chain(["unknown"]).map(|name| (name, RouteMetrics::default())).collect(),
            changed: AtomicU64::new(0),
            unchanged: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            last_upload: AtomicI64::new(0),
            started_at: Timestamp::now().as_second(),
            connections: Arc::default(),
        }
    }

    pub(crate) fn count(&self, route: usize, status: StatusCode, elapsed: Duration) {
        let Some((_, metrics)) = self.routes.get(route) else {
            return;
        };
        let nanoseconds = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.iter().position(|(bound, _)| nanoseconds <= *bound);
        let status = usize::from(status.as_u16().saturating_sub(FIRST_STATUS));
        metrics.responses.get(status).into_iter().for_each(increment);
        increment(&metrics.buckets[bucket.unwrap_or(BUCKETS.len())]);
        metrics.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    pub(crate) fn count_upload(&self, result: UploadResult) {
        increment(match result {
            UploadResult::Changed => &self.changed,
            UploadResult::Unchanged => &self.unchanged,
            UploadResult::Rejected => &self.refused,
        });
        if !matches!(result, UploadResult::Rejected) {
            self.last_upload.store(Timestamp::now().as_second(), Ordering::Relaxed);
        }
    }

    /// Everything as Prometheus text. Routes without requests are left out.
    pub(crate) fn render(&self, gauges: &Gauges<'_>) -> String {
        let snapshot = gauges.snapshot;
        let mut text = MetricsText::default();
        process::render(&mut text, self.started_at);
        self.render_requests(&mut text);
        render_memory(&mut text, gauges.memory);
        let meaning = "Uploads that are worked on or wait";
        text.start("appstitch_uploads_in_progress", "gauge", meaning);
        text.value(&[], gauges.uploads.length());
        connections::render(&mut text, &self.connections);
        text.start("appstitch_uploads_total", "counter", "Uploads by result");
        for (result, count) in
            [("changed", &self.changed), ("unchanged", &self.unchanged), ("refused", &self.refused)]
        {
            text.value(&[("result", result)], read(count));
        }
        let last_upload = self.last_upload.load(Ordering::Relaxed);
        text.start(
            "appstitch_last_upload_timestamp_seconds",
            "gauge",
            "Time of the last accepted upload since the start, changed or not; 0 if there was none",
        );
        text.value(&[], last_upload);
        let meaning = "The served revision; always 1";
        text.start("appstitch_revision_info", "gauge", meaning);
        text.value(&[("revision", snapshot.token())], 1);
        text.start("appstitch_apps", "gauge", "Apps in the served catalog");
        text.value(&[], snapshot.stats().total_apps);
        text.start(
            "appstitch_snapshot_bytes",
            "gauge",
            "Memory of the served catalog: response bytes and indexes",
        );
        let sizes = snapshot.sizes();
        text.value(&[("part", "served")], sizes.served);
        text.value(&[("part", "indexes")], sizes.indexes);
        let changed_at = snapshot.stats().last_refresh;
        let age = changed_at.map_or(0, |time| Timestamp::now().as_second() - time.as_second());
        text.start(
            "appstitch_snapshot_age_seconds",
            "gauge",
            "Time since the served catalog last changed",
        );
        text.value(&[], age.max(0));
        let meaning = "Whether the store answers; reads do not need it";
        text.start("appstitch_store_up", "gauge", meaning);
        text.value(&[], u8::from(gauges.store_answers));
        let meaning = "How often the store lost a revision that a process served";
        text.start("appstitch_store_losses_total", "counter", meaning);
        text.value(&[], gauges.store_losses);
        sources::render(&mut text, gauges.sources);
        if let Some(hooks) = gauges.hooks {
            render_hooks(&mut text, hooks);
        }
        if let Some(state) = &gauges.refresh {
            refresh::render(&mut text, state);
        }
        text.finish()
    }

    fn render_requests(&self, text: &mut MetricsText) {
        text.start("appstitch_requests_total", "counter", "Requests answered, by route and status");
        for (route, metrics) in &self.routes {
            for (status, count) in (FIRST_STATUS..).zip(&metrics.responses) {
                let count = read(count);
                if count > 0 {
                    text.value(&[("route", route), ("status", &status.to_string())], count);
                }
            }
        }
        text.start("appstitch_request_duration_seconds", "histogram", "Time to answer, by route");
        for (route, metrics) in &self.routes {
            let buckets = metrics.buckets.each_ref().map(read);
            if buckets.iter().any(|count| *count > 0) {
                let bounds = BUCKETS.iter().map(|(_, seconds)| *seconds);
                text.histogram(route, bounds, &buckets, read(&metrics.nanoseconds));
            }
        }
    }
}

fn render_memory(text: &mut MetricsText, memory: &Memory) {
    let meaning = "Memory for what clients send, by use";
    text.start("appstitch_memory_limit_bytes", "gauge", meaning);
    for (name, pool) in memory.parts() {
        text.value(&[("use", name)], pool.size());
    }
    let meaning = "Memory that is reserved for what clients send, by use";
    text.start("appstitch_memory_reserved_bytes", "gauge", meaning);
    for (name, pool) in memory.parts() {
        text.value(&[("use", name)], pool.size().saturating_sub(pool.free()));
    }
}

fn render_hooks(text: &mut MetricsText, hooks: &HookCounters) {
    let meaning = "Attempts to deliver a webhook, by result";
    text.start("appstitch_hook_deliveries_total", "counter", meaning);
    for (result, count) in hooks.deliveries() {
        text.value(&[("result", result)], count);
    }
    text.start("appstitch_hooks", "gauge", "Webhooks by state");
    for (state, count) in hooks.hooks() {
        text.value(&[("state", state)], count);
    }
}

fn increment(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

fn read(count: &AtomicU64) -> u64 {
    count.load(Ordering::Relaxed)
}
