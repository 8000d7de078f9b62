//! The web pages. One thin file per page, or per few small ones: it reads the query and calls the
//! `appstitch-pages` crate. This file has what they have in common.
//!
//! Every page depends on its address, the revision, the state of the sources and the program, so a
//! hash of these is its entity tag. A browser asks again each time, which costs a hash. What was made
//! is kept with the snapshot, plain and compressed, so it is made once per revision if it is asked for
//! often.

pub(crate) mod about;
pub(crate) mod app;
pub(crate) mod apps;
pub(crate) mod assets;
pub(crate) mod badges;
pub(crate) mod changes;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod drift;
pub(crate) mod files;
pub(crate) mod home;
pub(crate) mod not_found;
mod response;
pub(crate) mod sitemap;
pub(crate) mod vendors;

pub(crate) use response::html_response;

use std::{sync::Once, thread};

use appstitch_catalog_files::PublicKey;
use appstitch_pages::{InvalidAddress, PageError, Problem, Site};
use appstitch_snapshot::{BodyKey, DocumentKey, Snapshot, WORTHWHILE};
use appstitch_stitching::publishers;
use axum::http::StatusCode;
use bytes::Bytes;
use ring::digest::{Context, SHA256};

use crate::{
    http_error::HttpError,
    message::{
        Document, DocumentBody, DocumentKind, EndpointResult, FixedField, ReadContext, ReadRequest,
        Representation, fixed_field,
    },
    parts::ServiceParts,
    query::Parameters,
    reads::{condition::already_has, negotiate::choose_quick_encoding},
};

/// Browsers ask each time whether a page is still the same.
pub(crate) const REVALIDATE: &FixedField = fixed_field!("cache-control", "no-cache");
/// For what has a hash of its content in its name.
pub(crate) const FOREVER: &FixedField =
    fixed_field!("cache-control", "public, max-age=31536000, immutable");
/// For small files that hardly ever change.
pub(crate) const ONE_DAY: &FixedField = fixed_field!("cache-control", "public, max-age=86400");
/// The type is what we say.
pub(crate) const NO_SNIFFING: &FixedField = fixed_field!("x-content-type-options", "nosniff");
pub(crate) const VARY_ENCODING: &FixedField = fixed_field!("vary", "accept-encoding");
/// For a page at the address of something else.
pub(crate) const VARY_BOTH: &FixedField = fixed_field!("vary", "accept, accept-encoding");
pub(crate) const ANY_ORIGIN: &FixedField = fixed_field!("access-control-allow-origin", "*");
pub(crate) const REFERRER: &FixedField = fixed_field!("referrer-policy", "same-origin");
/// Nothing is loaded from another host, and nothing inside a page is run.
pub(crate) const PAGE_CONTENT: &FixedField = fixed_field!(
    "content-security-policy",
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
);
/// A picture that is opened directly.
pub(crate) const PICTURE_CONTENT: &FixedField =
    fixed_field!("content-security-policy", "default-src 'none'; frame-ancestors 'none'");

pub(crate) const HTML_TYPE: &FixedField = fixed_field!("content-type", "text/html; charset=utf-8");

pub(crate) const HTML: DocumentKind = DocumentKind {
    content_type: HTML_TYPE,
    fields: &[REVALIDATE, VARY_ENCODING, PAGE_CONTENT, NO_SNIFFING, REFERRER],
};

/// A page at an address where programs get something else.
pub(crate) const NEGOTIATED_HTML: DocumentKind = DocumentKind {
    content_type: HTML_TYPE,
    fields: &[REVALIDATE, VARY_BOTH, PAGE_CONTENT, NO_SNIFFING, REFERRER],
};

/// A table for spreadsheets, which is saved under a name: `csv!("drift.csv")`.
macro_rules! csv {
    ($file:literal) => {
        $crate::message::DocumentKind {
            content_type: $crate::message::fixed_field!("content-type", "text/csv; charset=utf-8"),
            fields: &[
                $crate::pages::REVALIDATE,
                $crate::pages::VARY_ENCODING,
                $crate::pages::NO_SNIFFING,
                &appstitch_wire::FixedField {
                    name: "content-disposition",
                    value: concat!("attachment; filename=\"", $file, "\""),
                    line: concat!("content-disposition: attachment; filename=\"", $file, "\"\r\n"),
                },
            ],
        }
    };
}

pub(crate) use csv;

/// The site of a revision.
pub(crate) fn site<'a>(parts: &'a ServiceParts, snapshot: &'a Snapshot) -> Site<'a> {
    let keys = parts.catalog_keys().iter().map(PublicKey::text).collect();
    Site::new(snapshot, parts.publisher.source_status(), &parts.links).signed_with(keys)
}

/// A page. `name` is its path and the part of the query that it depends on.
pub(crate) fn page(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<String, PageError>,
) -> EndpointResult {
    document(context, request, &HTML, name, make)
}

/// A document of any kind that depends on the same as a page.
pub(crate) fn document(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    kind: &'static DocumentKind,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<String, PageError>,
) -> EndpointResult {
    with_status(context, request, kind, StatusCode::OK, name, make)
}

pub(crate) fn existing(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    kind: &'static DocumentKind,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<Option<String>, PageError>,
) -> EndpointResult {
    kept_or_made(context, request, kind, StatusCode::OK, name, make)
}

/// A page about a problem, such as an unknown app.
pub(crate) fn problem(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    kind: &'static DocumentKind,
    status: StatusCode,
    problem: Problem<'_>,
) -> EndpointResult {
    let Problem { title, text, wanted } = problem;
    let name = format!("{status}\0{title}\0{text}\0{}", wanted.unwrap_or_default());
    with_status(context, request, kind, status, &name, |site| {
        appstitch_pages::problem(site, request.path, problem)
    })
}

/// A page about an address that asks for what does not exist.
pub(crate) fn invalid(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    kind: &'static DocumentKind,
    fault: &InvalidAddress,
) -> EndpointResult {
    let title = "This link has a wrong setting";
    let wrong = Problem { title, text: &fault.0, wanted: None };
    problem(context, request, kind, StatusCode::UNPROCESSABLE_ENTITY, wrong)
}

/// A document with a status. One that is not OK has no entity tag.
pub(crate) fn with_status(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    kind: &'static DocumentKind,
    status: StatusCode,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<String, PageError>,
) -> EndpointResult {
    kept_or_made(context, request, kind, status, name, |site| make(site).map(Some))
}

/// Reads the directory of publishers in the background, which takes some milliseconds. The labels on
/// many pages need it; a server without visitors does not.
fn prepare_labels() {
    static FIRST_PAGE: Once = Once::new();
    FIRST_PAGE.call_once(|| {
        let thread = thread::Builder::new().name("publishers".to_owned());
        // Without the thread, the first page that needs it reads it.
        let _ = thread.spawn(publishers::directory);
    });
}

/// A document in the form that the client wants: kept from an earlier request, or made now.
fn kept_or_made(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    kind: &'static DocumentKind,
    status: StatusCode,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<Option<String>, PageError>,
) -> EndpointResult {
    let site = site(context.parts, context.snapshot);
    let tag = site.tag();
    // A problem has no entity tag: a client must not take it for what it asked for.
    let tagged = (status == StatusCode::OK).then(|| tag.clone());
    let as_document =
        |body| Ok(Representation::Document(Box::new(Document { status, kind, tag: tagged, body })));
    if status == StatusCode::OK && already_has(&request.if_none_match, &tag) {
        return as_document(DocumentBody::NotModified);
    }
    let key = key(&tag, kind, name);
    let encoding = choose_quick_encoding(&request.accept_encoding);
    let snapshot = context.snapshot;
    if encoding.is_some()
        && let Some(kept) = snapshot.bodies().get(BodyKey::Document(key), encoding)
    {
        return as_document(DocumentBody::Kept(kept, encoding));
    }
    if let Some(text) = snapshot.documents().get(&key) {
        if encoding.is_some() && text.len() >= WORTHWHILE {
            context.begin_work()?;
        }
        return as_document(DocumentBody::Made(BodyKey::Document(key), text));
    }
    context.begin_work()?;
    prepare_labels();
    match make(&site) {
        Ok(None) => Err(HttpError::NotFound),
        Ok(Some(text)) => {
            // Without spare room, which would be kept as well.
            let text = Bytes::from(text.into_bytes().into_boxed_slice());
            // Problems are not kept: there are as many as addresses that do not exist.
            if status == StatusCode::OK {
                snapshot.documents().insert(key, text.clone());
            }
            as_document(DocumentBody::Made(BodyKey::Document(key), text))
        }
        Err(error) => {
            tracing::error!(%error, path = request.path, "cannot make a page");
            Err(HttpError::Internal)
        }
    }
}

/// What a document is kept under. The tag is part of it because a revision stays the same while the
/// state of the sources changes.
fn key(tag: &str, kind: &DocumentKind, name: &str) -> DocumentKey {
    let mut hash = Context::new(&SHA256);
    for part in [tag, kind.content_type.value, "\0", name] {
        hash.update(part.as_bytes());
    }
    let hash = hash.finish();
    std::array::from_fn(|position| hash.as_ref()[position])
}

/// The longest value of a parameter, in characters, as for the fields of the forms. A page repeats
/// values, in links too, and must not get long by them.
const LONGEST_VALUE: usize = 200;

/// The value of a parameter of a page; what is too long of it is ignored.
pub(crate) fn parameter(query: Option<&str>, name: &str) -> Option<String> {
    parameter_up_to(LONGEST_VALUE, query, name)
}

/// The same with another longest value.
pub(crate) fn parameter_up_to(longest: usize, query: Option<&str>, name: &str) -> Option<String> {
    let value = Parameters::of(query).last_of(name);
    value.map(|value| value.chars().take(longest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_parameter_is_read_up_to_a_length() {
        let query = Some("page=2&x=3&q=vs+code&q=a%26b");
        assert_eq!(parameter(query, "q").as_deref(), Some("a&b"));
        assert_eq!(parameter(query, "page").as_deref(), Some("2"));
        assert_eq!((parameter(query, "sort"), parameter(None, "q")), (None, None));
        let long = format!("q={}", "%C3%A9".repeat(LONGEST_VALUE + 1));
        assert_eq!(parameter(Some(&long), "q"), Some("é".repeat(LONGEST_VALUE)));
    }
}
