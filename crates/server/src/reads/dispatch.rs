//! From what is asked to what is answered.

use appstitch_bodies::{Payload, Slices};
use appstitch_snapshot::ReadError;
use appstitch_wire::entity_tag;
use axum::http::StatusCode;
use bytes::Bytes;

use super::{
    condition::already_has,
    document,
    failure::failure,
    negotiate::prefers,
    paging::add_page_fields,
    resource::{self, Compression, ReadResult, VARY},
};
use crate::{
    http_error::HttpError,
    message::{
        FixedField, JSON, Policy, ReadContext, ReadRequest, ReadResponse, Representation, Verb,
        field_name, fixed_field,
    },
    pages::NO_SNIFFING,
    route::{Handler, Route},
};

/// Browsers get a page at the same address.
const VARY_PAGE: &FixedField = fixed_field!("vary", "accept, accept-encoding");

/// Answers a read from one snapshot.
pub(crate) fn answer(
    context: &ReadContext<'_>,
    route: Option<&Route>,
    request: &ReadRequest<'_>,
    policy: Policy,
) -> ReadResult {
    let vary = vary(route);
    let response = match represent(context, route, request) {
        Ok(Representation::Resource(found)) => {
            return resource::response(context, found, vary, request, policy);
        }
        Ok(Representation::Feed(found)) => {
            return resource::feed_response(context, &found, request, policy);
        }
        Ok(Representation::Tagged(_) | Representation::Page(..))
            if already_has(&request.if_none_match, context.snapshot.token()) =>
        {
            let response = ReadResponse::new(StatusCode::NOT_MODIFIED, policy);
            return resource::made_response(context, response, vary, request);
        }
        Ok(Representation::Tagged(body)) => {
            let response = ReadResponse::with_body(StatusCode::OK, policy, JSON, made(body));
            return resource::made_response(context, response, vary, request);
        }
        Ok(Representation::Saved { content_type, file_name, file }) => {
            let token = file.token();
            let policy = policy.tagged(entity_tag(&format!("W/\"{token}\"")));
            let mut response = if already_has(&request.if_none_match, &token) {
                ReadResponse::new(StatusCode::NOT_MODIFIED, policy)
            } else {
                ReadResponse::with_body(StatusCode::OK, policy, content_type, made(file.body))
            };
            let disposition = format!("attachment; filename=\"{file_name}\"");
            response.made = Some((field_name!("content-disposition"), disposition));
            response.add(NO_SNIFFING);
            response
        }
        Ok(Representation::Hashed(file)) => {
            let token = file.token();
            let policy = policy.tagged(entity_tag(&format!("W/\"{token}\"")));
            let response = if already_has(&request.if_none_match, &token) {
                ReadResponse::new(StatusCode::NOT_MODIFIED, policy)
            } else {
                ReadResponse::with_body(StatusCode::OK, policy, JSON, made(file.body))
            };
            return resource::made_response(context, response, vary, request);
        }
        Ok(Representation::Page(body, window)) => {
            let mut response = ReadResponse::with_body(StatusCode::OK, policy, JSON, made(body));
            add_page_fields(&mut response, request.path, request.query, window);
            return resource::made_response(context, response, vary, request);
        }
        Ok(Representation::Versioned { content_type, token, cache_control, body }) => {
            let mut response = if already_has(&request.if_none_match, &token) {
                ReadResponse::new(StatusCode::NOT_MODIFIED, policy)
            } else {
                ReadResponse::with_body(StatusCode::OK, policy, content_type, made(body))
            };
            response.add(cache_control);
            response.made = Some((field_name!("etag"), format!("W/\"{token}\"")));
            return resource::made_response(context, response, vary, request);
        }
        Ok(Representation::Body { content_type, about, body }) => {
            let body = Slices::one(body);
            let mut response = ReadResponse::with_body(StatusCode::OK, policy, content_type, body);
            if let Some(field) = about {
                response.add(field);
            }
            response
        }
        Ok(Representation::Made(content_type, body)) => {
            ReadResponse::with_body(StatusCode::OK, policy, content_type, made(body))
        }
        Ok(Representation::Document(found)) => match document::response(context, *found, request) {
            Ok(response) => response,
            Err(compression) => return ReadResult::Compress(Compression::Document(compression)),
        },
        Err(Unhandled::Preflight) => preflight(policy),
        Ok(Representation::Moved(location)) | Err(Unhandled::Moved(location)) => {
            let mut response = ReadResponse::new(StatusCode::TEMPORARY_REDIRECT, policy);
            response.add(fixed_field!("content-length", "0"));
            response.made = Some((field_name!("location"), location));
            response
        }
        Err(Unhandled::Error(HttpError::Wait(wait))) => return ReadResult::Wait(wait),
        Err(Unhandled::Error(HttpError::OnDemand)) => return ReadResult::OnDemand,
        Err(Unhandled::Error(error)) => {
            let canonical = canonical_link(context, route, request.path, &error);
            let mut response = failure(error, route, policy);
            response.made = canonical.map(|link| (field_name!("link"), link));
            response
        }
    };
    ReadResult::Ready(response)
}

/// What an answer depends on besides its address.
fn vary(route: Option<&Route>) -> &'static FixedField {
    let is_negotiated = |route: &Route| matches!(route.handler, Handler::Negotiated { .. });
    if route.is_some_and(is_negotiated) { VARY_PAGE } else { VARY }
}

fn made(body: Bytes) -> Payload {
    Payload::Made(Slices::one(body))
}

/// Why no endpoint answers.
enum Unhandled {
    Error(HttpError),
    /// A browser asks whether it may send a request from another site.
    Preflight,
    /// The path has a slash too many.
    Moved(String),
}

impl From<HttpError> for Unhandled {
    fn from(error: HttpError) -> Self {
        Self::Error(error)
    }
}

fn represent(
    context: &ReadContext<'_>,
    route: Option<&Route>,
    request: &ReadRequest<'_>,
) -> Result<Representation, Unhandled> {
    let Some(route) = route else {
        return Err(HttpError::NotFound.into());
    };
    match (&route.handler, request.verb) {
        (Handler::Get(read), Verb::Get | Verb::Head) | (Handler::Post(read), Verb::Post) => {
            Ok(read(context, request)?)
        }
        (Handler::Form(page, _), Verb::Get | Verb::Head) => Ok(page(context, request)?),
        (Handler::Negotiated { read, page }, Verb::Get | Verb::Head) => {
            let handler = if prefers_page(request) { page } else { read };
            Ok(handler(context, request)?)
        }
        (Handler::Moved, _) => Err(Unhandled::Moved(without_slash(request))),
        (_, Verb::Options) => Err(Unhandled::Preflight),
        _ => Err(HttpError::MethodNotAllowed.into()),
    }
}

/// Whether a client would rather have a page than JSON, as browsers do.
pub(crate) fn prefers_page(request: &ReadRequest<'_>) -> bool {
    prefers(request.accept.text(), "text/html", "application/json")
}

/// Where a path with a slash too many leads.
fn without_slash(request: &ReadRequest<'_>) -> String {
    let path = request.path.trim_end_matches('/');
    match request.query {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    }
}

/// The link to the app that an unknown slug is another name of, if there is exactly one.
fn canonical_link(
    context: &ReadContext<'_>,
    route: Option<&Route>,
    path: &str,
    error: &HttpError,
) -> Option<String> {
    let HttpError::Read(ReadError::UnknownSlug(name)) = error else { return None };
    // All characters of a slug may stand in a path.
    let slug = context.snapshot.canonical_slug(name)?;
    let segment = |(pattern, sent): (&'static str, &str)| match pattern {
        "{slug}" => slug.to_owned(),
        // Another open segment stays as it was sent.
        open if open.starts_with('{') => sent.replace(['<', '>'], ""),
        named => named.to_owned(),
    };
    let segments: Vec<String> = route?.path.split('/').zip(path.split('/')).map(segment).collect();
    Some(format!("<{}>; rel=\"canonical\"", segments.join("/")))
}

fn preflight(policy: Policy) -> ReadResponse {
    let mut response = ReadResponse::new(StatusCode::NO_CONTENT, policy);
    response.add(fixed_field!("access-control-allow-methods", "GET, HEAD, POST, OPTIONS"));
    response.add(fixed_field!(
        "access-control-allow-headers",
        "accept, content-type, if-none-match, x-request-id"
    ));
    response.add(fixed_field!("access-control-max-age", "86400"));
    response
}
