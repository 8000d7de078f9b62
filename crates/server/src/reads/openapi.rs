//! `GET /openapi.json`: the description of the interface.

use crate::{
    message::{EndpointResult, JSON, ReadContext, ReadRequest, Representation},
    route::{Export, Route},
};

/// The route of this endpoint. The document does not list itself.
pub(crate) const ROUTE: Route = Route::get("/openapi.json", read, Export::Path("openapi.json"));

#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(Representation::body(JSON, context.parts.openapi.clone()))
}
