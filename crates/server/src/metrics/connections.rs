//! Connections, and rejected connections and reads.

use std::sync::atomic::Ordering;

use appstitch_wire::ConnectionCounts;

use super::text::MetricsText;

pub(super) fn render(text: &mut MetricsText, counts: &ConnectionCounts) {
    text.start("appstitch_connections", "gauge", "Open connections");
    text.value(&[], counts.open.load(Ordering::Relaxed));
    text.start(
        "appstitch_connections_closed_total",
        "counter",
        "Idle connections closed to make room: all places taken, or the share of a client address",
    );
    text.value(&[("reason", "room")], counts.closed_for_room.load(Ordering::Relaxed));
    text.value(&[("reason", "share")], counts.closed_for_share.load(Ordering::Relaxed));
    text.start(
        "appstitch_connections_refused_total",
        "counter",
        "Connections and requests refused because there was no room",
    );
    text.value(&[], counts.refused.load(Ordering::Relaxed));
    text.start("appstitch_reads_waiting", "gauge", "Reads that wait to be made on demand");
    text.value(&[], counts.waiting_reads.load(Ordering::Relaxed));
    text.start(
        "appstitch_reads_refused_total",
        "counter",
        "Reads refused because too many were waiting, or because unsent answers took all memory",
    );
    text.value(&[("reason", "waiting")], counts.refused_for_work.load(Ordering::Relaxed));
    text.value(&[("reason", "memory")], counts.refused_for_memory.load(Ordering::Relaxed));
}
