//! Pages that the HTTP library sends: answers to forms.

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
};

use super::HTML;

/// A page that answers a form. Nobody keeps it.
pub(crate) fn html_response(status: StatusCode, text: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for field in [HTML.content_type].iter().chain(HTML.fields) {
        let name = HeaderName::from_static(field.name);
        headers.insert(name, HeaderValue::from_static(field.value));
    }
    headers.remove(header::VARY);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
