//! Refreshing while the server runs.

use std::{sync::Arc, time::Duration};

use appstitch_network::NetworkAccess;
use appstitch_publish::Publisher;
use appstitch_refresh::{Schedule, ScheduleStatus, UpstreamConfig};
use appstitch_server::Links;
use appstitch_sources::Upstream;
use appstitch_store::Store;

use crate::{
    arguments::{Interval, ScheduleArguments},
    config::interval,
    exit::Failure,
    labels,
};

/// Reads the configuration file. A server that does not refresh rejects a broken one, too.
pub(super) fn config(arguments: &ScheduleArguments) -> Result<UpstreamConfig, Failure> {
    UpstreamConfig::read(arguments.config.as_deref()).map_err(Failure::wrong_use)
}

/// Reads the schedule; `None` if the server does not refresh by itself. The upstreams see the public
/// address of the service.
pub(super) fn read(
    arguments: &ScheduleArguments,
    config: UpstreamConfig,
    links: &Links,
) -> Result<Option<Schedule>, Failure> {
    let Interval(every) = arguments.refresh_every;
    if every.is_none() && !config.has_intervals() {
        if arguments.config.is_some() {
            tracing::warn!(
                "the server does not refresh by itself: the file of --config has no intervals; add --refresh-every"
            );
        }
        return Ok(None);
    }
    tracing::info!(sources = intervals(&config, every), "refreshing by itself");
    if let Some(titles) = config.titles() {
        // A wrong file must be noticed now, and not when the titles are due.
        titles.with_secret().map_err(Failure::wrong_use)?;
    }
    let public_address = links.absolute("");
    let access = NetworkAccess { public_address, ..arguments.access.read()? };
    let time_limit = arguments.refresh_time_limit;
    let token_file = arguments.github_token_file.as_deref();
    let labels = arguments
        .resolve_labels
        .then(|| labels::live_options(time_limit, token_file, access.clone()))
        .transpose()?;
    let told_missing_table = Arc::default();
    Ok(Some(Schedule { every, config, access, time_limit, labels, told_missing_table }))
}

/// What is refreshed how often: `label_tool every 1h, cask_catalog every 2h`.
fn intervals(config: &UpstreamConfig, every: Option<Duration>) -> String {
    let interval = |upstream: Upstream| {
        format!("{} every {}", upstream.token(), interval(config.every(upstream, every)))
    };
    let fetched = Upstream::ALL.into_iter().filter(|upstream| config.fetches(*upstream));
    fetched.map(interval).collect::<Vec<_>>().join(", ")
}

/// Starts to refresh. It is background work: requests come first.
pub(super) fn start(
    schedule: Schedule,
    store: Store,
    publisher: &Arc<Publisher>,
) -> Arc<ScheduleStatus> {
    let status = Arc::new(ScheduleStatus::default());
    let scheduled = Arc::clone(publisher);
    // It runs until the process ends.
    drop(publisher.background().spawn(schedule.run(store, scheduled, Arc::clone(&status))));
    status
}
