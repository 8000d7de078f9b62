//! Following another server while this one runs.

use std::sync::Arc;

use anyhow::anyhow;
use appstitch_mirror::Origin;
use appstitch_publish::Publisher;
use appstitch_refresh::{MirrorSchedule, ScheduleStatus};
use appstitch_store::Store;

use crate::{arguments::ServeArguments, catalog::trust, exit::Failure};

/// Reads whom to follow; `None` if nobody.
pub(super) fn read(arguments: &ServeArguments) -> Result<Option<MirrorSchedule>, Failure> {
    let mirror = &arguments.mirror;
    let Some(origin) = &mirror.mirror else { return Ok(None) };
    if mirror.key.is_empty() && !mirror.unsigned {
        return Err(Failure::wrong_use(anyhow!("--mirror needs the public key of its origin"))
            .hint("pass it as --key, or pass --unsigned to verify nothing"));
    }
    Ok(Some(MirrorSchedule {
        origin: Origin::read(origin).map_err(Failure::wrong_use)?,
        trust: trust(&mirror.key)?,
        every: mirror.mirror_every,
        access: arguments.schedule.access.read()?,
    }))
}

/// Starts to follow. It is background work: requests come first.
pub(super) fn start(
    mirror: MirrorSchedule,
    store: Store,
    publisher: &Arc<Publisher>,
) -> Arc<ScheduleStatus> {
    publisher.only_mirror();
    let status = Arc::new(ScheduleStatus::default());
    let work = mirror.run(store, Arc::clone(publisher), Arc::clone(&status));
    // It runs until the process ends.
    drop(publisher.background().spawn(work));
    status
}
