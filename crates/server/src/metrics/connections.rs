//! Counts of connections.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::text::MetricsText;

#[derive(Debug, Default)]
pub(crate) struct ConnectionCounts {
    /// Connections that are open now.
    pub(crate) open: AtomicUsize,
    /// Connections that were idle and were closed because all places were taken.
    pub(crate) closed_for_room: AtomicU64,
    /// The same because their client address had its share.
    pub(crate) closed_for_share: AtomicU64,
    /// Connections and requests that were answered with 503, or closed, because there was no room.
    pub(crate) refused: AtomicU64,
}

impl ConnectionCounts {
    pub(super) fn render(&self, text: &mut MetricsText) {
        text.start("appstitch_connections", "gauge", "Open connections");
        text.value(&[], self.open.load(Ordering::Relaxed));
        text.start(
            "appstitch_connections_closed_total",
            "counter",
            "Idle connections closed to make room: all places taken, or the share of a client address",
        );
        text.value(&[("reason", "room")], self.closed_for_room.load(Ordering::Relaxed));
        text.value(&[("reason", "share")], self.closed_for_share.load(Ordering::Relaxed));
        text.start(
            "appstitch_connections_refused_total",
            "counter",
            "Connections and requests refused because there was no room",
        );
        text.value(&[], self.refused.load(Ordering::Relaxed));
    }
}
