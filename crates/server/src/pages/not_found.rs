//! The page for a path that does not exist. Only browsers get it; programs get JSON.

use appstitch_pages::Problem;
use axum::http::StatusCode;

use super::{NEGOTIATED_HTML, problem};
use crate::{
    http_error::HttpError,
    message::{EndpointResult, ReadContext, ReadRequest},
    reads::prefers_page,
    route::{Export, Route},
};

static ROUTE: Route = Route::get("unknown", read, Export::LiveOnly("there is nothing to export"));

/// The route of unknown paths, if the client reads pages.
pub(crate) fn route(request: &ReadRequest<'_>) -> Option<&'static Route> {
    (request.verb.is_read() && prefers_page(request)).then_some(&ROUTE)
}

/// The response for a path that has the form of a route, but does not exist.
pub(super) fn answer(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    if prefers_page(request) { read(context, request) } else { Err(HttpError::NotFound) }
}

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let title = "Page not found";
    let text = "There is no page at this address.";
    let found = Problem { title, text, wanted: None };
    problem(context, request, &NEGOTIATED_HTML, StatusCode::NOT_FOUND, found)
}
