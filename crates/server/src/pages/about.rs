//! `GET /about`: what the catalog is, and how programs use it.

use super::page;
use crate::{
    message::{EndpointResult, ReadContext, ReadRequest},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route = Route::get("/about", read, Export::Path("about.html"));

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    page(context, request, "/about", appstitch_pages::about)
}
