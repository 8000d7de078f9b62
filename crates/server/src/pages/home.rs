//! `GET /`: the search, and the catalog at a glance.

use super::{page, parameters};
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    route::Route,
};

/// The route of this page.
pub(crate) const ROUTE: Route = Route::get_undocumented("/", read);

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let [query, number] = parameters(asked.query, ["q", "page"]);
    let query = query.unwrap_or_default();
    // A number that makes no sense leads to the first page.
    let number = number.and_then(|number| number.parse().ok()).unwrap_or(1);
    page(context, asked, &format!("/?q={query}&page={number}"), |site| {
        appstitch_pages::home(site, &query, number)
    })
}
