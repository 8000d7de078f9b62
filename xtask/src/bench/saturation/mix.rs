//! The requests of readers: everything that the server answers, in every encoding.

use crate::{
    bench::{http::Request, server::Server},
    run::Failure,
};

/// The requests, in the order in which they are sent.
pub(super) struct Mix(Vec<Request>);

const APPS: usize = 1_000;

impl Mix {
    pub(super) fn of(server: &Server, vendor: &str) -> Result<Self, Failure> {
        let page = server.ask(&Request::get(&format!("/apps?limit={APPS}")))?;
        let text = String::from_utf8_lossy(&page.body).into_owned();
        let slugs = text.split("{\"slug\":\"").skip(1).filter_map(|row| row.split('"').next());
        let requests = slugs.enumerate().flat_map(|(number, slug)| {
            let [first, second] = [about(slug, number), listing(vendor, number)];
            let others = other(slug, &page.etag, number);
            [first, encoded(second, number / 4), encoded(others, number)]
        });
        let requests: Vec<Request> = requests.collect();
        if requests.is_empty() {
            return Err(Failure("the catalog has no apps".to_owned()));
        }
        Ok(Self(requests))
    }

    /// The requests for connections that stay open.
    pub(super) fn keep_alive(&self) -> Vec<Vec<u8>> {
        self.0.iter().map(|request| request.text().into_bytes()).collect()
    }

    /// The requests for new connections.
    pub(super) fn fresh(&self) -> Vec<Vec<u8>> {
        let close = |request: &Request| request.clone().with("connection", "close");
        self.0.iter().map(|request| close(request).text().into_bytes()).collect()
    }
}

fn about(slug: &str, number: usize) -> Request {
    match number % 8 {
        0 => Request::get(&format!("/apps/{slug}/sources")),
        1 => Request::get(&format!("/apps/{slug}/provenance")),
        2 => Request::get(&format!("/apps/{slug}/details")),
        3 => Request {
            body: Some(String::new()),
            ..Request::get(&format!("/apps/{slug}/generate-label"))
        },
        _ => Request::get(&format!("/apps/{slug}")),
    }
}

fn listing(vendor: &str, number: usize) -> Request {
    let path = match number % 8 {
        0 => "/apps/drift".to_owned(),
        1 => "/apps/jamf-index".to_owned(),
        2 => format!("/apps?vendor={vendor}"),
        3 => "/apps?source=label_tool&limit=200".to_owned(),
        4 => format!("/apps?limit=1000&offset={}", number % 5_000),
        _ => format!("/apps?limit={}&offset={}", 1 + number % 100, number),
    };
    Request::get(&path)
}

fn other(slug: &str, etag: &str, number: usize) -> Request {
    match number % 8 {
        0 => Request::tool_call(slug),
        1 => Request::get(&format!("/aliases/{slug}")),
        2 => Request::get(&format!("/apps/no-such-app-{number}")),
        3 => Request::get("/stats"),
        4 => Request::get("/health"),
        // Not modified until the catalog changes.
        5 => Request::get("/apps?limit=100").with("if-none-match", etag),
        6 => Request::get("/sources"),
        _ => Request::get(&format!("/apps/{slug}/drift")),
    }
}

/// The request with an accepted encoding, or without one.
fn encoded(request: Request, number: usize) -> Request {
    match number % 4 {
        0 => request,
        1 => request.with("accept-encoding", "gzip"),
        2 => request.with("accept-encoding", "br"),
        _ => request.with("accept-encoding", "zstd"),
    }
}
