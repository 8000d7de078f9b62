//! `GET /openapi.json`: the description of the interface.

use crate::{
    http_error::HttpError,
    message::{Asked, JSON, ReadContext, Reply},
    route::Route,
};

/// The route of this endpoint. The document does not list itself.
pub(crate) const ROUTE: Route = Route::get_undocumented("/openapi.json", read);

#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    Ok(Reply::body(JSON, context.parts.openapi.clone()))
}
