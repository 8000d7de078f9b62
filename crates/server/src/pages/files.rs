//! `GET /favicon.svg`, `/favicon.ico`, `/robots.txt`, `/opensearch.xml`: small files that browsers
//! and robots look for.

use super::{ANY_ORIGIN, NO_SNIFFING, ONE_DAY, PICTURE_CONTENT, VARY_ENCODING, document};
use crate::{
    message::{
        DocumentKind, EndpointResult, ReadContext, ReadRequest, Representation, fixed_field,
    },
    route::{Export, Route},
};

pub(crate) const OPENSEARCH_ROUTE: Route =
    Route::get("/opensearch.xml", read_opensearch, Export::Path("opensearch.xml"));
pub(crate) const FAVICON_ROUTE: Route =
    Route::get("/favicon.svg", read_favicon, Export::Path("favicon.svg"));
pub(crate) const OLD_FAVICON_ROUTE: Route = Route::get(
    "/favicon.ico",
    |_, _| Ok(Representation::Moved("/favicon.svg".to_owned())),
    Export::LiveOnly("it is a redirect, which the sample configuration has"),
);
pub(crate) const ROBOTS_ROUTE: Route =
    Route::get("/robots.txt", read_robots, Export::Path("robots.txt"));

const OPENSEARCH: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "application/opensearchdescription+xml"),
    fields: &[ONE_DAY, ANY_ORIGIN, VARY_ENCODING, NO_SNIFFING],
};

const ICON: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "image/svg+xml; charset=utf-8"),
    fields: &[ONE_DAY, VARY_ENCODING, PICTURE_CONTENT, NO_SNIFFING],
};

const TEXT: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "text/plain; charset=utf-8"),
    fields: &[ONE_DAY, VARY_ENCODING, NO_SNIFFING],
};

fn read_opensearch(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    document(context, request, &OPENSEARCH, "/opensearch.xml", appstitch_pages::opensearch)
}

fn read_favicon(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    document(context, request, &ICON, "/favicon.svg", |_| Ok(appstitch_pages::FAVICON.to_owned()))
}

fn read_robots(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    document(context, request, &TEXT, "/robots.txt", |site| Ok(appstitch_pages::robots(site)))
}
