//! The cost of web pages: made for the first request, and kept for the next ones.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    catalog,
    figures::{median, with_commas},
    http::Request,
    process::Threads,
    scratch::Scratch,
    server::Server,
};
use crate::run::Failure;

/// How many apps are compared on one page at most.
const COMPARED: usize = 6;

/// How often a page is requested again.
const AGAIN: usize = 15;

/// A server whose CPU time is watched.
struct Watched {
    server: Server,
    threads: Threads,
}

/// A page that was requested.
struct Page {
    /// The CPU time of the first request, in seconds.
    first: f64,
    path: String,
    /// The length of the compressed page.
    sent: usize,
    /// The length of the plain page.
    bytes: usize,
}

/// Measures the pages and returns the table.
pub(super) fn section() -> Result<String, Failure> {
    let store = Scratch::new()?;
    let server = Server::start(&store, None)?;
    catalog::fill(&server)?;
    let apps = catalog::all_apps(&server)?;
    // What publishing leaves behind is not work for a page.
    server.process.cpu_seconds_at_rest()?;
    let threads = server.process.threads()?;
    let mut watched = Watched { server, threads };
    let mut text =
        "| Page | first request | next ones | size | compressed |\n|---|---:|---:|---:|---:|\n"
            .to_owned();
    for path in paths(&apps) {
        let page = watched.request(path)?;
        text.push_str(&watched.row("", &page)?);
    }
    let slugs = apps.iter().filter_map(|app| app["slug"].as_str());
    let pages = slugs.map(|slug| watched.request(format!("/a/{slug}")));
    let mut pages = pages.collect::<Result<Vec<Page>, Failure>>()?;
    pages.sort_by(|left, right| left.first.total_cmp(&right.first));
    text.push_str(&watched.all_apps(&pages)?);
    Ok(text)
}

impl Watched {
    /// The rows and the sentence about the pages of all apps, which are sorted by their cost.
    fn all_apps(&mut self, pages: &[Page]) -> Result<String, Failure> {
        const LIMIT: f64 = 1e-3;
        let mut text = String::new();
        let count = pages.len();
        for (name, page) in [
            ("the median app: ", pages.get(count / 2)),
            ("99 of 100 apps, at most: ", pages.get((count * 99) / 100)),
            ("the slowest app: ", pages.last()),
        ] {
            if let Some(page) = page {
                text.push_str(&self.row(name, page)?);
            }
        }
        let slow = pages.iter().filter(|page| page.first > LIMIT).count();
        let largest = pages.iter().map(|page| page.bytes).max().unwrap_or_default();
        let _ = writeln!(
            text,
            "\nOf the pages of all {} apps, {} took more than a millisecond. The largest one has {} bytes.",
            with_commas(count),
            with_commas(slow),
            with_commas(largest)
        );
        Ok(text)
    }

    /// The row of a page, which is requested again.
    fn row(&mut self, name: &str, page: &Page) -> Result<String, Failure> {
        let next = self.again(&page.path)?;
        Ok(format!(
            "| {name}`{}` | {:.2} ms | {:.2} ms | {} bytes | {} bytes |\n",
            page.path,
            page.first * 1e3,
            next * 1e3,
            with_commas(page.bytes),
            with_commas(page.sent)
        ))
    }

    /// Requests a page like a browser, over a connection of its own, and then its plain form.
    fn request(&mut self, path: String) -> Result<Page, Failure> {
        let html = Request::get(&path).with("accept", "text/html");
        let packed = html.clone().with("accept-encoding", "gzip, deflate, br, zstd");
        let sent = self.server.ask(&packed)?.body.len();
        let spent = self.threads.advance(self.server.process.threads()?);
        #[expect(clippy::cast_precision_loss, reason = "a figure with two decimals")]
        let first = spent as f64 / 1e9;
        let bytes = self.server.ask(&html)?.body.len();
        self.threads.advance(self.server.process.threads()?);
        Ok(Page { first, path, sent, bytes })
    }

    /// The CPU time of a further request.
    fn again(&mut self, path: &str) -> Result<f64, Failure> {
        let times = (0..AGAIN).map(|_| self.request(path.to_owned()).map(|page| page.first));
        Ok(median(times.collect::<Result<Vec<f64>, Failure>>()?))
    }
}

/// One page of each kind, with vendors and apps that the catalog has.
fn paths(apps: &[Value]) -> Vec<String> {
    let vendor = apps.iter().find_map(|app| app["vendor"].as_str()).unwrap_or_default();
    let has_all = |app: &&Value| app["sources"].as_array().is_some_and(|all| all.len() > 2);
    let full = apps.iter().filter(has_all).chain(apps).filter_map(|app| app["slug"].as_str());
    let compared: Vec<&str> = full.take(COMPARED).collect();
    let mut paths: Vec<String> =
        ["/", "/?q=chrome", "/drift", "/vendors", "/changes", "/about", "/check"]
            .map(str::to_owned)
            .into();
    paths.push(format!("/vendors/{}", vendor.replace(' ', "%20")));
    paths.push(format!("/compare?slugs={}", compared[..compared.len().min(2)].join(",")));
    paths.push(format!("/compare?slugs={}", compared.join(",")));
    paths
}
