//! The cost of checking lists of installed apps.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    catalog,
    figures::{megabytes, with_commas},
    http::Request,
    scratch::Scratch,
    server::Server,
};
use crate::run::Failure;

/// The sizes of the lists, in apps.
const SIZES: [usize; 3] = [300, 10_000, 100_000];

/// The number of checks of a size that a cost is averaged over: enough for the kernel's clock, which
/// counts in steps of ten milliseconds.
const APPS_CHECKED: usize = 300_000;

/// How many apps a Mac of the lists has.
const APPS_PER_MAC: usize = 200;

/// Measures the checks and returns the table.
pub(super) fn section() -> Result<String, Failure> {
    let store = Scratch::new()?;
    let server = Server::start(&store, None)?;
    catalog::fill(&server)?;
    let apps = all_apps(&server)?;
    let mut text = format!(
        "| Installed apps, catalog of {} ({}) | list | CPU time of a check | per app |\n|---|---:|---:|---:|\n",
        with_commas(apps.len()),
        catalog::kind(),
    );
    for size in SIZES {
        let list = list(&apps, size);
        let bytes = list.len() as u64;
        let request = Request {
            path: "/inventory/check?format=ndjson".to_owned(),
            headers: Vec::new(),
            body: Some(list),
        };
        // The first check of a revision builds the index.
        server.ask(&request)?;
        let times = u32::try_from((APPS_CHECKED / size).clamp(3, 200)).unwrap_or(3);
        let before = server.process.cpu_seconds_at_rest()?;
        for _ in 0..times {
            server.ask(&request)?;
        }
        let spent = server.process.cpu_seconds_at_rest()? - before;
        let each = spent / f64::from(times);
        #[expect(clippy::cast_precision_loss, reason = "a figure with one decimal")]
        let per_app = each / size as f64;
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} ms | {:.1} µs |",
            with_commas(size),
            megabytes(bytes),
            each * 1e3,
            per_app * 1e6
        );
    }
    Ok(text)
}

/// The records of the catalog.
fn all_apps(server: &Server) -> Result<Vec<Value>, Failure> {
    let mut apps = Vec::new();
    loop {
        let path = format!("/apps?limit=1000&offset={}", apps.len());
        let page = server.ask(&Request::get(&path))?;
        let page: Vec<Value> = serde_json::from_slice(&page.body)
            .map_err(|error| Failure(format!("{path} is not a list: {error}")))?;
        if page.is_empty() {
            return Ok(apps);
        }
        apps.extend(page);
    }
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
