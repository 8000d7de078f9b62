//! The cost of checking lists of installed apps.

use std::{collections::BTreeMap, fmt::Write as _, io::Write as _};

use flate2::{Compression, write::GzEncoder};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    catalog,
    figures::{megabytes, with_commas},
    http::{self, Response},
    scratch,
    server::Server,
};
use crate::run::Failure;

const SIZES: [usize; 3] = [300, 10_000, 100_000];

/// The number of checks of a size that a cost is averaged over: enough for the kernel's clock, which
/// counts in steps of ten milliseconds.
const APPS_CHECKED: usize = 300_000;

const APPS_PER_MAC: usize = 200;

/// The largest body that the server accepts, in bytes. Larger lists are compressed.
const LARGEST_BODY: usize = 16 << 20;

#[derive(Deserialize)]
struct Line {
    verdict: String,
}

pub(super) fn section() -> Result<String, Failure> {
    let store = scratch()?;
    let server = Server::start(&store, None)?;
    catalog::fill(&server)?;
    let apps = catalog::all_apps(&server)?;
    let first = first_check(&server, &apps)?;
    let mut text = format!(
        "| Installed apps, catalog of {} ({}) | list | sent | CPU time of a check | per app | verdicts |\n|---|---:|---:|---:|---:|---|\n",
        with_commas(apps.len()),
        catalog::kind(),
    );
    for size in SIZES {
        let list = list(&apps, size);
        let sent = body(&list)?;
        let verdicts = verdicts(&check(&server, &sent)?, size)?;
        let times = u32::try_from((APPS_CHECKED / size).clamp(3, 200)).unwrap_or(3);
        let before = server.process.cpu_seconds_at_rest()?;
        for _ in 0..times {
            check(&server, &sent)?;
        }
        let spent = server.process.cpu_seconds_at_rest()? - before;
        let each = spent / f64::from(times);
        #[expect(clippy::cast_precision_loss, reason = "a figure with one decimal")]
        let per_app = each / size as f64;
        let how = if sent.len() < list.len() { ", gzip" } else { "" };
        let _ = writeln!(
            text,
            "| {} | {} | {}{how} | {:.1} ms | {:.1} µs | {verdicts} |",
            with_commas(size),
            megabytes(list.len() as u64),
            megabytes(sent.len() as u64),
            each * 1e3,
            per_app * 1e6,
        );
    }
    let _ = writeln!(
        text,
        "\nThe first check of a revision, with one app: {:.0} ms, nearly all of it for the index.",
        first * 1e3
    );
    Ok(text)
}

/// The CPU time of the first check, in seconds.
fn first_check(server: &Server, apps: &[Value]) -> Result<f64, Failure> {
    let one = body(&list(apps, 1))?;
    let before = server.process.cpu_seconds_at_rest()?;
    verdicts(&check(server, &one)?, 1)?;
    Ok(server.process.cpu_seconds_at_rest()? - before)
}

/// The body of a request, which is compressed only if it has to be.
fn body(list: &str) -> Result<Vec<u8>, Failure> {
    if list.len() <= LARGEST_BODY {
        return Ok(list.as_bytes().to_vec());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let compressed = encoder.write_all(list.as_bytes()).and_then(|()| encoder.finish());
    compressed.map_err(|error| Failure(format!("cannot compress a list: {error}")))
}

fn check(server: &Server, body: &[u8]) -> Result<Response, Failure> {
    let head = format!(
        "POST /inventory/check?format=ndjson HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    http::exchange(&server.address, &[head.as_bytes(), body])
}

/// The most common verdicts of an answer about so many apps.
fn verdicts(response: &Response, apps: usize) -> Result<String, Failure> {
    const SHOWN: usize = 3;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in serde_json::Deserializer::from_slice(&unchunked(&response.body)).into_iter::<Line>()
    {
        let line = line.map_err(|error| Failure(format!("the answer is not NDJSON: {error}")))?;
        *counts.entry(line.verdict).or_default() += 1;
    }
    let lines: usize = counts.values().sum();
    if lines != apps {
        return Err(Failure(format!("{lines} answers about {apps} apps")));
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown = counts.iter().take(SHOWN);
    let shown = shown.map(|(verdict, count)| format!("{} `{verdict}`", with_commas(*count)));
    Ok(shown.collect::<Vec<_>>().join(", "))
}

/// A body that was sent in chunks, in one piece.
fn unchunked(body: &[u8]) -> Vec<u8> {
    let (mut whole, mut rest) = (Vec::with_capacity(body.len()), body);
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&rest[..end]).ok();
        let length = length.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let Some(chunk) = length.and_then(|length| rest.get(end + 2..end + 2 + length)) else {
            break;
        };
        whole.extend_from_slice(chunk);
        rest = rest.get(end + 2 + chunk.len() + 2..).unwrap_or_default();
    }
    whole
}

/// Rows of osquery's table, for as many Macs as it takes. Half of the apps have an old version, and
/// every Mac has other ones.
fn list(apps: &[Value], size: usize) -> String {
    let rows: Vec<Value> = (0..size)
        .map(|number| {
            let app = &apps[(number * 7) % apps.len()];
            let name = app["name"].as_str().unwrap_or_default();
            let version = app["current_version"].as_str().filter(|_| number % 2 == 0);
            let version = version.map_or_else(|| format!("0.{}", number % 50), str::to_owned);
            json!({
                "host": format!("mac-{}", number / APPS_PER_MAC),
                "name": format!("{name}.app"),
                "bundle_identifier": app["bundle_id"],
                "bundle_name": name,
                "bundle_executable": name,
                "bundle_package_type": "APPL",
                "bundle_short_version": version,
                "bundle_version": version,
                "category": "public.app-category.productivity",
                "development_region": "en",
                "display_name": "",
                "last_opened_time": "1754041232.5",
                "minimum_system_version": "12.0",
                "path": format!("/Applications/{name}.app"),
            })
        })
        .collect();
    Value::Array(rows).to_string()
}
