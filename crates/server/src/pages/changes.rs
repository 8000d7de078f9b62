//! `GET /changes` for browsers: what changed, newest first. Programs get the journal. `/changes.csv`
//! has the same for spreadsheets.

use appstitch_pages::{ChangesPageRequest, Problem};
use appstitch_snapshot::SinceError;
use axum::http::StatusCode;
use jiff::Timestamp;

use super::{HTML, NEGOTIATED_HTML, csv, document, invalid, parameters, problem};
use crate::{
    http_error::HttpError,
    message::{Asked, DocumentKind, ReadContext, Reply},
    reads,
    route::Route,
};

/// The route of the same changes for spreadsheets.
pub(crate) const CSV_ROUTE: Route = Route::get_undocumented("/changes.csv", read_csv);

const CSV: DocumentKind = csv!("changes.csv");

/// The page of changes, or JSON if the address asks for it: a link from the page leads there.
pub(crate) fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let [format] = parameters(asked.query, ["format"]);
    if format.as_deref() == Some("json") {
        return reads::changes::read(context, asked);
    }
    with_request(context, asked, &NEGOTIATED_HTML, |request, after| {
        document(context, asked, &NEGOTIATED_HTML, &request.name(), |site| {
            appstitch_pages::changes(site, request, after)
        })
    })
}

fn read_csv(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    with_request(context, asked, &HTML, |request, after| {
        document(context, asked, &CSV, &request.name(), |site| {
            appstitch_pages::changes_csv(site, request, after)
        })
    })
}

/// Reads the address and answers with what is asked for, or with a page about what is wrong.
fn with_request(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    kind: &'static DocumentKind,
    answer: impl FnOnce(&ChangesPageRequest, u64) -> Result<Reply, HttpError>,
) -> Result<Reply, HttpError> {
    let request = parameters(asked.query, ChangesPageRequest::PARAMETERS);
    let request = match ChangesPageRequest::read(request) {
        Ok(request) => request,
        Err(fault) => return invalid(context, asked, kind, &fault),
    };
    let journal = context.snapshot.journal();
    let after = match request.since() {
        // The token of this catalog, which a damaged journal does not list.
        Some(since) if since.contains(context.snapshot.token()) => Ok(journal.newest()),
        Some(since) => journal.position(since, Timestamp::now()),
        None => Ok(0),
    };
    match after {
        Ok(after) => answer(&request, after),
        Err(error) => {
            let status = match error {
                SinceError::Gone(_) => StatusCode::GONE,
                SinceError::Malformed(_) | SinceError::Future(_) => StatusCode::BAD_REQUEST,
            };
            let text = format!("The value of “since” cannot be used: {error}.");
            let title = "No changes from there";
            let told = Problem { title, text: &text, wanted: None };
            problem(context, asked, kind, status, told)
        }
    }
}
