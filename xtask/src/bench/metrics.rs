//! The server's metrics about its memory.

/// The bytes of the served catalog.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SnapshotBytes {
    /// Response bodies.
    pub(super) served: f64,
    /// Indexes that find them.
    pub(super) indexes: f64,
}

impl SnapshotBytes {
    /// Parses the text of `GET /metrics`.
    pub(super) fn read(metrics: &str) -> Option<Self> {
        let gauge = |part: &str| {
            let name = format!("appstitch_snapshot_bytes{{part=\"{part}\"}} ");
            let value = metrics.lines().find_map(|line| line.strip_prefix(&name))?;
            value.trim().parse().ok()
        };
        Some(Self { served: gauge("served")?, indexes: gauge("indexes")? })
    }

    pub(super) fn total(self) -> f64 {
        self.served + self.indexes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_gauges_are_found_among_others() {
        let metrics = "# TYPE appstitch_snapshot_bytes gauge\n\
            appstitch_snapshot_bytes{part=\"indexes\"} 250\n\
            appstitch_snapshot_bytes{part=\"served\"} 1.5e3\n\
            appstitch_apps 5296\n";
        let expected = SnapshotBytes { served: 1_500.0, indexes: 250.0 };
        assert_eq!(SnapshotBytes::read(metrics), Some(expected));
    }

    #[test]
    fn a_server_that_does_not_tell_is_no_failure() {
        assert_eq!(SnapshotBytes::read("appstitch_apps 5296\n"), None);
    }
}
