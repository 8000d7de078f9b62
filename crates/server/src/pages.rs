//! The web pages. One thin file per page, or per few small ones: it reads the query and calls the
//! `appstitch-pages` crate. This file has what they have in common.
//!
//! Every page depends on its address, the revision, the state of the sources and the program, so a
//! hash of these is its entity tag. A browser asks again each time, which costs a hash. What was made
//! is kept with the snapshot, plain and compressed, so it is made once per revision if it is asked for
//! often.

pub(crate) mod about;
mod ahead;
pub(crate) mod app;
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

pub(crate) use ahead::make_pages_ahead;
pub(crate) use response::html_response;

use std::{sync::Once, thread};

use appstitch_catalog::publishers;
use appstitch_pages::{InvalidAddress, PageError, Problem, Site};
use appstitch_snapshot::{BodyKey, DocumentKey, WORTHWHILE};
use axum::http::StatusCode;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::{
    http_error::HttpError,
    message::{
        Asked, Document, DocumentBody, DocumentKind, FixedField, ReadContext, Reply, fixed_field,
    },
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
/// Any site may read it.
pub(crate) const ANY_ORIGIN: &FixedField = fixed_field!("access-control-allow-origin", "*");
pub(crate) const REFERRER: &FixedField = fixed_field!("referrer-policy", "same-origin");
/// Nothing is loaded from another host, and nothing inside a page is run.
pub(crate) const PAGE_CONTENT: &FixedField = fixed_field!(
    "content-security-policy",
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
);
/// A picture that somebody opens by itself.
pub(crate) const PICTURE_CONTENT: &FixedField =
    fixed_field!("content-security-policy", "default-src 'none'; frame-ancestors 'none'");

pub(crate) const HTML_TYPE: &FixedField = fixed_field!("content-type", "text/html; charset=utf-8");

/// A page.
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

/// The site that a request sees.
pub(crate) fn site<'a>(context: &ReadContext<'a>) -> Site<'a> {
    let parts = context.parts;
    Site::new(context.snapshot, parts.publisher.source_status(), &parts.links)
}

/// A page. `name` is its path and the part of the query that it depends on.
pub(crate) fn page(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<String, PageError>,
) -> Result<Reply, HttpError> {
    document(context, asked, &HTML, name, make)
}

/// A document of any kind that depends on the same as a page.
pub(crate) fn document(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    kind: &'static DocumentKind,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<String, PageError>,
) -> Result<Reply, HttpError> {
    with_status(context, asked, kind, StatusCode::OK, name, make)
}

/// A document that may not exist.
pub(crate) fn existing(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    kind: &'static DocumentKind,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<Option<String>, PageError>,
) -> Result<Reply, HttpError> {
    kept_or_made(context, asked, kind, StatusCode::OK, name, make)
}

/// A page about a problem, such as an unknown app.
pub(crate) fn problem(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    kind: &'static DocumentKind,
    status: StatusCode,
    problem: Problem<'_>,
) -> Result<Reply, HttpError> {
    let Problem { title, text, wanted } = problem;
    let name = format!("{status}\0{title}\0{text}\0{}", wanted.unwrap_or_default());
    with_status(context, asked, kind, status, &name, |site| {
        appstitch_pages::problem(site, asked.path, problem)
    })
}

/// A page about an address that asks for what does not exist.
pub(crate) fn invalid(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    kind: &'static DocumentKind,
    fault: &InvalidAddress,
) -> Result<Reply, HttpError> {
    let title = "This address cannot be shown";
    let wrong = Problem { title, text: &fault.0, wanted: None };
    problem(context, asked, kind, StatusCode::UNPROCESSABLE_ENTITY, wrong)
}

/// A document with a status. One that is not OK has no entity tag.
pub(crate) fn with_status(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    kind: &'static DocumentKind,
    status: StatusCode,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<String, PageError>,
) -> Result<Reply, HttpError> {
    kept_or_made(context, asked, kind, status, name, |site| make(site).map(Some))
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
    asked: &Asked<'_>,
    kind: &'static DocumentKind,
    status: StatusCode,
    name: &str,
    make: impl FnOnce(&Site<'_>) -> Result<Option<String>, PageError>,
) -> Result<Reply, HttpError> {
    let site = site(context);
    let tag = site.tag();
    // A problem has no entity tag: a client must not take it for what it asked for.
    let tagged = (status == StatusCode::OK).then(|| tag.clone());
    let reply = |body| Ok(Reply::Document(Box::new(Document { status, kind, tag: tagged, body })));
    if status == StatusCode::OK && already_has(&asked.if_none_match, &tag) {
        return reply(DocumentBody::NotModified);
    }
    let key = key(&tag, kind, name);
    let encoding = choose_quick_encoding(&asked.accept_encoding);
    let snapshot = context.snapshot;
    if encoding.is_some()
        && let Some(kept) = snapshot.kept().get(BodyKey::Document(key), encoding)
    {
        return reply(DocumentBody::Kept(kept, encoding));
    }
    if let Some(text) = snapshot.kept_document(&key) {
        if encoding.is_some() && text.len() >= WORTHWHILE {
            context.begin_work()?;
        }
        return reply(DocumentBody::Made(BodyKey::Document(key), text));
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
                snapshot.keep_document(key, text.clone());
            }
            reply(DocumentBody::Made(BodyKey::Document(key), text))
        }
        Err(error) => {
            tracing::error!(%error, path = asked.path, "cannot make a page");
            Err(HttpError::Internal)
        }
    }
}

/// What a document is kept under. The tag is part of it because a revision stays the same while the
/// state of the sources changes.
fn key(tag: &str, kind: &DocumentKind, name: &str) -> DocumentKey {
    let hash = Sha256::new()
        .chain_update(tag)
        .chain_update(kind.content_type.value)
        .chain_update([0])
        .chain_update(name)
        .finalize();
    std::array::from_fn(|position| hash[position])
}

/// The longest value of a parameter, in characters, as for the fields of the forms. A page repeats
/// values, in links too, and must not get long by them.
const LONGEST_VALUE: usize = 200;

/// The values of the parameters that a page knows, in the order of `names`; of a repeated one the
/// last. Others are ignored, and so is what is too long of a value.
pub(crate) fn parameters<const N: usize>(
    query: Option<&str>,
    names: [&str; N],
) -> [Option<String>; N] {
    parameters_up_to(LONGEST_VALUE, query, names)
}

/// The same with another longest value.
pub(crate) fn parameters_up_to<const N: usize>(
    longest: usize,
    query: Option<&str>,
    names: [&str; N],
) -> [Option<String>; N] {
    let mut values = [const { None }; N];
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if let Some(position) = names.iter().position(|known| *known == name) {
            values[position] = Some(value.chars().take(longest).collect());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_parameters_are_read_and_others_ignored() {
        let read = |query| parameters(query, ["q", "page"]);
        assert_eq!(read(None), [None, None]);
        assert_eq!(
            read(Some("page=2&x=3&q=vs+code&q=a%26b")),
            [Some("a&b".to_owned()), Some("2".to_owned())]
        );
        let long = format!("q={}", "%C3%A9".repeat(LONGEST_VALUE + 1));
        assert_eq!(read(Some(&long)), [Some("é".repeat(LONGEST_VALUE)), None]);
    }
}
