//! Reads as proxies and scripts send them: over new connections, behind nginx, mixed with unknown
//! slugs and statistics. Also compares the fast path with the HTTP library.

use tempfile::TempDir;

use super::{
    Servers,
    cases::{ONE_RECORD, PAGE_OF_100},
    measured::Reads,
};
use crate::{
    bench::{
        comparison::take_turns,
        effort::{Effort, SERVING},
        http::Request,
        load::{Target, Workload},
        nginx::{Nginx, Upstream},
        server::Server,
    },
    run::Failure,
};

/// So many connections that every thread has something to do whenever it gets a core: one of them shares
/// its core with the load.
const MANY: usize = 256;

/// A header that the fast path does not handle, so that the HTTP library answers.
const UNKNOWN_FIELD: &str = "for-the-library";

pub(super) fn measure(servers: &Servers, slug: &str, reads: &mut Reads) -> Result<(), Failure> {
    fresh_connections(servers, slug, reads)?;
    behind_proxy(servers, slug, Upstream::Default, "behind nginx, its default", reads)?;
    behind_proxy(servers, slug, Upstream::KeepAlive, "behind nginx, keep-alive", reads)?;
    mixed(servers, slug, reads)?;
    library_alone(servers, slug, reads)
}

/// The first case has already written this body to nginx's folder.
fn record(slug: &str) -> [Request; 2] {
    [Request::get(&format!("/apps/{slug}")), Request::get("/app")]
}

fn fresh_connections(servers: &Servers, slug: &str, reads: &mut Reads) -> Result<(), Failure> {
    let asked = record(slug).map(|request| Workload::of(request).with_fresh_connections());
    let runs = reads.connections("one record, a connection per request");
    runs.add(servers.effort, [(servers.ours(), &asked[0]), (servers.theirs(), &asked[1])])
}

/// A connection per request, to a server with one thread and to one with a thread per core. The load
/// needs a core as well, so the processor time of the busiest thread is compared, not the rate: that is what
/// limits the rate if there are enough cores.
pub(super) fn on_all_cores(
    store: &TempDir,
    slug: &str,
    effort: Effort,
    reads: &mut Reads,
) -> Result<(), Failure> {
    let one = Server::start(store, Some(SERVING))?;
    let request = Request::get(&format!("/apps/{slug}"));
    let asked = Workload::of(request).with_fresh_connections().over(MANY);
    let mut loads = take_turns(effort, &[(target(&one), &asked)])?;
    one.stop()?;
    let all = Server::start(store, None)?;
    loads.extend(take_turns(effort, &[(target(&all), &asked)])?);
    all.stop()?;
    for (into, new) in reads.cores.iter_mut().zip(loads) {
        into.extend(new);
    }
    Ok(())
}

fn target(server: &Server) -> Target<'_> {
    Target { address: &server.address, process: &server.process }
}

/// Puts a proxy in front of each server, on the core of the load. The CPU time is that of the
/// servers behind it.
fn behind_proxy(
    servers: &Servers,
    slug: &str,
    upstream: Upstream,
    name: &str,
    reads: &mut Reads,
) -> Result<(), Failure> {
    let (ours, theirs) = (servers.ours(), servers.theirs());
    let proxies = [Nginx::proxy(ours.address, upstream)?, Nginx::proxy(theirs.address, upstream)?];
    let asked = record(slug).map(Workload::of);
    let sides = [
        (Target { address: &proxies[0].address, ..ours }, &asked[0]),
        (Target { address: &proxies[1].address, ..theirs }, &asked[1]),
    ];
    reads.connections(&format!("one record, {name}")).add(servers.effort, sides)
}

/// One request in ten is for an unknown slug, and one for the statistics.
fn mixed(servers: &Servers, slug: &str, reads: &mut Reads) -> Result<(), Failure> {
    servers.theirs.put("stats", &servers.ours.ask(&Request::get("/stats"))?.body)?;
    let mix = |record: &str, unknown: &str, stats: &str| {
        let mut paths = vec![record.to_owned(); 10];
        unknown.clone_into(&mut paths[3]);
        stats.clone_into(&mut paths[7]);
        Workload::in_turn(paths).expecting_missing()
    };
    let asked =
        [mix(&format!("/apps/{slug}"), "/apps/nobody", "/stats"), mix("/app", "/nobody", "/stats")];
    let runs = reads.connections("records, a tenth unknown slugs, a tenth statistics");
    runs.add(servers.effort, [(servers.ours(), &asked[0]), (servers.theirs(), &asked[1])])
}

/// The same reads from our server, on the fast path and by the HTTP library.
fn library_alone(servers: &Servers, slug: &str, reads: &mut Reads) -> Result<(), Failure> {
    let record = Request::get(&format!("/apps/{slug}"));
    let etag = servers.ours.ask(&record)?.etag;
    let unchanged = record.clone().with("if-none-match", &etag);
    let page = Request::get("/apps");
    for (name, request) in [(ONE_RECORD, record), ("304 by ETag", unchanged), (PAGE_OF_100, page)] {
        let library = request.clone().with(UNKNOWN_FIELD, "1");
        let asked = [request, library].map(Workload::of);
        let runs = reads.fast_path(name);
        runs.add(servers.effort, [(servers.ours(), &asked[0]), (servers.ours(), &asked[1])])?;
    }
    Ok(())
}
