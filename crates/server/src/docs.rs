//! `/docs` and `/redoc`: pages to read about the interface and to try it. Scripts and styles are
//! served from here, so that both work without internet access.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use aide::redoc::Redoc;
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Response, header},
    routing::get,
};
use bytes::Bytes;
use utoipa_swagger_ui::Config;

use crate::{
    http_error::HttpError,
    route::{Route, last_segment},
};

/// The page that lets a reader try the interface, its scripts and styles, and the page to read.
pub(crate) const PAGE_ROUTE: Route = Route::library("/docs", || get(async || page()));
pub(crate) const FILE_ROUTE: Route = Route::library("/docs/{file}", || get(file_of_page));
pub(crate) const REFERENCE_ROUTE: Route = Route::library("/redoc", || get(async || reference()));

const PAGE: &str = include_str!("docs/page.html");
/// The files that the page loads.
pub(crate) const PAGE_FILES: [&str; 4] =
    ["swagger-ui.css", "favicon-32x32.png", "swagger-ui-bundle.js", "start.js"];
const START_SCRIPT: &str = include_str!("docs/start.js");

/// Nothing is loaded from another host, even if a bundled script tries to. The reference page has
/// an inline script and runs a worker from a blob.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; worker-src blob:; frame-ancestors 'none'",
);

/// The page that lets a reader try the interface.
fn page() -> Response<Body> {
    html(Bytes::from_static(PAGE.as_bytes()))
}

async fn file_of_page(request: Request) -> Result<Response<Body>, HttpError> {
    page_file(&last_segment(request.uri().path()))
}

/// A script or style of that page.
fn page_file(name: &str) -> Result<Response<Body>, HttpError> {
    static CONFIG: LazyLock<Arc<Config<'static>>> =
        LazyLock::new(|| Arc::new(Config::from("/openapi.json")));
    if name == "start.js" {
        return Ok(file(Bytes::from_static(START_SCRIPT.as_bytes()), "text/javascript"));
    }
    match utoipa_swagger_ui::serve(name, Arc::clone(&CONFIG)) {
        Ok(Some(asset)) => {
            let bytes = match asset.bytes {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => bytes.into(),
            };
            Ok(file(bytes, &asset.content_type))
        }
        Ok(None) => Err(HttpError::NotFound),
        Err(error) => {
            tracing::error!(%error, file = name, "cannot read a documentation file");
            Err(HttpError::Internal)
        }
    }
}

/// The page for reading only.
fn reference() -> Response<Body> {
    static BODY: LazyLock<Bytes> =
        LazyLock::new(|| Redoc::new("/openapi.json").with_title("appstitch").html().into());
    html(BODY.clone())
}

fn html(bytes: Bytes) -> Response<Body> {
    let mut response = file(bytes, "text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    response
}

fn file(bytes: Bytes, content_type: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    let content_type = HeaderValue::from_str(content_type)
        .unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_TYPE, content_type);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_page_are_all_that_it_loads() {
        let loaded = PAGE.split('"').filter_map(|text| text.strip_prefix("/docs/"));
        assert_eq!(loaded.collect::<Vec<_>>(), PAGE_FILES);
        for name in PAGE_FILES {
            assert!(page_file(name).is_ok(), "{name}");
        }
    }
}
