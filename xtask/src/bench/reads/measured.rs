//! The results of the reads, as tables.

use std::fmt::Write as _;

use crate::bench::{comparison::Runs, effort::Effort, load::Load};

#[derive(Default)]
pub(crate) struct Reads {
    comparisons: Vec<Comparison>,
    filtered: Vec<Filtered>,
    /// Over other kinds of connections; here the load or a proxy is busier than the servers.
    connections: Vec<Comparison>,
    /// On the fast path, and by the HTTP library.
    fast_path: Vec<Comparison>,
    /// A connection per request: one thread, and a thread per core.
    pub(super) cores: [Vec<Load>; 2],
}

struct Comparison {
    name: String,
    runs: Runs,
}

/// A filtered page and an unfiltered page with as many rows.
struct Filtered {
    name: String,
    rows: usize,
    /// The bytes of both bodies: rows differ in length.
    bytes: [usize; 2],
    runs: Runs,
}

impl Reads {
    pub(super) fn comparison(&mut self, name: &str) -> &mut Runs {
        Comparison::named(&mut self.comparisons, name)
    }

    pub(super) fn connections(&mut self, name: &str) -> &mut Runs {
        Comparison::named(&mut self.connections, name)
    }

    pub(super) fn fast_path(&mut self, name: &str) -> &mut Runs {
        Comparison::named(&mut self.fast_path, name)
    }

    pub(super) fn filtered(&mut self, name: &str, rows: usize, bytes: [usize; 2]) -> &mut Runs {
        let known = self.filtered.iter().position(|filtered| filtered.name == name);
        let position = known.unwrap_or_else(|| {
            let runs = Runs::default();
            self.filtered.push(Filtered { name: name.to_owned(), rows, bytes, runs });
            self.filtered.len() - 1
        });
        &mut self.filtered[position].runs
    }

    pub(crate) fn section(&self, effort: Effort) -> String {
        let Effort { rounds, turns, turn, .. } = effort;
        let mut text = format!(
            "{rounds} rounds with newly started servers; {turns} turns of {} ms per server and round. In \
             the median turn, a server was busy at least {:.1} % of the time.\n\n",
            turn.as_millis(),
            self.least_busy() * 100.0,
        );
        text.push_str("| Read | ours /s | nginx /s | ratio | CPU per request, ours µs | nginx µs | CPU ratio | p99 ours | p99 nginx |\n");
        text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        for comparison in &self.comparisons {
            let _ = writeln!(text, "{}", comparison.row());
        }
        text.push_str("\n| Filtered page | rows | bytes | bytes unfiltered | CPU per request, µs | unfiltered µs | ratio |\n");
        text.push_str("|---|---:|---:|---:|---:|---:|---:|\n");
        for filtered in &self.filtered {
            let _ = writeln!(text, "{}", filtered.row());
        }
        text.push_str("\n| Connections | CPU per request, ours µs | nginx µs | CPU ratio |\n");
        text.push_str("|---|---:|---:|---:|\n");
        for comparison in &self.connections {
            let _ = writeln!(text, "{}", comparison.cost_row());
        }
        text.push_str("\n| Fast path | CPU per request, µs | by the library µs | CPU ratio |\n");
        text.push_str("|---|---:|---:|---:|\n");
        for comparison in &self.fast_path {
            let _ = writeln!(text, "{}", comparison.cost_row());
        }
        text.push_str(
            "\n| One record, a connection per request | one thread | a thread per core | ratio |\n",
        );
        text.push_str("|---|---:|---:|---:|\n");
        let [one, all] = self.cores.each_ref().map(|runs| Load::median(runs));
        for (name, one, all) in [
            ("CPU per request, µs", one.cpu, all.cpu),
            ("CPU per request of the busiest thread, µs", one.busiest, all.busiest),
        ] {
            let _ = writeln!(text, "| {name} | {one:.1} | {all:.1} | {:.2} |", one / all);
        }
        text
    }

    fn least_busy(&self) -> f64 {
        let runs = self.comparisons.iter().map(|comparison| &comparison.runs);
        runs.map(Runs::least_busy).fold(f64::INFINITY, f64::min)
    }
}

impl Comparison {
    fn named<'a>(all: &'a mut Vec<Self>, name: &str) -> &'a mut Runs {
        let known = all.iter().position(|comparison| comparison.name == name);
        let position = known.unwrap_or_else(|| {
            all.push(Self { name: name.to_owned(), runs: Runs::default() });
            all.len() - 1
        });
        &mut all[position].runs
    }

    /// A row with only the CPU time.
    fn cost_row(&self) -> String {
        let [ours, theirs] = self.runs.medians();
        let ratio = 1.0 / self.runs.ratio(|load| load.cpu);
        format!("| {} | {:.1} | {:.1} | {ratio:.2} |", self.name, ours.cpu, theirs.cpu)
    }

    fn row(&self) -> String {
        let [ours, theirs] = self.runs.medians();
        format!(
            "| {} | {:.0} | {:.0} | {:.2} | {:.1} | {:.1} | {:.2} | {:.2} ms | {:.2} ms |",
            self.name,
            ours.requests_a_second,
            theirs.requests_a_second,
            self.runs.ratio(|load| load.requests_a_second),
            ours.cpu,
            theirs.cpu,
            1.0 / self.runs.ratio(|load| load.cpu),
            ours.percentile_99 / 1e3,
            theirs.percentile_99 / 1e3,
        )
    }
}

impl Filtered {
    fn row(&self) -> String {
        let Self { name, rows, bytes: [bytes, unfiltered_bytes], runs } = self;
        let [cost, unfiltered] = runs.medians();
        let ratio = runs.ratio(|load| load.cpu);
        format!(
            "| {name} | {rows} | {bytes} | {unfiltered_bytes} | {:.1} | {:.1} | {ratio:.2} |",
            cost.cpu, unfiltered.cpu
        )
    }
}
