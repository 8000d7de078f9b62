//! `POST /inventory/check`: installed apps, checked against the catalog.
//!
//! An inventory is never stored or logged. Reading and checking run on a background thread, few
//! at once, so that reads do not wait for them. Everything is taken from a separate part of the
//! memory, and the response is written while it is sent.

mod parameters;
mod rejection;
mod report_body;

use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use appstitch_budget::{Budget, Exceeded, Limits, Reserved};
use appstitch_inventory::Inventory;
use appstitch_inventory::check::CheckOptions;
use appstitch_snapshot::Snapshot;
use appstitch_types::{
    HttpValidationError,
    inventory::{CheckedApp, InventoryReport},
};
use appstitch_wire::{
    ClientAddress, ClientShare,
    request_body::{self, BodyLimits, HeldBody, Pace},
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Response, header},
    response::IntoResponse,
    routing::post,
};
use serde::Serialize;
use utoipa::ToSchema;

use self::parameters::CheckParameters;
pub(crate) use self::{
    rejection::CheckRejection,
    report_body::{Form, ReportBody},
};
use crate::{
    check_queue::CheckPermit,
    parts::ServiceParts,
    response::ErrorDetail,
    route::{Export, Route},
};

pub(crate) const ROUTE: Route = Route::library(
    "/inventory/check",
    || post(check),
    Export::LiveOnly("a live server reads the list"),
)
.documented::<__path_check>();

/// Check installed apps
///
/// Compares a list of installed apps with the catalog: one verdict per app, with the app of the
/// catalog, the newest version, how it was matched, and the rule that decided. The format of the
/// list is recognized by its content: `system_profiler` (JSON or property list), osquery, Jamf Pro,
/// Munki, Fleet, Intune, Kandji, `brew`, `mas`, or CSV; optionally compressed with gzip or zstd, and
/// several documents after one another. Nothing is stored. With `Accept: text/csv` or
/// `application/x-ndjson`, or `format`, the response is a table or one object per line.
#[utoipa::path(
    post,
    path = ROUTE.path,
    operation_id = "check_inventory",
    tag = "inventory",
    params(
        ("format" = Option<String>, Query, description = "`json`, `csv` or `ndjson`, instead of the `Accept` header", example = "csv"),
        ("suggest" = Option<bool>, Query, description = "Suggest apps with similar names for apps that are not in the catalog", example = true),
        ("verdict" = Option<String>, Query, description = "Return only apps with these verdicts, separated by commas; `totals` counts all", example = "outdated,ambiguous"),
    ),
    request_body(
        description = "The list as the tool wrote it, at most 16 MiB as sent, 64 MiB uncompressed and 100,000 entries",
        content(
            (serde_json::Value = "application/json", example = json!({"SPApplicationsDataType": [{
                "_name": "Obsidian", "version": "1.8.10", "path": "/Applications/Obsidian.app",
                "obtained_from": "identified_developer",
                "signed_by": ["Developer ID Application: Dynalist Inc. (6JSW4SJWN9)"]
            }, {
                "_name": "Safari", "version": "26.1", "path": "/System/Applications/Safari.app",
                "obtained_from": "apple"
            }]})),
            (String = "text/csv", example = "name,bundle_id,version\nObsidian.app,md.obsidian,1.8.10\n"),
            (String = "application/xml", example = "<plist version=\"1.0\"><array><dict><key>bundleid</key><string>md.obsidian</string><key>name</key><string>Obsidian</string><key>path</key><string>/Applications/Obsidian.app</string><key>version</key><string>1.8.10</string></dict></array></plist>\n"),
        )
    ),
    responses(
        (status = 200, description = "The verdicts", content(
            (InventoryReport = "application/json"),
            (String = "text/csv"),
            (CheckedApp = "application/x-ndjson"),
        )),
        (status = 400, description = "The body is incomplete", body = inline(ErrorDetail)),
        (status = 408, description = "The body took too long to arrive", body = inline(ErrorDetail)),
        (status = 413, description = "Too large, too many entries, or too much work", body = inline(ErrorDetail)),
        (status = 415, description = "Unknown `Content-Encoding`", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error, or the body is not a list of installed apps (`detail` is then a sentence)", body = inline(CheckError)),
        (status = 503, description = "Too many checks at the moment, or the check took too long", body = inline(ErrorDetail)),
    )
)]
async fn check(State(service): State<Arc<ServiceParts>>, request: Request) -> Response<Body> {
    let mut response = match run(&service, request).await {
        Ok(response) => response,
        Err(rejection) => rejection.into_response(),
    };
    // The list of installed apps is private.
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

async fn run(
    service: &Arc<ServiceParts>,
    mut request: Request,
) -> Result<Response<Body>, CheckRejection> {
    let head = check_encoding(request.headers())
        .and_then(|()| CheckParameters::read(request.uri().query(), request.headers()));
    let parameters = match head {
        Ok(parameters) => parameters,
        Err(rejection) => {
            let expects_continue = request.headers().contains_key(header::EXPECT);
            request_body::reject(request.body_mut(), expects_continue).await;
            return Err(rejection);
        }
    };
    let understand = move |body: &[u8]| {
        Ok(ParsedBody { list: 0..body.len(), suggest: parameters.suggest, parameters })
    };
    check_body(service, request, understand, |report, parameters, _| {
        report.only_verdicts(|verdict| parameters.wants(verdict)).respond(parameters.form)
    })
    .await
}

/// What the body of a request holds.
pub(crate) struct ParsedBody<W> {
    /// Where the list is in the body.
    pub(crate) list: Range<usize>,
    /// Whether apps with similar names are suggested.
    pub(crate) suggest: bool,
    /// What else is wanted.
    pub(crate) parameters: W,
}

/// Receives a body, checks the list in it, and makes an answer of the report. Both functions run on
/// the thread of the check.
pub(crate) async fn check_body<W, T: Send + 'static>(
    service: &ServiceParts,
    request: Request,
    understand: impl FnOnce(&[u8]) -> Result<ParsedBody<W>, CheckRejection> + Send + 'static,
    answer: impl FnOnce(ReportBody, W, &Snapshot) -> T + Send + 'static,
) -> Result<T, CheckRejection> {
    let time = service.limits.request_time;
    let deadline = Instant::now() + time;
    let (parts, mut body) = request.into_parts();
    let expects_continue = parts.headers.contains_key(header::EXPECT);
    if let Err(rejection) = check_encoding(&parts.headers) {
        request_body::reject(&mut body, expects_continue).await;
        return Err(rejection);
    }
    let client = parts.extensions.get::<ClientAddress>().copied();
    let _counted = match client.map(|client| service.inventory_shares.count(client)) {
        Some(None) => {
            request_body::reject(&mut body, expects_continue).await;
            return Err(CheckRejection::Busy);
        }
        counted => counted,
    };
    let share = service.memory.of_client(client);
    let received = receive(service, &share, &mut body, expects_continue, time).await?;
    let permit = service.inventory_checks.begin(client, time).await.ok_or(CheckRejection::Busy)?;
    let snapshot = service.publisher.current();
    let work = move || {
        // The permit stays with the work, even if the client does not wait for it.
        let permit = Arc::new(Mutex::new(permit));
        let understood = understand(&received.bytes)?;
        let ParsedBody { list, suggest, parameters } = understood;
        let report = compare(received, list, share, &snapshot, suggest, (deadline, &permit))?;
        Ok(answer(report, parameters, &snapshot))
    };
    // A client waits for the response, so this is not background work, which only uses idle CPU time.
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| CheckRejection::Failed)?
}

async fn receive(
    service: &ServiceParts,
    share: &ClientShare,
    body: &mut Body,
    expects_continue: bool,
    time: Duration,
) -> Result<HeldBody, CheckRejection> {
    let limits = BodyLimits {
        bytes: service.limits.inventory_bytes,
        pace: Pace {
            grace: service.limits.body_grace,
            bytes_per_second: service.limits.body_rate,
            total: time,
        },
        memory: &share.pools.inventories,
        small: None,
    };
    Ok(request_body::receive(body, expects_continue, limits).await?)
}

/// The compression is recognized by the content, so the header only has to name one that is known.
fn check_encoding(headers: &HeaderMap) -> Result<(), CheckRejection> {
    let Some(encoding) = headers.get(header::CONTENT_ENCODING) else { return Ok(()) };
    let name = String::from_utf8_lossy(encoding.as_bytes()).trim().to_ascii_lowercase();
    match name.as_str() {
        "" | "identity" | "gzip" | "x-gzip" | "zstd" => Ok(()),
        _ => Err(CheckRejection::UnknownEncoding(name.chars().take(100).collect())),
    }
}

/// Reads an inventory and compares it with the catalog.
fn compare(
    body: HeldBody,
    list: Range<usize>,
    share: Arc<ClientShare>,
    snapshot: &Snapshot,
    suggest: bool,
    (deadline, permit): (Instant, &Arc<Mutex<CheckPermit>>),
) -> Result<ReportBody, CheckRejection> {
    let HeldBody { bytes, mut reserved } = body;
    let permit = Arc::clone(permit);
    let pause = move || permit.lock().unwrap_or_else(PoisonError::into_inner).pause();
    let mut budget = budget(&reserved, deadline).pausing(pause);
    let list = bytes.get(list).unwrap_or_default();
    let Inventory { apps, formats, skipped } = appstitch_inventory::read(list, &mut budget)?;
    drop(bytes);
    budget.allow(reserved.bytes());
    reserved.shrink(u64::MAX);
    let options = CheckOptions { suggest };
    let checked = snapshot.check_installed(apps, options, &mut budget)?;
    // The budget stays with the response until it is sent, and the permit does not.
    budget.stop_pausing();
    let version = snapshot.revision().map(|_| snapshot.token().to_owned());
    let report = InventoryReport {
        catalog_version: version,
        formats: formats.iter().map(|format| format.name().to_owned()).collect(),
        skipped,
        totals: checked.totals(),
        apps: Vec::new(),
    };
    Ok(ReportBody::new(report, checked, budget, share))
}

/// What reading and comparing may take: the limits of a file, within what is left of the memory.
fn budget(reserved: &Reserved, deadline: Instant) -> Budget {
    let pool = reserved.pool();
    let free = pool.size().saturating_sub(reserved.bytes());
    let limits = Limits {
        bytes: appstitch_inventory::LIMITS.bytes.min(free),
        ..appstitch_inventory::LIMITS
    };
    Budget::new(limits).within(pool).until(deadline)
}

impl From<Exceeded> for CheckRejection {
    fn from(exceeded: Exceeded) -> Self {
        Self::Unreadable(exceeded.into())
    }
}

/// The body of a 422 answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum CheckError {
    /// Invalid parameters.
    Validation(HttpValidationError),
    /// The body is not a list of installed apps.
    Unreadable {
        /// What was found, and what is accepted.
        detail: String,
    },
}
