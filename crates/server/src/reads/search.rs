//! `GET /search`: apps by how well they match, best first.

use appstitch_types::{HttpValidationError, search::SearchResponse};

use super::paging::PageRequest;
use crate::{
    http_error::HttpError,
    message::{EndpointResult, PageWindow, ReadContext, ReadRequest, Representation},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/search", read, Export::LiveOnly("every query has another response"))
        .catalog()
        .documented::<__path_read>();

/// Search for apps
///
/// Returns the apps that match, best first: exact names of any kind, then whole words, then the
/// beginnings of words, then parts of words; if there are none of these, words with a typing error
/// or two. Case, accents, blanks and punctuation do not matter. All words of the query have to match,
/// in any order. Usual short forms are written out, and apps that many recipes, labels and installer
/// titles carry come first among similar matches. Each hit says what matches. If nothing does,
/// `did_you_mean` has the nearest names. A query without letters and digits matches nothing.
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "search_apps",
    tag = "apps",
    params(
        ("q" = String, Query, description = "What to search for, up to 200 characters: a name, a slug, a cask's token, a label's name, a bundle identifier, a Team ID, a vendor, or words of these", example = "vs code"),
        ("vendor" = Option<String>, Query, description = "Filter by vendor (case-insensitive)", example = "Microsoft"),
        ("source" = Option<String>, Query, description = "Only apps with this source: `label_tool`, `cask_catalog`, `recipe_index`, `mdm_installer` or `store_listing`", example = "cask_catalog"),
        ("limit" = inline(Option<super::paging::SearchLimit>), Query, description = "Maximum number of apps to return", example = 20),
        ("offset" = inline(Option<super::paging::Offset>), Query, description = "Number of matching apps to skip", example = 0),
    ),
    responses(
        (status = 200, description = "A page of hits", body = SearchResponse, headers(
            ("etag" = String, description = "The catalog's token"),
            ("link" = String, description = "RFC 8288 links: first, prev, next, last"),
            ("x-total-count" = u64, description = "Number of matching apps"),
        )),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let (PageRequest { filter, limit, offset }, query) = PageRequest::of_search(request.query)?;
    context.begin_work()?;
    let found = context.snapshot.find_apps(&query, &filter, limit, offset);
    let found = found.map_err(|error| {
        tracing::error!(%error, "cannot write the results of a search");
        HttpError::Internal
    })?;
    Ok(Representation::Page(found.body(), PageWindow { limit, offset, total: found.total }))
}
