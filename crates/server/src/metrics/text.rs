//! Prometheus text: a metric's name, kind and meaning, and a line for each of its values.

use std::fmt::{Display, Write};

#[derive(Default)]
pub(super) struct MetricsText {
    text: String,
    name: &'static str,
}

impl MetricsText {
    pub(super) fn start(&mut self, name: &'static str, kind: &str, meaning: &str) {
        self.name = name;
        self.line(format_args!("# HELP {name} {meaning}"));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    /// Adds a value of the metric that was started last. Labels are fixed words and patterns, so
    /// nothing needs escaping.
    pub(super) fn value(&mut self, labels: &[(&str, &str)], value: impl Display) {
        let name = self.name;
        let labels: Vec<String> =
            labels.iter().map(|(label, value)| format!("{label}=\"{value}\"")).collect();
        if labels.is_empty() {
            self.line(format_args!("{name} {value}"));
        } else {
            self.line(format_args!("{name}{{{}}} {value}", labels.join(",")));
        }
    }

    /// Adds a route's histogram. Buckets are cumulative: each counts everything up to its bound.
    pub(super) fn histogram(
        &mut self,
        route: &str,
        bounds: impl Iterator<Item = &'static str>,
        buckets: &[u64],
        nanoseconds: u64,
    ) {
        let name = self.name;
        let mut count = 0;
        for (bound, bucket) in bounds.chain(["+Inf"]).zip(buckets) {
            count += bucket;
            self.line(format_args!("{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {count}"));
        }
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        self.line(format_args!("{name}_sum{{route=\"{route}\"}} {seconds}.{rest:09}"));
        self.line(format_args!("{name}_count{{route=\"{route}\"}} {count}"));
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_written_as_prometheus_reads_them() {
        let mut text = MetricsText::default();
        text.start("a_total", "counter", "How many");
        text.value(&[], 7);
        text.value(&[("x", "1"), ("y", "/apps/{slug}")], 8);
        text.start("b_seconds", "histogram", "How long");
        text.histogram("/apps", ["0.1", "1"].into_iter(), &[2, 0, 3], 4_050_000_000);
        assert_eq!(
            text.finish(),
            "# HELP a_total How many\n\
             # TYPE a_total counter\n\
             a_total 7\n\
             a_total{x=\"1\",y=\"/apps/{slug}\"} 8\n\
             # HELP b_seconds How long\n\
             # TYPE b_seconds histogram\n\
             b_seconds_bucket{route=\"/apps\",le=\"0.1\"} 2\n\
             b_seconds_bucket{route=\"/apps\",le=\"1\"} 2\n\
             b_seconds_bucket{route=\"/apps\",le=\"+Inf\"} 5\n\
             b_seconds_sum{route=\"/apps\"} 4.050000000\n\
             b_seconds_count{route=\"/apps\"} 5\n"
        );
    }
}
