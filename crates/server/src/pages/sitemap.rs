//! `GET /sitemap.xml` and its parts: the addresses of all pages, for search engines.

use super::{NO_SNIFFING, REVALIDATE, VARY_ENCODING, existing};
use crate::{
    http_error::HttpError,
    message::{Asked, DocumentKind, ReadContext, Reply, fixed_field},
    route::Route,
};

/// The route of the sitemap.
pub(crate) const ROUTE: Route = Route::get_undocumented("/sitemap.xml", read);
/// The route of its parts, if there are too many pages for one file.
pub(crate) const PART_ROUTE: Route = Route::get_undocumented("/sitemap/{file}", read_part);

const SITEMAP: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "application/xml; charset=utf-8"),
    fields: &[REVALIDATE, VARY_ENCODING, NO_SNIFFING],
};

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    existing(context, asked, &SITEMAP, "/sitemap.xml", appstitch_pages::sitemap)
}

fn read_part(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let file = context.slug();
    let number = file.strip_suffix(".xml").and_then(|number| number.parse().ok());
    let number = number.ok_or(HttpError::NotFound)?;
    existing(context, asked, &SITEMAP, &format!("/sitemap/{number}.xml"), |site| {
        appstitch_pages::sitemap_part(site, number)
    })
}
