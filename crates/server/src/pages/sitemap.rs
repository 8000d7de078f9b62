//! `GET /sitemap.xml` and its parts: the addresses of all pages, for search engines.

use super::{NO_SNIFFING, REVALIDATE, VARY_ENCODING, existing};
use crate::{
    http_error::HttpError,
    message::{DocumentKind, EndpointResult, ReadContext, ReadRequest, fixed_field},
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route = Route::get("/sitemap.xml", read, Export::Path("sitemap.xml"));
pub(crate) const PART_ROUTE: Route =
    Route::get("/sitemap/{file}", read_part, Export::Each(Exported::SitemapParts, "sitemap/{}"));

const SITEMAP: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "application/xml; charset=utf-8"),
    fields: &[REVALIDATE, VARY_ENCODING, NO_SNIFFING],
};

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    existing(context, request, &SITEMAP, "/sitemap.xml", appstitch_pages::sitemap)
}

fn read_part(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let file = context.slug();
    let number = file.strip_suffix(".xml").and_then(|number| number.parse().ok());
    let number = number.ok_or(HttpError::NotFound)?;
    existing(context, request, &SITEMAP, &format!("/sitemap/{number}.xml"), |site| {
        appstitch_pages::sitemap_part(site, number)
    })
}
