//! `/docs` and `/redoc`: pages to read about the interface and to try it. Scripts and styles are
//! served from here, so that both work without internet access.

mod packed;

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Response, header},
    routing::get,
};
use bytes::Bytes;

use crate::{
    http_error::HttpError,
    route::{Export, Exported, Route, last_segment},
};

/// The page that lets a reader try the interface, its scripts and styles, and the page to read.
pub(crate) const PAGE_ROUTE: Route =
    Route::library("/docs", || get(async || page()), Export::Path("docs/@index.html"));
pub(crate) const FILE_ROUTE: Route = Route::library(
    "/docs/{file}",
    || get(file_of_page),
    Export::Each(Exported::DocumentationFiles, "docs/{}"),
);
pub(crate) const REFERENCE_ROUTE: Route =
    Route::library("/redoc", || get(async || reference()), Export::Path("redoc.html"));

const PAGE: &str = include_str!("docs/page.html");
pub(crate) const PAGE_FILES: [&str; 4] =
    ["swagger-ui.css", "favicon-32x32.png", "swagger-ui-bundle.js", "start.js"];
const START_SCRIPT: &str = include_str!("docs/start.js");

/// Nothing is loaded from another host, even if a bundled script tries to. The reference page has
/// an inline script and runs a worker from a blob.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; worker-src blob:; frame-ancestors 'none'",
);

fn page() -> Response<Body> {
    html(Bytes::from_static(PAGE.as_bytes()))
}

async fn file_of_page(request: Request) -> Result<Response<Body>, HttpError> {
    page_file(&last_segment(request.uri().path()))
}

fn page_file(name: &str) -> Result<Response<Body>, HttpError> {
    let (bytes, content_type) = match name {
        "start.js" => (Bytes::from_static(START_SCRIPT.as_bytes()), "text/javascript"),
        "swagger-ui-bundle.js" => (packed::SCRIPT.clone(), "text/javascript"),
        "swagger-ui.css" => (packed::STYLE.clone(), "text/css"),
        "favicon-32x32.png" => (packed::ICON.clone(), "image/png"),
        _ => return Err(HttpError::NotFound),
    };
    Ok(file(bytes, content_type))
}

fn reference() -> Response<Body> {
    html(packed::REFERENCE.clone())
}

fn html(bytes: Bytes) -> Response<Body> {
    let mut response = file(bytes, "text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    response
}

fn file(bytes: Bytes, content_type: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
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
