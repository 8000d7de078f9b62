//! `GET /`: the search, and the catalog at a glance.

use super::{page, parameter};
use crate::{
    message::{EndpointResult, ReadContext, ReadRequest},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route = Route::get("/", read, Export::Path("@index.html"));

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let query = parameter(request.query, "q").unwrap_or_default();
    let number = parameter(request.query, "page");
    // A number that makes no sense leads to the first page.
    let number = number.and_then(|number| number.parse().ok()).unwrap_or(1);
    page(context, request, &format!("/?q={query}&page={number}"), |site| {
        appstitch_pages::home(site, &query, number)
    })
}
