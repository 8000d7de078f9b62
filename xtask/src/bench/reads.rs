//! Reads compared with nginx: the servers on one core, the load on another.

mod cases;
mod connections;
mod measured;

use std::time::Duration;

use super::{
    catalog::{self, Stored},
    comparison::Runs,
    effort::{Effort, SERVING},
    http::{self, Request},
    load::{Target, Workload},
    nginx::Nginx,
    server::Server,
};
use crate::run::Failure;
use cases::{BY_SOURCE, Case, ONE_RECORD, by_vendor, cases};
use measured::Reads;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Measures everything; each round starts new servers.
pub(super) fn measure(effort: Effort) -> Result<Reads, Failure> {
    let Stored { store, slug, vendor } = catalog::stored()?;
    let mut reads = Reads::default();
    for round in 1..=effort.rounds {
        eprintln!("reads, round {round} of {}", effort.rounds);
        let servers = Servers {
            ours: Server::start(&store, Some(SERVING))?,
            theirs: Nginx::start()?,
            effort,
        };
        for case in cases(&slug, &vendor) {
            servers.both_forms(&case, &mut reads)?;
            if case.name == ONE_RECORD {
                servers.unchanged(&case, &mut reads)?;
            }
        }
        servers.filtered("a vendor's apps", &by_vendor(&vendor), &mut reads)?;
        servers.filtered("a page of one source", BY_SOURCE, &mut reads)?;
        connections::measure(&servers, &slug, &mut reads)?;
        drop(servers);
        connections::on_all_cores(&store, &slug, effort, &mut reads)?;
    }
    Ok(reads)
}

struct Servers {
    ours: Server,
    theirs: Nginx,
    effort: Effort,
}

impl Servers {
    fn ours(&self) -> Target<'_> {
        Target { address: &self.ours.address, process: &self.ours.process }
    }

    fn theirs(&self) -> Target<'_> {
        Target { address: &self.theirs.address, process: &self.theirs.worker }
    }

    /// Compares the plain body, and the compressed one if there is one.
    fn both_forms(&self, case: &Case, reads: &mut Reads) -> Result<(), Failure> {
        self.theirs.put(case.file, &self.ours.ask(&case.request)?.body)?;
        let compressed = case.request.clone().with("accept-encoding", "gzip");
        let form = if let Some(packed) = self.packed(&compressed)? {
            self.theirs.put(&format!("{}.gz", case.file), &packed)?;
            "gzip"
        } else {
            "gzip accepted, sent plain"
        };
        let plain = (case.name.to_owned(), case.request.clone());
        for (name, ours) in [plain, (format!("{}, {form}", case.name), compressed)] {
            let theirs = Request { path: format!("/{}", case.file), ..ours.clone() };
            self.compare(ours, theirs, reads.comparison(&name))?;
        }
        Ok(())
    }

    /// The compressed body; `None` if there is none. The first responses may come before it is
    /// ready.
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

    fn unchanged(&self, case: &Case, reads: &mut Reads) -> Result<(), Failure> {
        let file = Request::get(&format!("/{}", case.file));
        let ours = self.ours.ask(&case.request)?.etag;
        let theirs = http::ask(&self.theirs.address, &file)?.etag;
        self.compare(
            case.request.clone().with("if-none-match", &ours),
            file.with("if-none-match", &theirs),
            reads.comparison("304 by ETag"),
        )
    }

    fn compare(&self, ours: Request, theirs: Request, runs: &mut Runs) -> Result<(), Failure> {
        let asked = [ours, theirs].map(Workload::of);
        runs.add(self.effort, [(self.ours(), &asked[0]), (self.theirs(), &asked[1])])
    }

    /// Compares a filtered page with an unfiltered one; both are from our server.
    fn filtered(&self, name: &str, path: &str, reads: &mut Reads) -> Result<(), Failure> {
        let filtered = Request::get(path);
        let page = self.ours.ask(&filtered)?.body;
        let rows = String::from_utf8_lossy(&page).matches("{\"slug\":").count();
        let unfiltered = Request::get(&format!("/apps?limit={rows}"));
        let bytes = [page.len(), self.ours.ask(&unfiltered)?.body.len()];
        let asked = [filtered, unfiltered].map(Workload::of);
        let runs = reads.filtered(name, rows, bytes);
        runs.add(self.effort, [(self.ours(), &asked[0]), (self.ours(), &asked[1])])
    }
}
