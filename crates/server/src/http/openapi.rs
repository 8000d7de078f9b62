//! The OpenAPI document: every public route, described beside the code that answers it.

use std::sync::LazyLock;

use appstitch_catalog::{
    App, AppSources, CaskCatalogSource, CatalogStats, DriftEntry, DriftResponse, FieldOrigins,
    GeneratedLabel, HttpValidationError, InstallMethod, LabelToolSource, MdmInstallerSource,
    Provenance, RecipeEntry, RecipeIndexSource, SourceCoverage, SourceMatch, SourceMatches,
    SourceVersion, StoreListingSource, ValidationError,
};
use bytes::Bytes;
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};

use super::{
    app_drift, app_provenance, app_sources, generate_label, get_app, health, list_apps, list_drift,
    stats, title_codes,
};

/// The body of a 422 answer to a label request.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum LabelRefused {
    /// The request does not fit its parameters.
    Validation(HttpValidationError),
    /// The app has no source detail.
    NoDetail {
        /// What is wrong.
        detail: String,
    },
}

/// A page's size.
#[derive(ToSchema)]
#[schema(value_type = i64, minimum = 1, maximum = 1000, default = 100)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Limit(i64);

/// A page's start.
#[derive(ToSchema)]
#[schema(value_type = i64, minimum = 0, default = 0)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Offset(i64);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "appstitch",
        version = "0.1.0",
        description = "A public, read-only catalog of macOS applications: one stitched record per app.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        list_apps::find,
        list_drift::find,
        title_codes::find,
        get_app::find,
        app_sources::find,
        app_drift::find,
        app_provenance::find,
        generate_label::generate,
        stats::show,
        health::show,
    ),
    components(schemas(
        App,
        AppSources,
        CaskCatalogSource,
        CatalogStats,
        DriftEntry,
        DriftResponse,
        FieldOrigins,
        GeneratedLabel,
        HttpValidationError,
        InstallMethod,
        LabelToolSource,
        MdmInstallerSource,
        Provenance,
        RecipeEntry,
        RecipeIndexSource,
        SourceCoverage,
        SourceMatch,
        SourceMatches,
        SourceVersion,
        StoreListingSource,
        ValidationError,
    )),
    tags(
        (name = "apps", description = "Apps and what their sources said"),
        (name = "drift", description = "Sources that disagree on the newest version"),
        (name = "labels", description = "Installer labels made from the sources"),
        (name = "service", description = "The service itself"),
    )
)]
pub(crate) struct Document;

/// The OpenAPI document as JSON with line breaks, the way a person reads it.
#[must_use]
pub fn document() -> String {
    let mut text = Document::openapi().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

/// The document as it is served.
pub(crate) fn body() -> Bytes {
    static BODY: LazyLock<Bytes> =
        LazyLock::new(|| Document::openapi().to_json().unwrap_or_default().into());
    BODY.clone()
}
