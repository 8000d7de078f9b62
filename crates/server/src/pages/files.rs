//! `GET /favicon.svg`, `/favicon.ico`, `/robots.txt`, `/opensearch.xml`: small files that browsers
//! and robots look for.

use super::{ANY_ORIGIN, NO_SNIFFING, ONE_DAY, PICTURE_CONTENT, VARY_ENCODING, document};
use crate::{
    http_error::HttpError,
    message::{Asked, DocumentKind, ReadContext, Reply, fixed_field},
    route::Route,
};

/// The routes of these files.
pub(crate) const OPENSEARCH_ROUTE: Route =
    Route::get_undocumented("/opensearch.xml", read_opensearch);
pub(crate) const FAVICON_ROUTE: Route = Route::get_undocumented("/favicon.svg", read_favicon);
pub(crate) const OLD_FAVICON_ROUTE: Route =
    Route::get_undocumented("/favicon.ico", |_, _| Ok(Reply::Moved("/favicon.svg".to_owned())));
pub(crate) const ROBOTS_ROUTE: Route = Route::get_undocumented("/robots.txt", read_robots);

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

fn read_opensearch(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    document(context, asked, &OPENSEARCH, "/opensearch.xml", appstitch_pages::opensearch)
}

fn read_favicon(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    document(context, asked, &ICON, "/favicon.svg", |_| Ok(appstitch_pages::FAVICON.to_owned()))
}

fn read_robots(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    document(context, asked, &TEXT, "/robots.txt", |site| Ok(appstitch_pages::robots(site)))
}
