//! Refreshing while the server runs.

use std::sync::Arc;

use appstitch_publish::Publisher;
use appstitch_refresh::{Schedule, ScheduleStatus, UpstreamConfig};
use appstitch_store::Store;

use crate::{
    arguments::{Interval, ScheduleArguments},
    exit::Failure,
    labels,
};

/// Reads the schedule; `None` if the server does not refresh by itself.
pub(super) fn read(arguments: &ScheduleArguments) -> Result<Option<Schedule>, Failure> {
    let Interval(Some(every)) = arguments.refresh_every else { return Ok(None) };
    let config = UpstreamConfig::read(arguments.config.as_deref()).map_err(Failure::wrong_use)?;
    let access = arguments.access.read()?;
    let time_limit = arguments.refresh_time_limit;
    let token_file = arguments.github_token_file.as_deref();
    let labels = arguments
        .resolve_labels
        .then(|| labels::live_options(time_limit, token_file, access.clone()))
        .transpose()?;
    Ok(Some(Schedule { every, config, access, time_limit, labels }))
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
