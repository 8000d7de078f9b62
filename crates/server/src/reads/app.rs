//! `GET /apps/{slug}` and what is below it: everything about one app.

use appstitch_types::{
    App, AppDetails, AppHistory, AppSources, DriftEntry, HttpValidationError, Provenance,
};

use crate::{
    http_error::HttpError,
    message::{EndpointResult, ReadContext, ReadRequest, Representation},
    query::{Faults, parameters, read_include},
    response::ErrorDetail,
    route::{Export, Exported, Route},
};

pub(crate) const RECORD_ROUTE: Route =
    Route::get("/apps/{slug}", record, Export::Each(Exported::Apps, "apps/{}/@index.json"))
        .catalog()
        .documented::<__path_record>();

/// Get one app
#[utoipa::path(
    get,
    path = RECORD_ROUTE.path,
    operation_id = "get_app",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The app", body = App, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn record(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(context.snapshot.app(&context.slug())?.into())
}

pub(crate) const SOURCES_ROUTE: Route = Route::get(
    "/apps/{slug}/sources",
    sources,
    Export::Each(Exported::Apps, "apps/{}/sources.json"),
)
.catalog()
.documented::<__path_sources>();

/// Get an app's raw source payloads
///
/// Every key is always present; it is null if the source contributed nothing.
#[utoipa::path(
    get,
    path = SOURCES_ROUTE.path,
    operation_id = "get_app_sources",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The payloads", body = AppSources, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn sources(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(context.snapshot.app_sources(&context.slug())?.into())
}

pub(crate) const DRIFT_ROUTE: Route =
    Route::get("/apps/{slug}/drift", drift, Export::Each(Exported::Apps, "apps/{}/drift.json"))
        .catalog()
        .documented::<__path_drift>();

parameters! { DriftQuery { include } }

/// Get one app's version drift
///
/// Returns `null` if the app has no drift: fewer than two sources state a version, or all agree.
#[utoipa::path(
    get,
    path = DRIFT_ROUTE.path,
    operation_id = "get_app_drift",
    tag = "drift",
    params(
        ("slug" = String, Path, description = "The app's slug", example = "firefoxpkg"),
        ("include" = Option<String>, Query, description = "Further sources to compare, separated by commas: `mdm_installer`, `store_listing`", example = "mdm_installer,store_listing"),
    ),
    responses(
        (status = 200, description = "The disagreement, or null", body = Option<DriftEntry>, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn drift(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let mut faults = Faults::default();
    let scope = faults.check(read_include(DriftQuery::read(request.query).include.as_deref()));
    faults.none()?;
    Ok(context.snapshot.app_drift(&context.slug(), scope)?.into())
}

pub(crate) const PROVENANCE_ROUTE: Route = Route::get(
    "/apps/{slug}/provenance",
    provenance,
    Export::Each(Exported::Apps, "apps/{}/provenance.json"),
)
.catalog()
.documented::<__path_provenance>();

/// Get the provenance of an app's record
///
/// Names the source of every field, and for every source the matched entry and the evidence.
#[utoipa::path(
    get,
    path = PROVENANCE_ROUTE.path,
    operation_id = "get_app_provenance",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The provenance", body = Provenance, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn provenance(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(context.snapshot.app_provenance(&context.slug())?.into())
}

pub(crate) const DETAILS_ROUTE: Route = Route::get(
    "/apps/{slug}/details",
    details,
    Export::Each(Exported::Apps, "apps/{}/details.json"),
)
.catalog()
.documented::<__path_details>();

/// Get an app's details
///
/// Returns what the sources know beyond the record: description, home page, requirements,
/// deprecation, files, other names and variants. A field is null if no source knows it.
#[utoipa::path(
    get,
    path = DETAILS_ROUTE.path,
    operation_id = "get_app_details",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug", example = "firefox")),
    responses(
        (status = 200, description = "The details", body = AppDetails, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn details(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(context.snapshot.app_details(&context.slug())?.into())
}

pub(crate) const HISTORY_ROUTE: Route = Route::get(
    "/apps/{slug}/history",
    history,
    Export::Each(Exported::AppsAndFormerApps, "apps/{}/history.json"),
)
.catalog()
.documented::<__path_history>();

/// Get the versions that an app had
///
/// Returns every version that the catalog had for the app, newest first, with the time when it was first
/// seen and the time when it was replaced. Times are those of the catalog, not of the vendor's release. A
/// version that was there before the journal of changes began has no first time. If the app was renamed,
/// the versions under its former slugs are included.
#[utoipa::path(
    get,
    path = HISTORY_ROUTE.path,
    operation_id = "get_app_history",
    tag = "changes",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The versions", body = AppHistory, headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn history(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let history = context.snapshot.history(&context.slug())?;
    let body = serde_json::to_vec(&history).map_err(|_| HttpError::Internal)?;
    Ok(Representation::Tagged(body.into()))
}
