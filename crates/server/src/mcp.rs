//! `/mcp`: the tools over HTTP.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::Response,
    routing::any,
};

use crate::{parts::ServiceParts, route::Route};

/// The route of the tools. They look at the method themselves.
pub(crate) const ROUTE: Route = Route::private("/mcp", || any(answer), "tools need a live server");

async fn answer(State(parts): State<Arc<ServiceParts>>, request: Request) -> Response<Body> {
    parts.tools.clone().answer(request).await
}
