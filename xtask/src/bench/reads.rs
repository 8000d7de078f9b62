//! Reads against nginx: each server on one core, the load on the other.

mod cases;

use std::{fmt::Write as _, time::Duration};

use super::{
    catalog,
    comparison::compare,
    effort::{Effort, SERVING},
    http::{self, Request},
    load::{Asking, Load, PERCENTILES, Target},
    nginx::Nginx,
    plot::Line,
    scratch::Scratch,
    server::Server,
};
use crate::run::Failure;
use cases::{BY_SOURCE, Case, ONE_RECORD, PAGE_OF_100, by_vendor, cases};

/// What every gzip file starts with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// One read, asked of both.
struct Comparison {
    name: String,
    ours: Load,
    theirs: Load,
}

/// A filtered page beside the page of as many rows that is not filtered.
struct Filtered {
    name: &'static str,
    rows: usize,
    /// The bytes of both bodies: rows are not all of one length.
    bytes: [usize; 2],
    costs: [Load; 2],
}

/// All that is known about reads.
pub(super) struct Reads {
    comparisons: Vec<Comparison>,
    filtered: Vec<Filtered>,
}

struct Servers {
    ours: Server,
    theirs: Nginx,
    effort: Effort,
}

/// Measures everything.
pub(super) fn measure(effort: Effort) -> Result<Reads, Failure> {
    let store = Scratch::new()?;
    let ours = Server::start(&store, Some(SERVING))?;
    catalog::fill(&ours)?;
    let (slug, vendor) = catalog::examples(&ours)?;
    let servers = Servers { ours, theirs: Nginx::start()?, effort };
    let mut comparisons = Vec::new();
    for case in cases(&slug, &vendor) {
        comparisons.extend(servers.both_forms(&case)?);
        if case.name == ONE_RECORD {
            comparisons.push(servers.unchanged(&case)?);
        }
    }
    let filtered = vec![
        servers.filtered("a vendor's apps", &by_vendor(&vendor))?,
        servers.filtered("a page of one source", BY_SOURCE)?,
    ];
    Ok(Reads { comparisons, filtered })
}

impl Servers {
    fn ours(&self) -> Target<'_> {
        Target { address: &self.ours.address, process: &self.ours.process }
    }

    fn theirs(&self) -> Target<'_> {
        Target { address: &self.theirs.address, process: &self.theirs.worker }
    }

    /// Plain, and packed where there is such a form.
    fn both_forms(&self, case: &Case) -> Result<Vec<Comparison>, Failure> {
        self.theirs.put(case.file, &self.ours.ask(&case.request)?.body)?;
        let mut forms = vec![(case.name.to_owned(), case.request.clone())];
        if case.packed {
            let request = case.request.clone().with("accept-encoding", "gzip");
            let form = if let Some(packed) = self.packed(&request)? {
                self.theirs.put(&format!("{}.gz", case.file), &packed)?;
                "gzip"
            } else {
                "gzip asked for, sent plain"
            };
            forms.push((format!("{}, {form}", case.name), request));
        }
        let compared = forms.into_iter().map(|(name, ours)| {
            let theirs = Request { path: format!("/{}", case.file), ..ours.clone() };
            self.compare(name, &ours, &theirs)
        });
        compared.collect()
    }

    /// A packed body; `None` if there is no such form. The first answers may come before it is
    /// made.
    fn packed(&self, request: &Request) -> Result<Option<Vec<u8>>, Failure> {
        for _ in 0..50 {
            let body = self.ours.ask(request)?.body;
            if body.starts_with(&GZIP) {
                return Ok(Some(body));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(None)
    }

    /// Both answer that nothing has changed.
    fn unchanged(&self, case: &Case) -> Result<Comparison, Failure> {
        let file = Request::get(&format!("/{}", case.file));
        let ours = self.ours.ask(&case.request)?.etag;
        let theirs = http::ask(&self.theirs.address, &file)?.etag;
        self.compare(
            "304 by ETag".to_owned(),
            &case.request.clone().with("if-none-match", &ours),
            &file.with("if-none-match", &theirs),
        )
    }

    fn compare(
        &self,
        name: String,
        ours: &Request,
        theirs: &Request,
    ) -> Result<Comparison, Failure> {
        let asked = [Asking::of(ours.clone()), Asking::of(theirs.clone())];
        let sides = [(self.ours(), &asked[0]), (self.theirs(), &asked[1])];
        let [ours, theirs] = compare(self.effort, sides)?;
        let comparison = Comparison { name, ours, theirs };
        eprintln!("{}", comparison.row());
        Ok(comparison)
    }

    /// Both pages from our server.
    fn filtered(&self, name: &'static str, path: &str) -> Result<Filtered, Failure> {
        let filtered = Request::get(path);
        let page = self.ours.ask(&filtered)?.body;
        let rows = String::from_utf8_lossy(&page).matches("{\"slug\":").count();
        let unfiltered = Request::get(&format!("/apps?limit={rows}"));
        let bytes = [page.len(), self.ours.ask(&unfiltered)?.body.len()];
        let asked = [filtered, unfiltered].map(Asking::of);
        let costs = compare(self.effort, [(self.ours(), &asked[0]), (self.ours(), &asked[1])])?;
        Ok(Filtered { name, rows, bytes, costs })
    }
}

impl Comparison {
    fn row(&self) -> String {
        let Self { name, ours, theirs } = self;
        format!(
            "| {name} | {:.0} | {:.0} | {:.2} | {:.1} | {:.1} | {:.2} | {:.2} ms | {:.2} ms |",
            ours.requests_a_second,
            theirs.requests_a_second,
            ours.requests_a_second / theirs.requests_a_second,
            ours.cpu,
            theirs.cpu,
            theirs.cpu / ours.cpu,
            ours.percentile_99() / 1e3,
            theirs.percentile_99() / 1e3,
        )
    }
}

impl Filtered {
    fn row(&self) -> String {
        let Self { name, rows, bytes: [bytes, unfiltered_bytes], costs: [cost, unfiltered] } = self;
        let ratio = cost.cpu / unfiltered.cpu;
        format!(
            "| {name} | {rows} | {bytes} | {unfiltered_bytes} | {:.1} | {:.1} | {ratio:.2} |",
            cost.cpu, unfiltered.cpu
        )
    }
}

impl Reads {
    /// The tables.
    pub(super) fn section(&self, effort: Effort) -> String {
        let mut text =
            format!("Turns of each side: {}, of {} s.\n\n", effort.turns, effort.seconds);
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
        text
    }

    /// The latencies that are drawn: percentile and microseconds.
    pub(super) fn lines(&self) -> Vec<Line> {
        let drawn = self
            .comparisons
            .iter()
            .filter(|comparison| [ONE_RECORD, PAGE_OF_100].contains(&comparison.name.as_str()));
        let lines = drawn.flat_map(|comparison| {
            [("appstitch", &comparison.ours), ("nginx", &comparison.theirs)].map(|(who, load)| {
                Line {
                    name: format!("{who}, {}", comparison.name),
                    points: PERCENTILES.into_iter().zip(load.latency).collect(),
                }
            })
        });
        lines.collect()
    }
}
