//! At most one line a minute about connections that were closed or rejected.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval},
};

use super::ConnectionPermits;
use crate::connection_counts::ConnectionCounts;

/// How long there is nothing more to say after a line.
const QUIET: Duration = Duration::from_mins(1);

/// How often there may be something to say.
const LOOKS: Duration = Duration::from_secs(2);

/// Reports for as long as the service runs, and what is left when it stops.
pub(crate) async fn report(permits: Arc<ConnectionPermits>, mut stopping: watch::Receiver<bool>) {
    let mut report = Report::default();
    let mut looks = interval(LOOKS);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let is_last = tokio::select! {
            _ = looks.tick() => false,
            _ = stopping.wait_for(|stopping| *stopping) => true,
        };
        if is_last {
            report.quiet_until = None;
        }
        if let Some(new) = report.due(Events::of(permits.counts()), Instant::now()) {
            tracing::warn!(
                closed_for_room = new.closed_for_room,
                closed_for_share = new.closed_for_share,
                refused = new.refused,
                refused_for_work = new.refused_for_work,
                refused_for_memory = new.refused_for_memory,
                open_connections = permits.counts().open.load(Ordering::Relaxed),
                "closed idle connections or refused requests because there were too many"
            );
        }
        if is_last {
            return;
        }
    }
}

/// How often each thing has happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Events {
    closed_for_room: u64,
    closed_for_share: u64,
    refused: u64,
    refused_for_work: u64,
    refused_for_memory: u64,
}

impl Events {
    fn of(counts: &ConnectionCounts) -> Self {
        Self {
            closed_for_room: counts.closed_for_room.load(Ordering::Relaxed),
            closed_for_share: counts.closed_for_share.load(Ordering::Relaxed),
            refused: counts.refused.load(Ordering::Relaxed),
            refused_for_work: counts.refused_for_work.load(Ordering::Relaxed),
            refused_for_memory: counts.refused_for_memory.load(Ordering::Relaxed),
        }
    }
}

#[derive(Debug, Default)]
struct Report {
    reported: Events,
    quiet_until: Option<Instant>,
}

impl Report {
    /// What has happened since the last line, if it is time for one.
    fn due(&mut self, events: Events, now: Instant) -> Option<Events> {
        if events == self.reported || self.quiet_until.is_some_and(|until| now < until) {
            return None;
        }
        let reported = std::mem::replace(&mut self.reported, events);
        self.quiet_until = Some(now + QUIET);
        Some(Events {
            closed_for_room: events.closed_for_room - reported.closed_for_room,
            closed_for_share: events.closed_for_share - reported.closed_for_share,
            refused: events.refused - reported.refused,
            refused_for_work: events.refused_for_work - reported.refused_for_work,
            refused_for_memory: events.refused_for_memory - reported.refused_for_memory,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_line_a_minute_with_everything_since_the_last() {
        let mut report = Report::default();
        let start = Instant::now();
        let events =
            |closed_for_room, refused| Events { closed_for_room, refused, ..Events::default() };
        assert_eq!(report.due(events(0, 0), start), None);
        assert_eq!(report.due(events(3, 0), start), Some(events(3, 0)));
        for second in 1..60 {
            assert_eq!(
                report.due(events(3 + second, 1), start + Duration::from_secs(second)),
                None
            );
        }
        assert_eq!(report.due(events(70, 1), start + QUIET), Some(events(67, 1)));
        assert_eq!(report.due(events(70, 1), start + 5 * QUIET), None);
    }
}
