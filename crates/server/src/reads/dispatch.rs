//! From what is asked to what is answered.

use appstitch_bodies::{Payload, Slices};
use appstitch_snapshot::{ReadError, SinceError};
use axum::http::StatusCode;
use bytes::Bytes;

use super::{
    changes,
    condition::already_has,
    document,
    negotiate::prefers,
    paging::add_page_fields,
    resource::{self, Compression, ReadOutcome, VARY},
};
use crate::{
    http_error::HttpError,
    message::{
        Answer, Asked, FAILURE, FixedField, JSON, Policy, ReadContext, Reply, Verb, field_name,
        fixed_field, policy_of,
    },
    route::{Handler, Route},
};

/// Browsers get a page at the same address.
const VARY_PAGE: &FixedField = fixed_field!("vary", "accept, accept-encoding");

/// Answers a read from one snapshot.
pub(crate) fn answer(
    context: &ReadContext<'_>,
    route: Option<&Route>,
    asked: &Asked<'_>,
) -> ReadOutcome {
    let policy = policy_of(asked.verb, asked.path, context.snapshot.etag());
    let answer = match reply(context, route, asked) {
        Ok(Reply::Resource(found)) => return resource::answer(context, found, asked, policy),
        Ok(Reply::Feed(found)) => return resource::answer_feed(context, &found, asked, policy),
        Ok(Reply::Tagged(_) | Reply::Page(..))
            if already_has(&asked.if_none_match, context.snapshot.token()) =>
        {
            let answer = Answer::new(StatusCode::NOT_MODIFIED, policy);
            return resource::answer_made(context, answer, VARY, asked);
        }
        Ok(Reply::Tagged(body)) => {
            let answer = Answer::with_body(StatusCode::OK, policy, JSON, made(body));
            return resource::answer_made(context, answer, VARY, asked);
        }
        Ok(Reply::Page(body, window)) => {
            let mut answer = Answer::with_body(StatusCode::OK, policy, JSON, made(body));
            add_page_fields(&mut answer, asked.path, asked.query, window);
            return resource::answer_made(context, answer, VARY, asked);
        }
        Ok(Reply::Versioned { token, cache_control, body }) => {
            let mut answer = if already_has(&asked.if_none_match, &token) {
                Answer::new(StatusCode::NOT_MODIFIED, policy)
            } else {
                Answer::with_body(StatusCode::OK, policy, JSON, made(body))
            };
            answer.add(cache_control);
            answer.made = Some((field_name!("etag"), format!("W/\"{token}\"")));
            return resource::answer_made(context, answer, VARY_PAGE, asked);
        }
        Ok(Reply::Body { content_type, about, body }) => {
            let body = Slices::one(body);
            let mut answer = Answer::with_body(StatusCode::OK, policy, content_type, body);
            if let Some(field) = about {
                answer.add(field);
            }
            answer
        }
        Ok(Reply::Made(content_type, body)) => {
            Answer::with_body(StatusCode::OK, policy, content_type, made(body))
        }
        Ok(Reply::Document(found)) => match document::answer(context, *found, asked) {
            Ok(answer) => answer,
            Err(compression) => return ReadOutcome::Compress(Compression::Document(compression)),
        },
        Err(Unanswered::Preflight) => preflight(policy),
        Ok(Reply::Moved(location)) | Err(Unanswered::Moved(location)) => {
            let mut answer = Answer::new(StatusCode::TEMPORARY_REDIRECT, policy);
            answer.add(fixed_field!("content-length", "0"));
            answer.made = Some((field_name!("location"), location));
            answer
        }
        Err(Unanswered::Error(HttpError::Ahead(error))) => return ReadOutcome::Ahead(error),
        Err(Unanswered::Error(HttpError::OnDemand)) => return ReadOutcome::OnDemand,
        Err(Unanswered::Error(error)) => {
            let canonical = canonical_link(context, route, &error);
            let mut answer = failure(error, route, policy);
            answer.made = canonical.map(|link| (field_name!("link"), link));
            answer
        }
    };
    ReadOutcome::Ready(answer)
}

/// A body that was made for this request.
fn made(body: Bytes) -> Payload {
    Payload::Made(Slices::one(body))
}

/// Why no endpoint answers.
enum Unanswered {
    Error(HttpError),
    /// A browser asks whether it may send a request from another site.
    Preflight,
    /// The path has a slash too many.
    Moved(String),
}

impl From<HttpError> for Unanswered {
    fn from(error: HttpError) -> Self {
        Self::Error(error)
    }
}

fn reply(
    context: &ReadContext<'_>,
    route: Option<&Route>,
    asked: &Asked<'_>,
) -> Result<Reply, Unanswered> {
    let Some(route) = route else {
        return Err(HttpError::NotFound.into());
    };
    match (&route.handler, asked.verb) {
        (Handler::Get(read), Verb::Get | Verb::Head) | (Handler::Post(read), Verb::Post) => {
            Ok(read(context, asked)?)
        }
        (Handler::Form(page, _), Verb::Get | Verb::Head) => Ok(page(context, asked)?),
        (Handler::Negotiated { read, page }, Verb::Get | Verb::Head) => {
            let handler = if prefers_page(asked) { page } else { read };
            Ok(handler(context, asked)?)
        }
        (Handler::Moved, _) => Err(Unanswered::Moved(without_slash(asked))),
        (_, Verb::Options) => Err(Unanswered::Preflight),
        _ => Err(HttpError::MethodNotAllowed.into()),
    }
}

/// Whether a client would rather have a page than JSON, as browsers do.
pub(crate) fn prefers_page(asked: &Asked<'_>) -> bool {
    prefers(asked.accept.text(), "text/html", "application/json")
}

/// Where a path with a slash too many leads.
fn without_slash(asked: &Asked<'_>) -> String {
    let path = asked.path.trim_end_matches('/');
    match asked.query {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    }
}

/// The link to the app that an unknown slug is another name of, if there is exactly one.
fn canonical_link(
    context: &ReadContext<'_>,
    route: Option<&Route>,
    error: &HttpError,
) -> Option<String> {
    let HttpError::Read(ReadError::UnknownSlug(name)) = error else { return None };
    // All characters of a slug may stand in a path.
    let path = route?.pattern.replace("{slug}", context.snapshot.canonical_slug(name)?);
    Some(format!("<{path}>; rel=\"canonical\""))
}

/// What a program tells an unknown app by; most other errors are told by their status alone.
const APP_NOT_FOUND: &FixedField = fixed_field!("x-error-code", "app_not_found");
/// What a program tells an unknown name by.
const NAME_NOT_FOUND: &FixedField = fixed_field!("x-error-code", "name_not_found");
/// What a program tells by that it has to read everything again.
const CHANGES_GONE: &FixedField = fixed_field!("x-error-code", "changes_gone");

/// Another server on the same store may be ahead of this one and know the position.
const CHANGES_FAILED: &FixedField = fixed_field!("cache-control", "no-store");
/// What a program tells an unknown vendor by.
const VENDOR_NOT_FOUND: &FixedField = fixed_field!("x-error-code", "vendor_not_found");

/// The answer to a request that fails.
pub(crate) fn failure(error: HttpError, route: Option<&Route>, policy: Policy) -> Answer {
    let status = error.status();
    let policy = if status.is_server_error() { policy.cached(FAILURE) } else { policy };
    let about = match &error {
        HttpError::MethodNotAllowed => route.and_then(Route::allowed),
        HttpError::NoRoom
        | HttpError::ShareUsed
        | HttpError::Busy
        | HttpError::Stopping
        | HttpError::NotYet => Some(fixed_field!("retry-after", "1")),
        HttpError::Read(ReadError::UnknownSlug(_)) => Some(APP_NOT_FOUND),
        HttpError::Read(ReadError::UnknownName(_)) => Some(NAME_NOT_FOUND),
        HttpError::Since(SinceError::Gone(_)) => Some(CHANGES_GONE),
        HttpError::Read(ReadError::UnknownVendor(_)) => Some(VENDOR_NOT_FOUND),
        _ => None,
    };
    let mut answer = Answer::with_body(status, policy, JSON, Slices::one(error.body()));
    if let Some(field) = about {
        answer.add(field);
    }
    if route.is_some_and(|route| route.pattern == changes::ROUTE.pattern) {
        answer.add(CHANGES_FAILED);
    }
    answer
}

fn preflight(policy: Policy) -> Answer {
    let mut answer = Answer::new(StatusCode::NO_CONTENT, policy);
    answer.add(fixed_field!("access-control-allow-methods", "GET, HEAD, POST, OPTIONS"));
    answer.add(fixed_field!(
        "access-control-allow-headers",
        "accept, content-type, if-none-match, x-request-id"
    ));
    answer.add(fixed_field!("access-control-max-age", "86400"));
    answer
}
