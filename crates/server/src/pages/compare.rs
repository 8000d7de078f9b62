//! `GET /compare`: apps or two sources side by side.

use super::{page, parameters_up_to};
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    route::Route,
};

/// The route of this page.
pub(crate) const ROUTE: Route = Route::get_undocumented("/compare", read);

/// The longest list that is read, in characters.
const LONGEST: usize = 1_000;

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let [slugs, sources] = parameters_up_to(LONGEST, asked.query, ["slugs", "sources"]);
    if let (None, Some(sources)) = (&slugs, sources) {
        return page(context, asked, &format!("/compare?sources={sources}"), |site| {
            appstitch_pages::compare_sources(site, &sources)
        });
    }
    let slugs = slugs.unwrap_or_default();
    page(context, asked, &format!("/compare?slugs={slugs}"), |site| {
        appstitch_pages::compare(site, &slugs)
    })
}
