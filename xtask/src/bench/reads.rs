//! Reads against nginx: each server on one core, the load on the other, turn by turn.

use super::{
    catalog,
    load::{self, Load, Request},
    nginx::Nginx,
    server::Server,
};
use crate::run::Failure;

/// The core of whoever serves, and that of the load.
const SERVING: usize = 0;
const LOADING: usize = 1;

/// How often each pair of runs is repeated, and how long a run is.
const TURNS: usize = 5;
const SECONDS: u32 = 2;

/// One comparison.
pub(super) struct Comparison {
    pub(super) name: &'static str,
    pub(super) ours: Load,
    pub(super) theirs: Load,
}

impl Comparison {
    pub(super) fn ratio(&self) -> f64 {
        self.ours.requests_a_second / self.theirs.requests_a_second
    }
}

/// What is asked, under which name nginx has the body, and whether it is also asked packed.
struct Case {
    name: &'static str,
    packed_name: Option<&'static str>,
    request: Request,
    file: &'static str,
}

fn cases(slug: &str, vendor: &str) -> Vec<Case> {
    let case = |name, packed_name, path: &str, file| Case {
        name,
        packed_name: Some(packed_name),
        request: Request::get(path),
        file,
    };
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_app","arguments":{{"slug":"{slug}"}}}}}}"#
    );
    let mut cases = vec![
        case("one record", "one record, gzip", &format!("/apps/{slug}"), "app"),
        case("its sources", "its sources, gzip", &format!("/apps/{slug}/sources"), "sources"),
        case("a page of 100", "a page of 100, gzip", "/apps", "page100"),
        case("a page of 1000", "a page of 1000, gzip", "/apps?limit=1000", "page1000"),
        case(
            "a vendor's apps",
            "a vendor's apps, gzip",
            &format!("/apps?vendor={vendor}"),
            "vendor",
        ),
        case(
            "a page of one source",
            "a page of one source, gzip",
            "/apps?source=label_tool",
            "source",
        ),
        case("a page of drift", "a page of drift, gzip", "/apps/drift", "drift"),
    ];
    cases.push(Case {
        name: "a tool call",
        packed_name: None,
        request: Request { path: "/mcp".to_owned(), headers: Vec::new(), body: Some(call) }
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream"),
        file: "tool",
    });
    cases
}

/// Runs every comparison.
pub(super) fn compare() -> Result<Vec<Comparison>, Failure> {
    let server = Server::start_on(Some(SERVING))?;
    catalog::fill(&server)?;
    let nginx = Nginx::start(SERVING)?;
    let (slug, vendor) = catalog::examples(&server)?;
    let mut comparisons = Vec::new();
    for case in cases(&slug, &vendor) {
        let plain = server.ask(&case.request)?;
        let packed_request = case.request.clone().with("accept-encoding", "gzip");
        // Asked twice: the first answer may come before its packed form is made.
        server.ask(&packed_request)?;
        let packed = server.ask(&packed_request)?;
        nginx.put(case.file, &plain.body, &packed.body)?;
        let theirs = Request { path: format!("/{}", case.file), ..case.request.clone() };
        comparisons.push(turns(
            case.name,
            (&server.address, &case.request),
            (&nginx.address, &theirs),
        )?);
        if let Some(name) = case.packed_name {
            let theirs = Request { path: theirs.path, ..packed_request.clone() };
            comparisons.push(turns(
                name,
                (&server.address, &packed_request),
                (&nginx.address, &theirs),
            )?);
        }
        if case.file == "app" {
            comparisons.push(unchanged(&server, &nginx, &case)?);
        }
    }
    Ok(comparisons)
}

/// Both answer that nothing has changed.
fn unchanged(server: &Server, nginx: &Nginx, case: &Case) -> Result<Comparison, Failure> {
    let ours = server.ask(&case.request)?.etag;
    let path = format!("/{}", case.file);
    let theirs = super::server::ask(&nginx.address, &Request::get(&path))?.etag;
    turns(
        "304 by ETag",
        (&server.address, &case.request.clone().with("if-none-match", &ours)),
        (&nginx.address, &Request::get(&path).with("if-none-match", &theirs)),
    )
}

/// Runs both sides in turn and takes the median of each.
fn turns(
    name: &'static str,
    ours: (&str, &Request),
    theirs: (&str, &Request),
) -> Result<Comparison, Failure> {
    let mut runs: [Vec<Load>; 2] = [Vec::new(), Vec::new()];
    for turn in 0..=TURNS {
        for (side, (address, request)) in [ours, theirs].into_iter().enumerate() {
            let seconds = if turn == 0 { 1 } else { SECONDS };
            let load = load::run(LOADING, address, request, seconds)?;
            if load.failures > 0 {
                return Err(Failure(format!(
                    "{name}: {} requests failed at {address}",
                    load.failures
                )));
            }
            // The first turn warms both up.
            if turn > 0 {
                runs[side].push(load);
            }
        }
    }
    let [ours, theirs] = runs.map(|runs| median(&runs));
    let comparison = Comparison { name, ours, theirs };
    eprintln!(
        "{name}: {:.0} to {:.0} requests a second, {:.2}",
        ours.requests_a_second,
        theirs.requests_a_second,
        comparison.ratio()
    );
    Ok(comparison)
}

/// The median of each figure.
fn median(runs: &[Load]) -> Load {
    let middle = |figure: fn(&Load) -> f64| {
        let mut figures: Vec<f64> = runs.iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or_default()
    };
    Load {
        requests_a_second: middle(|load| load.requests_a_second),
        median: middle(|load| load.median),
        percentile_99: middle(|load| load.percentile_99),
        failures: 0,
    }
}
