//! `GET /about`: what the catalog is, and how programs use it.

use super::page;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    route::Route,
};

/// The route of this page.
pub(crate) const ROUTE: Route = Route::get_undocumented("/about", read);

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    page(context, asked, "/about", appstitch_pages::about)
}
