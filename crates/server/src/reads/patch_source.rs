//! `GET /jamf/v1/…`: what a Jamf Pro server reads from an external patch source.

use std::borrow::Cow;

use appstitch_patch_source::{Definition, OmittedApp, Summary};
use appstitch_snapshot::{PatchSelection, Resource};
use serde::Serialize;

use crate::{
    http_error::HttpError,
    message::{
        EndpointResult, FixedField, JSON, ReadContext, ReadRequest, Representation, decode_segment,
        fixed_field,
    },
    response::ErrorDetail,
    route::{Export, Exported, Route},
};

/// As for everything that a revision determines.
const KEPT: &FixedField =
    fixed_field!("cache-control", "public, max-age=300, stale-while-revalidate=3600");

/// Up to this many titles or versions are written on the thread that receives requests.
const FEW: usize = 20;

const MADE_FOR_A_LIST: Export = Export::LiveOnly("every list of identifiers has another answer");
const A_PART: Export = Export::LiveOnly("the parts depend on the settings of a server");

pub(crate) const SOFTWARE_ROUTE: Route =
    Route::get("/jamf/v1/software", software, Export::Path("jamf/v1/software/@index.json"))
        .catalog()
        .documented::<__path_software>();
pub(crate) const SOME_SOFTWARE_ROUTE: Route =
    Route::get("/jamf/v1/software/{ids}", some_software, MADE_FOR_A_LIST)
        .catalog()
        .documented::<__path_some_software>();
pub(crate) const PATCH_ROUTE: Route = Route::get(
    "/jamf/v1/patch/{id}",
    patch,
    Export::Each(Exported::PatchTitles, "jamf/v1/patch/{}.json"),
)
.documented::<__path_patch>();
pub(crate) const OMITTED_ROUTE: Route =
    Route::get("/jamf/v1/omitted", omitted, Export::Path("jamf/v1/omitted.json"))
        .catalog()
        .documented::<__path_omitted>();
pub(crate) const PART_SOFTWARE_ROUTE: Route =
    Route::get("/jamf/v1/of/{selection}/software", part_software, A_PART)
        .documented::<__path_part_software>();
pub(crate) const PART_SOME_SOFTWARE_ROUTE: Route =
    Route::get("/jamf/v1/of/{selection}/software/{ids}", part_some_software, A_PART)
        .documented::<__path_part_some_software>();
pub(crate) const PART_PATCH_ROUTE: Route =
    Route::get("/jamf/v1/of/{selection}/patch/{id}", part_patch, A_PART)
        .documented::<__path_part_patch>();
pub(crate) const PART_OMITTED_ROUTE: Route =
    Route::get("/jamf/v1/of/{selection}/omitted", part_omitted, A_PART)
        .documented::<__path_part_omitted>();

/// List the patch titles
///
/// Returns every title of the Jamf Pro external patch source. Enter `<host>/jamf/v1` as the server.
#[utoipa::path(
    get,
    path = SOFTWARE_ROUTE.path,
    operation_id = "list_patch_titles",
    tag = "patch source",
    responses(
        (status = 200, description = "The titles, in slug order", body = Vec<Summary>, headers(("etag" = String, description = "The catalog's token"))),
    )
)]
#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn software(_: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(Resource::PatchSummaries.into())
}

/// Get some patch titles
///
/// Returns the titles with these identifiers. Unknown ones are left out.
#[utoipa::path(
    get,
    path = SOME_SOFTWARE_ROUTE.path,
    operation_id = "get_patch_titles",
    tag = "patch source",
    params(("ids" = String, Path, description = "Identifiers, separated by commas", example = "firefoxpkg,googlechromepkg")),
    responses(
        (status = 200, description = "The titles that exist, in the given order", body = Vec<Summary>, headers(("etag" = String, description = "The catalog's token"))),
    )
)]
fn some_software(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let ids = wanted(context)?;
    let body = context.snapshot.patch_summaries_of(&PatchSelection::Everything, each(&ids));
    Ok(Representation::Tagged(body))
}

/// Get a patch definition
///
/// Returns what Jamf needs to report the versions of an app: every version that was ever published,
/// newest first, up to 100.
#[utoipa::path(
    get,
    path = PATCH_ROUTE.path,
    operation_id = "get_patch_definition",
    tag = "patch source",
    params(("id" = String, Path, description = "The title's identifier", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The definition", body = Definition, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "There is no such title", body = inline(ErrorDetail)),
    )
)]
fn patch(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    definition(context, &PatchSelection::Everything)
}

/// List the apps without a patch definition
///
/// Returns every app that is not a title, and why.
#[utoipa::path(
    get,
    path = OMITTED_ROUTE.path,
    operation_id = "list_apps_without_patch_title",
    tag = "patch source",
    responses(
        (status = 200, description = "The apps, in slug order", body = Vec<OmittedApp>, headers(("etag" = String, description = "The catalog's token"))),
    )
)]
fn omitted(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    context.begin_work()?;
    let omitted = context.snapshot.patch_omitted(&PatchSelection::Everything);
    Ok(Representation::Tagged(json(&omitted)?.into()))
}

/// List the patch titles of a part
///
/// Like `/jamf/v1/software`, for a part of the catalog: a list that the operator made, a source, or a
/// vendor. Enter `<host>/jamf/v1/of/<selection>` as the server in Jamf Pro.
#[utoipa::path(
    get,
    path = PART_SOFTWARE_ROUTE.path,
    operation_id = "list_patch_titles_of_part",
    tag = "patch source",
    params(("selection" = String, Path, description = "The name of a list, the token of a source, or a vendor, ignoring case", example = "Mozilla")),
    responses(
        (status = 200, description = "The titles, in slug order", body = Vec<Summary>, headers(("etag" = String, description = "The token of the catalog and of the server's settings"))),
        (status = 404, description = "There is no such part", body = inline(ErrorDetail)),
    )
)]
fn part_software(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    context.begin_work()?;
    let body = context.snapshot.patch_summaries(&part(context, request)?);
    Ok(versioned(context, body.into()))
}

/// Get some patch titles of a part
///
/// Like `/jamf/v1/software/{ids}`, for a part of the catalog.
#[utoipa::path(
    get,
    path = PART_SOME_SOFTWARE_ROUTE.path,
    operation_id = "get_patch_titles_of_part",
    tag = "patch source",
    params(
        ("selection" = String, Path, description = "The name of a list, the token of a source, or a vendor, ignoring case", example = "Mozilla"),
        ("ids" = String, Path, description = "Identifiers, separated by commas", example = "firefoxpkg"),
    ),
    responses(
        (status = 200, description = "The titles that exist, in the given order", body = Vec<Summary>, headers(("etag" = String, description = "The token of the catalog and of the server's settings"))),
        (status = 404, description = "There is no such part", body = inline(ErrorDetail)),
    )
)]
fn part_some_software(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let ids = wanted(context)?;
    let body = context.snapshot.patch_summaries_of(&part(context, request)?, each(&ids));
    Ok(versioned(context, body.into()))
}

/// Get a patch definition of a part
///
/// Like `/jamf/v1/patch/{id}`, for a part of the catalog.
#[utoipa::path(
    get,
    path = PART_PATCH_ROUTE.path,
    operation_id = "get_patch_definition_of_part",
    tag = "patch source",
    params(
        ("selection" = String, Path, description = "The name of a list, the token of a source, or a vendor, ignoring case", example = "Mozilla"),
        ("id" = String, Path, description = "The title's identifier", example = "firefoxpkg"),
    ),
    responses(
        (status = 200, description = "The definition", body = Definition, headers(("etag" = String, description = "The token of the catalog and of the server's settings"))),
        (status = 404, description = "There is no such part or title", body = inline(ErrorDetail)),
    )
)]
fn part_patch(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    definition(context, &part(context, request)?)
}

/// List the apps of a part without a patch definition
///
/// Like `/jamf/v1/omitted`, for a part of the catalog.
#[utoipa::path(
    get,
    path = PART_OMITTED_ROUTE.path,
    operation_id = "list_apps_of_part_without_patch_title",
    tag = "patch source",
    params(("selection" = String, Path, description = "The name of a list, the token of a source, or a vendor, ignoring case", example = "Mozilla")),
    responses(
        (status = 200, description = "The apps, in slug order", body = Vec<OmittedApp>, headers(("etag" = String, description = "The token of the catalog and of the server's settings"))),
        (status = 404, description = "There is no such part", body = inline(ErrorDetail)),
    )
)]
fn part_omitted(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    context.begin_work()?;
    let omitted = context.snapshot.patch_omitted(&part(context, request)?);
    Ok(versioned(context, json(&omitted)?))
}

fn definition(context: &ReadContext<'_>, selection: &PatchSelection) -> EndpointResult {
    let id = context.slug();
    if context.snapshot.patch_versions(&id) > FEW {
        context.begin_work()?;
    }
    let minimum = &context.parts.patch.minimum_macos;
    let definition = context.snapshot.patch_definition(selection, &id, minimum)?;
    Ok(versioned(context, json(&definition)?))
}

/// The part of the catalog that the fourth segment of the path names.
fn part(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> Result<PatchSelection, HttpError> {
    const SEGMENT: usize = 4;
    let segment = request.path.split('/').nth(SEGMENT).unwrap_or_default();
    let name = decode_segment(segment);
    let listed = context.parts.patch.lists.get(&*name);
    Ok(context.snapshot.patch_selection(&name, listed.map(Vec::as_slice))?)
}

/// The identifiers in the path. Writing many of them is left to a worker.
fn wanted<'a>(context: &ReadContext<'a>) -> Result<Cow<'a, str>, HttpError> {
    if context.segment.len() > FEW * 16 {
        context.begin_work()?;
    }
    Ok(decode_segment(context.segment))
}

fn each(ids: &str) -> impl Iterator<Item = &str> {
    ids.split(',').map(str::trim).filter(|id| !id.is_empty())
}

/// An answer that depends on the settings of the server, too.
fn versioned(context: &ReadContext<'_>, body: Vec<u8>) -> Representation {
    let token = context.parts.patch.token(context.snapshot.token());
    Representation::Versioned { content_type: JSON, token, cache_control: KEPT, body: body.into() }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, HttpError> {
    serde_json::to_vec(value).map_err(|error| {
        tracing::error!(%error, "cannot write an answer of the patch source");
        HttpError::Internal
    })
}
