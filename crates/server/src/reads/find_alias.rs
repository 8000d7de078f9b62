//! `GET /aliases/{name}`: the apps that a name leads to.

use appstitch_types::{AliasMatches, HttpValidationError};

use crate::{
    http_error::HttpError,
    message::{EndpointResult, ReadContext, ReadRequest, Representation},
    response::ErrorDetail,
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/aliases/{name}", read, Export::Each(Exported::Aliases, "aliases/{}.json"))
        .catalog()
        .documented::<__path_read>();

/// Find apps by another name
///
/// Returns the apps with exactly this name, ignoring case. A name is a slug, the present or a former
/// token of a cask, a name of a label, a bundle identifier, a Team ID or the code of a Jamf title.
/// If all variants of a product have the name, only the main one is returned.
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "find_alias",
    tag = "apps",
    params(("name" = String, Path, description = "The name", example = "google-chrome")),
    responses(
        (status = 200, description = "The apps, with the kind of name", body = AliasMatches, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "No app has this name", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let found = context.snapshot.find_alias(&context.slug())?;
    let body = serde_json::to_vec(&found).map_err(|_| HttpError::Internal)?;
    Ok(Representation::Tagged(body.into()))
}
