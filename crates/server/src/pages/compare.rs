//! `GET /compare`: apps or two sources side by side.

use super::{page, parameter_up_to};
use crate::{
    message::{EndpointResult, ReadContext, ReadRequest},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/compare", read, Export::LiveOnly("every list of apps has another answer"));

/// The longest list that is read, in characters.
const LONGEST: usize = 1_000;

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let [slugs, sources] =
        ["slugs", "sources"].map(|name| parameter_up_to(LONGEST, request.query, name));
    if let (None, Some(sources)) = (&slugs, sources) {
        return page(context, request, &format!("/compare?sources={sources}"), |site| {
            appstitch_pages::compare_sources(site, &sources)
        });
    }
    let slugs = slugs.unwrap_or_default();
    page(context, request, &format!("/compare?slugs={slugs}"), |site| {
        appstitch_pages::compare(site, &slugs)
    })
}
