//! How refreshing each source went, as the store keeps it for every process that uses it.
//!
//! An attempt is written before anything is requested, as one that failed. So a process that is
//! killed, however often it is started again, does not ask earlier than after a failure.

use std::{sync::Arc, time::Duration};

use appstitch_publish::{Publisher, UploadProblem};
use appstitch_sources::Upstream;
use appstitch_store::{SourceRefresh, Store, StoreError};
use jiff::{SignedDuration, Timestamp};

use crate::{
    due,
    file_report::{FetchFailure, FileReport, FileResult},
    time_limit::TimeLimit,
    upstream_config::UpstreamConfig,
};

/// The rejected entries that are kept.
const KEPT_REJECTS: usize = 5;

pub(crate) const NOT_ENDED: &str = "the last attempt did not end";

/// The attempts of one refresh.
pub struct Attempts {
    refreshes: Vec<SourceRefresh>,
    /// For all sources of the refresh, so that they stay together.
    fraction: f64,
    usual: Option<Duration>,
}

impl Attempts {
    /// Writes that these sources are tried now. `usual` is the interval of the schedule.
    pub async fn begin(
        store: &Store,
        config: &UpstreamConfig,
        upstreams: &[Upstream],
        usual: Option<Duration>,
    ) -> Result<Self, StoreError> {
        let before = store.source_refreshes().await?;
        let (now, fraction) = (whole_millisecond(Timestamp::now()), due::fraction());
        let attempt = |upstream: &Upstream| {
            let source = upstream.token();
            let last = before.iter().find(|refresh| refresh.source == source);
            let failures = last.map_or(0, |last| last.failures).saturating_add(1);
            let every = config.every(*upstream, usual);
            SourceRefresh {
                source: source.to_owned(),
                tried_at: now,
                succeeded_at: last.and_then(|last| last.succeeded_at),
                next_at: due::next(every, now, failures, fraction),
                failures,
                why: Some(NOT_ENDED.to_owned()),
                entries: last.and_then(|last| last.entries),
                rejected: last.and_then(|last| last.rejected),
                rejects: last.map_or_else(|| "[]".to_owned(), |last| last.rejects.clone()),
            }
        };
        let refreshes: Vec<SourceRefresh> = upstreams.iter().map(attempt).collect();
        store.put_source_refreshes(refreshes.clone()).await?;
        Ok(Self { refreshes, fraction, usual })
    }

    /// Writes how they went.
    pub async fn end(
        mut self,
        store: &Store,
        config: &UpstreamConfig,
        reports: &[FileReport],
    ) -> Result<(), StoreError> {
        let now = whole_millisecond(Timestamp::now());
        for refresh in &mut self.refreshes {
            let Some(upstream) = Upstream::from_token(&refresh.source) else { continue };
            let every = config.every(upstream, self.usual);
            let own = reports.iter().filter(|report| report.upstream == upstream);
            settle(refresh, own, now, every, self.fraction);
        }
        store.put_source_refreshes(self.refreshes).await
    }
}

fn settle<'r>(
    refresh: &mut SourceRefresh,
    reports: impl Iterator<Item = &'r FileReport>,
    now: Timestamp,
    every: Duration,
    fraction: f64,
) {
    let (mut failure, mut counts): (Option<&FetchFailure>, Option<(u64, u64)>) = (None, None);
    let mut rejects: Vec<&UploadProblem> = Vec::new();
    let mut is_reported = false;
    for report in reports {
        is_reported = true;
        match &report.result {
            FileResult::Failed(why) => {
                failure.get_or_insert(why);
            }
            FileResult::Read(tally) => {
                let (entries, rejected) = counts.unwrap_or_default();
                counts = Some((entries + tally.received as u64, rejected + tally.rejected as u64));
                // Problems of rejected entries come first.
                rejects.extend(tally.problems.iter().take(tally.rejected));
            }
            FileResult::Unchanged | FileResult::Nothing(_) => {}
        }
    }
    if let Some((entries, rejected)) = counts {
        (refresh.entries, refresh.rejected) = (Some(entries), Some(rejected));
        rejects.truncate(KEPT_REJECTS);
        // Texts can always be written.
        refresh.rejects = serde_json::to_string(&rejects).unwrap_or_else(|_| "[]".to_owned());
    }
    if is_reported && failure.is_none() {
        (refresh.failures, refresh.why) = (0, None);
        refresh.succeeded_at = Some(now);
        refresh.next_at = due::next(every, refresh.tried_at, 0, fraction);
        return;
    }
    // Without a report, the refresh ended before it came to this source.
    let why = failure.map_or("nothing could be fetched or published", |failure| &failure.public);
    refresh.why = Some(why.to_owned());
    let wait = failure.and_then(|failure| SignedDuration::try_from(failure.wait?).ok());
    let until = wait.and_then(|wait| now.checked_add(wait).ok()).unwrap_or(now);
    // The pause counts from now: an attempt that hangs can take longer than it.
    refresh.next_at = due::next(every, now, refresh.failures, fraction).max(until);
}

/// When a source is due, if it was tried before: as written, but within the interval of now.
pub(crate) fn due_at(refresh: &SourceRefresh, every: Duration) -> Timestamp {
    if refresh.tried_at > Timestamp::now() {
        // The clock was ahead then, perhaps by years.
        return Timestamp::MIN;
    }
    if refresh.failures > 0 {
        return refresh.next_at;
    }
    let earliest = due::next(every, refresh.tried_at, 0, 0.0);
    let latest = due::next(every, refresh.tried_at, 0, 1.0);
    refresh.next_at.clamp(earliest, latest)
}

/// The state of a source that was received before anything was written about it.
pub(crate) fn received_before(
    upstream: Upstream,
    received_at: Timestamp,
    rejected: Option<u64>,
    every: Duration,
) -> SourceRefresh {
    SourceRefresh {
        source: upstream.token().to_owned(),
        tried_at: received_at,
        succeeded_at: Some(received_at),
        next_at: due::next(every, received_at, 0, due::fraction()),
        failures: 0,
        why: None,
        entries: None,
        rejected,
        rejects: "[]".to_owned(),
    }
}

/// What is told about the sources: an attempt that may still be under way is no failure.
pub(crate) fn told(
    refreshes: Vec<SourceRefresh>,
    now: Timestamp,
    time_limit: Option<Duration>,
) -> Vec<SourceRefresh> {
    let limit = TimeLimit::start(time_limit).left();
    let limit = SignedDuration::try_from(limit).unwrap_or(SignedDuration::MAX);
    let settled = |refresh: SourceRefresh| {
        let is_new = now.duration_since(refresh.tried_at) < limit;
        if !is_new || refresh.why.as_deref() != Some(NOT_ENDED) {
            return refresh;
        }
        SourceRefresh { failures: refresh.failures.saturating_sub(1), why: None, ..refresh }
    };
    refreshes.into_iter().map(settled).collect()
}

/// Shows on `/sources` what the store knows.
pub(crate) fn show(publisher: &Arc<Publisher>, refreshes: &[SourceRefresh]) {
    publisher.show_refreshes(refreshes.to_vec());
}

/// The precision of the store.
pub(crate) fn whole_millisecond(time: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(time.as_millisecond()).unwrap_or(time)
}

#[cfg(test)]
mod tests;
