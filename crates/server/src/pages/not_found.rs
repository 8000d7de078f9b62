//! The page for a path that does not exist. Only browsers get it; programs get JSON.

use appstitch_pages::Problem;
use axum::http::StatusCode;

use super::{NEGOTIATED_HTML, problem};
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    reads::prefers_page,
    route::Route,
};

static ROUTE: Route = Route::get_undocumented("unknown", read);

/// The route of unknown paths, if the client reads pages.
pub(crate) fn route(asked: &Asked<'_>) -> Option<&'static Route> {
    (asked.verb.is_read() && prefers_page(asked)).then_some(&ROUTE)
}

/// The answer for a path that has the form of a route, but does not exist.
pub(super) fn answer(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    if prefers_page(asked) { read(context, asked) } else { Err(HttpError::NotFound) }
}

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let title = "Page not found";
    let text = "There is no page at this address.";
    let found = Problem { title, text, wanted: None };
    problem(context, asked, &NEGOTIATED_HTML, StatusCode::NOT_FOUND, found)
}
