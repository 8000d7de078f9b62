//! `GET /changes` for browsers: what changed, newest first. Programs get the journal. `/changes.csv`
//! has the same for spreadsheets.

use appstitch_pages::{ChangesPageRequest, Problem};
use appstitch_snapshot::SinceError;
use axum::http::StatusCode;
use jiff::Timestamp;

use super::{HTML, NEGOTIATED_HTML, csv, document, invalid, parameter, problem};
use crate::{
    message::{DocumentKind, EndpointResult, ReadContext, ReadRequest},
    reads,
    route::{Export, Route},
};

pub(crate) const CSV_ROUTE: Route =
    Route::get("/changes.csv", read_csv, Export::Path("changes.csv"));

const CSV: DocumentKind = csv!("changes.csv");

/// The page of changes, or JSON if the address asks for it: a link from the page leads there.
pub(crate) fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    if parameter(request.query, "format").as_deref() == Some("json") {
        return reads::changes::read(context, request);
    }
    with_request(context, request, &NEGOTIATED_HTML, |query, after| {
        document(context, request, &NEGOTIATED_HTML, &query.name(), |site| {
            appstitch_pages::changes(site, query, after)
        })
    })
}

fn read_csv(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    with_request(context, request, &HTML, |query, after| {
        document(context, request, &CSV, &query.name(), |site| {
            appstitch_pages::changes_csv(site, query, after)
        })
    })
}

/// Reads the address and answers with what is asked for, or with a page about what is wrong.
fn with_request(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    kind: &'static DocumentKind,
    answer: impl FnOnce(&ChangesPageRequest, u64) -> EndpointResult,
) -> EndpointResult {
    let query = match ChangesPageRequest::read(|name| parameter(request.query, name)) {
        Ok(query) => query,
        Err(fault) => return invalid(context, request, kind, &fault),
    };
    let position = |since| context.snapshot.position(since, Timestamp::now());
    match query.since().map_or(Ok(0), position) {
        Ok(after) => answer(&query, after),
        Err(error) => {
            let status = match error {
                SinceError::Gone(_) => StatusCode::GONE,
                SinceError::Malformed(_) | SinceError::Future(_) => StatusCode::BAD_REQUEST,
            };
            let text = format!("The value of “since” cannot be used: {error}.");
            let title = "No changes from there";
            let wrong = Problem { title, text: &text, wanted: None };
            problem(context, request, kind, status, wrong)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{LocalService, fixture};

    #[tokio::test]
    async fn since_is_a_token_and_not_a_text_with_a_token_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let service = LocalService::new(fixture::service(folder.path(), 1).await);
        let token = service.snapshot().token();
        for (since, status) in [
            (token.to_owned(), 200),
            (format!("W/%22{token}%22"), 200),
            (format!("x{token}"), 400),
            (format!("{token}x"), 400),
        ] {
            for path in ["/changes", "/changes.csv"] {
                let response = service.get(&format!("{path}?since={since}"), "text/html").await;
                assert_eq!(response.status, status, "{path} {since}");
            }
        }
    }
}
